#pragma once
// TIFF files; tiff_tags.h has what DNG files share with them.

#include "modules/codecs/tiff_tags.h"

namespace lacuna::io {

// The choice of `tiff_compression` that a file of this compression is written with; empty if it isn't read.
std::string tiffCompressionName(uint16_t compression);

void writeTiff(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
               const WriteOptions& options);

}  // namespace lacuna::io
