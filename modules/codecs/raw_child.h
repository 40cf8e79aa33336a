#pragma once
// Raw photographs, unpacked by LibRaw in the process lacuna-raw, whose memory and time are bounded by the
// file's size. If it crashes, that is an error with the file's name.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "modules/codecs/codec.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/raw_message.h"

namespace lacuna::io {

struct RawPhotograph {
  RawMessage about;
  MosaicPattern stored;         // size of the stored pixels, before they are turned
  std::vector<std::byte> exif;  // TIFF

  Extent extent() const { return {about.width, about.height}; }
  bool isDemosaiced() const { return about.samples == 3; }
};

// The pattern as it is delivered: turned upright, or as stored (1).
MosaicPattern patternOf(const RawPhotograph& raw, Orientation orientation);
std::array<float, 4> blackOf(const RawPhotograph& raw, Orientation orientation);
inline Orientation orientationOf(const RawPhotograph& raw, const ReadOptions& options) {
  return options.orientation ? static_cast<Orientation>(raw.about.orientation) : 1;
}

// Fills its argument, or throws FileError.
using ReadBytes = std::function<void(std::span<std::byte> bytes)>;
// The output of such a process, checked: it is not trusted. `bytes`: of the file. Throws FileError.
RawPhotograph readMessage(const std::string& path, uint64_t bytes, const ReadBytes& read);

// Whether LibRaw knows the file, or why it can't be read.
bool isRaw(const std::string& path);
// Asked once for each unchanged file. Throws FileError.
std::shared_ptr<const RawPhotograph> rawHeader(const std::string& path);
// The pixels' numbers, row by row. Throws FileError, also where the file has changed.
void readRawRows(const std::string& path, const RawPhotograph& expected,
                 const std::function<void(uint32_t y, std::span<const float> row)>& take);

}  // namespace lacuna::io
