#pragma once
// Images for benchmarks: smooth shapes with noise, and the planes that would lie behind them.

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "graph/frame/schedule.h"

namespace lacuna {

// Images by the value that they are: "i-memory:colour:image.output".
using BenchPixels = std::map<std::string, std::shared_ptr<const std::vector<std::byte>>>;

// The schedule with the images as constants on the device, copied to where its sources would be uploaded: a
// frame then moves nothing to the device, and memory is aliased as ever.
OrderedPasses replaceUploads(OrderedPasses schedule, const BenchPixels& pixels);

// i-memory:colour, :normal and :depth of one size, made once for all schedules.
class BenchImages {
 public:
  explicit BenchImages(Extent extent);

  static std::map<std::string, ValueType> types(Extent extent);
  Extent extent() const { return extent_; }

  const BenchPixels& pixels() const { return pixels_; }

 private:
  Extent extent_;
  BenchPixels pixels_;
};

}  // namespace lacuna
