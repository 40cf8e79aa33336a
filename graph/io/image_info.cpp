#include "graph/io/image_info.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/io/exr_header.h"

namespace lacuna {
namespace {

// Of formats that hold one image.
void describeOne(const std::string& path, ImageInfo& info) {
  const ValueType type = probeImage(info.codec, path, {}).begin()->second;
  info.extent = type.extent;
  info.pixels = fmt::format("{} {}", name(type.channels), name(type.format));
  info.colour = std::string(name(type.colour));
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
