#include "modules/codecs/exr_write.h"

#include <fmt/format.h>

#include <cctype>

#include "graph/lists.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"

namespace lacuna::io {
namespace {

// The names that exr_channels finds first: a letter for each component, behind `plane.` if isLayer.
struct PlaneNames {
  std::string_view plane, letters;
  std::vector<int> components;  // possible channels of the plane; those beyond the letters are omitted
  bool isLayer = true;
  bool isSingle = false;  // written as float, even if the value is half

  std::string channel(size_t component) const {
    const std::string letter(letters.substr(component, 1));
    return plane == "id" ? "id" : isLayer ? fmt::format("{}.{}", plane, letter) : letter;
  }
};

const std::vector<PlaneNames>& planeNames() {
  static const std::vector<PlaneNames> names = {{"output", "RGBA", {3, 4}, false},
                                                {"output", "Y", {1}, false},
                                                {"albedo", "RGB", {3, 4}},
                                                {"normal", "XYZ", {3, 4}},
                                                {"depth", "Z", {1}, false, true},
                                                {"motion", "XY", {2}, true, true},
                                                {"direct", "RGBA", {3, 4}},
                                                {"indirect", "RGBA", {3, 4}},
                                                {"gradient", "XY", {2}},
                                                {"moments", "XY", {2}, true, true},
                                                {"id", "X", {1}}};
  return names;
}

bool opaque(const NamedImage& image) {
  return everyPixel(image,
                    [&](const std::byte* pixel) { return componentAt(pixel, 3, image.type.format) == 1.0F; });
}

PlaneNames ownNames(const std::string& path, const NamedImage& image) {
  const std::string plane = exrPlaneOf(image);
  const bool isId = plane == "id", isNumbers = image.type.format == Format::u32;
  for (const PlaneNames& names : planeNames())
    if (plane == names.plane && contains(names.components, componentCount(image.type.channels)) &&
        isId == isNumbers)
      return names;
  refuse(path, "an OpenEXR file can't take {} as '{}'", print(image.type), image.name);
}

// "ViewLayer.Combined." of "ViewLayer.Combined.R".
std::string prefixOf(const ExrChannel& channel) {
  return channel.name.substr(0, channel.name.size() - channel.component.size());
}

// Colour in the layer of the origin's colour, with as many channels as needed.
void nameColour(const NamedImage& image, const std::vector<ExrChannel>& found, bool inRows,
                ExrPlaneNames& names) {
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
  if (found.size() <= 2 && (inRows || isGrey(image))) {
    names.channels = {{part, found.front().name, 1}};
  } else {
    const char* const letters[] = {"R", "G", "B"};
    for (size_t c = 0; c < 3; ++c)
      names.channels.push_back({part, found.size() > 2 ? found[c].name : own(letters[c]), c});
  }
  if (components == 4 && (hasAlpha || !(inRows || opaque(image))))
    names.channels.push_back({part, hasAlpha ? found.back().name : own("A"), 3});
}

}  // namespace

std::string exrPlaneOf(const NamedImage& image) {
  return image.name == "input" ? "output" : image.name;
}

ExrPlaneNames exrNamesFor(const std::string& path, const NamedImage& image, const ExrOrigin* origin,
                          int mainPart, bool inRows) {
  const PlaneNames own = ownNames(path, image);
  const std::string plane = exrPlaneOf(image);
  ExrPlaneNames names;
  names.isSingle = own.isSingle;
  const std::vector<ExrChannel> found =
      origin == nullptr ? std::vector<ExrChannel>() : origin->channelsOf(plane);
  if (!found.empty() && isColourPlane(plane)) {
    nameColour(image, found, inRows, names);
    return names;
  }
  size_t count = std::min(own.letters.size(), static_cast<size_t>(componentCount(image.type.channels)));
  if (found.size() == count) {
    for (size_t c = 0; c < count; ++c)
      names.channels.push_back({found[c].part, found[c].name, c});
    return names;
  }
  if (count == 4 && (inRows || opaque(image)))
    --count;
  for (size_t c = 0; c < count; ++c)
    names.channels.push_back({mainPart, own.channel(c), c});
  return names;
}

bool holdsAll(const ExrPlaneNames& names, const NamedImage& image) {
  const int components = componentCount(image.type.channels);
  const size_t written = names.channels.size();
  return components < 3 ||
         ((written >= 3 || isGrey(image)) && (components == 3 || written % 2 == 0 || opaque(image)));
}

}  // namespace lacuna::io
