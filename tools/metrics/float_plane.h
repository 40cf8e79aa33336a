#pragma once
// Planes of files as floats.

#include <string>
#include <vector>

#include "modules/codecs/image_file.h"

namespace lacuna {

// A pixel's components one after the other.
struct FloatPlane {
  size_t components = 0;
  Extent extent{};
  std::vector<float> values;
};

// `plane`: `output`, or one of an OpenEXR file. Throws FileError, also for files of integers.
FloatPlane readFloats(const std::string& path, const std::string& plane, const ReadOptions& options = {});

}  // namespace lacuna
