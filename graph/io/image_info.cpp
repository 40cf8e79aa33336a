#include "graph/io/image_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/io/exr_header.h"
#include "graph/io/file_format.h"

namespace lacuna {
namespace {

// Of formats that hold one image.
void describeOne(const std::string& path, ImageInfo& info) {
  const ValueType type = probeImage(info.codec, path, {}).begin()->second;
  const io::StoredKind kind = io::formatOfFile(path).codec->kind(path, "output", {});
  info.extent = type.extent;
  info.bits = kind.bits;
  info.pixels = fmt::format("{}{}, {}", kind.grey ? "grey" : "rgb", kind.alpha ? " with alpha" : "",
                            kind.isFloat ? "float" : fmt::format("{} bit", kind.bits));
  info.colour = info.codec == "pfm"                 ? "linear, taken as Rec. 709"
                : type.colour == ColourTag::rec2020 ? "a profile of its own, read as Rec. 2020"
                : type.colour == ColourTag::data    ? "numbers"
                                                    : "sRGB";
}

}  // namespace

bool ImageInfo::has(const std::string& plane) const {
  return std::any_of(planes.begin(), planes.end(), [&](const Plane& p) { return p.name == plane; });
}

ImageInfo imageInfo(const std::string& path) {
  ImageInfo info;
  info.codec = codecOfFile(path);
  info.format = formatOfCodec(info.codec);
  if (info.codec == "exr")
    io::guarded(path, [&] { io::describeExr(path, info); });
  else
    describeOne(path, info);
  return info;
}

}  // namespace lacuna
