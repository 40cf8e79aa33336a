#include "modules/codecs/exr_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"

namespace lacuna::io {
namespace {

struct PlaneNames {
  const char* plane;
  int components;
  std::vector<const char*> channels;
  bool isSingle = false;  // float, also where the value is half
};

// The names that exr_channels finds first.
const std::vector<PlaneNames>& planeNames() {
  static const std::vector<PlaneNames> names = {
      {"output", 4, {"R", "G", "B", "A"}},
      {"output", 3, {"R", "G", "B"}},
      {"output", 1, {"Y"}},
      {"albedo", 3, {"albedo.R", "albedo.G", "albedo.B"}},
      {"albedo", 4, {"albedo.R", "albedo.G", "albedo.B"}},
      {"normal", 3, {"normal.X", "normal.Y", "normal.Z"}},
      {"normal", 4, {"normal.X", "normal.Y", "normal.Z"}},
      {"depth", 1, {"Z"}, true},
      {"motion", 2, {"motion.X", "motion.Y"}, true},
      {"direct", 4, {"direct.R", "direct.G", "direct.B", "direct.A"}},
      {"direct", 3, {"direct.R", "direct.G", "direct.B"}},
      {"indirect", 4, {"indirect.R", "indirect.G", "indirect.B", "indirect.A"}},
      {"indirect", 3, {"indirect.R", "indirect.G", "indirect.B"}},
      {"gradient", 2, {"gradient.X", "gradient.Y"}},
      {"moments", 2, {"moments.X", "moments.Y"}, true},
      {"id", 1, {"id"}},
  };
  return names;
}

bool opaque(const NamedImage& image) {
  const size_t pixelBytes = bytesPerPixel(image.type.channels, image.type.format);
  const size_t count = size_t{image.type.extent.width} * image.type.extent.height;
  for (size_t i = 0; i < count; ++i)
    if (componentAt(image.pixels.data() + i * pixelBytes, 3, image.type.format) != 1.0F)
      return false;
  return true;
}

bool isColourPlane(const std::string& plane) {
  return plane == "output" || plane == "direct" || plane == "indirect";
}

PlaneNames ownNames(const std::string& path, const NamedImage& image) {
  const std::string plane = exrPlaneOf(image);
  const bool isId = plane == "id", isNumbers = image.type.format == Format::u32;
  for (const PlaneNames& names : planeNames())
    if (plane == names.plane && names.components == componentCount(image.type.channels) && isId == isNumbers)
      return names;
  throw FileError(
      fmt::format("{}: an OpenEXR file can't take {} as '{}'", path, print(image.type), image.name));
}

// "ViewLayer.Combined." of "ViewLayer.Combined.R".
std::string prefixOf(const ExrChannel& channel) {
  return channel.name.substr(0, channel.name.size() - channel.component.size());
}

// Colour in the layer of the origin's, with as many channels as it takes.
void nameColour(const NamedImage& image, const std::vector<ExrChannel>& found, ExrPlaneNames& names) {
  const bool hasAlpha = found.size() % 2 == 0, isLower = found.front().component == "r";
  const int part = found.front().part, components = componentCount(image.type.channels);
  const std::string prefix = prefixOf(found.front());
  const auto own = [&](const char* component) {
    return prefix + static_cast<char>(isLower ? std::tolower(*component) : *component);
  };
  if (components == 1) {
    names.channels = {{part, found.size() <= 2 ? found.front().name : own("Y"), 0}};
    return;
  }
  if (found.size() <= 2 && isGrey(image)) {
    names.channels = {{part, found.front().name, 1}};
  } else {
    const char* const letters[] = {"R", "G", "B"};
    for (size_t c = 0; c < 3; ++c)
      names.channels.push_back({part, found.size() > 2 ? found[c].name : own(letters[c]), c});
  }
  if (components == 4 && (hasAlpha || !opaque(image)))
    names.channels.push_back({part, hasAlpha ? found.back().name : own("A"), 3});
}

}  // namespace

std::string exrPlaneOf(const NamedImage& image) {
  return image.name == "input" ? "output" : image.name;
}

ExrPlaneNames exrNamesFor(const std::string& path, const NamedImage& image, const ExrOrigin* origin,
                          int mainPart) {
  const PlaneNames own = ownNames(path, image);
  const std::string plane = exrPlaneOf(image);
  ExrPlaneNames names;
  names.isSingle = own.isSingle;
  const std::vector<ExrChannel> found =
      origin == nullptr ? std::vector<ExrChannel>() : origin->channelsOf(plane);
  if (!found.empty() && isColourPlane(plane)) {
    nameColour(image, found, names);
    return names;
  }
  size_t count = own.channels.size();
  if (found.size() == count) {
    for (size_t c = 0; c < count; ++c)
      names.channels.push_back({found[c].part, found[c].name, c});
    return names;
  }
  if (count == 4 && opaque(image))
    --count;
  for (size_t c = 0; c < count; ++c)
    names.channels.push_back({mainPart, own.channels[c], c});
  return names;
}

}  // namespace lacuna::io
