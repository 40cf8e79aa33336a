// What a written OpenEXR file keeps: attributes, channels and their names of its origin, Exif data.

#include <ImfChannelList.h>
#include <ImfFloatAttribute.h>
#include <ImfIntAttribute.h>
#include <ImfStringAttribute.h>
#include <ImfVecAttribute.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <map>

#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/exr.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"

namespace lacuna::io {
namespace {

using Imath::Box2i;

// In the order of Imf::Compression.
constexpr std::array compressions = {"none",  "rle", "zips", "zip",  "piz",
                                     "pxr24", "b44", "b44a", "dwaa", "dwab"};
// This one and those before it.
constexpr Imf::Compression lastLossless = Imf::PIZ_COMPRESSION;

}  // namespace

ExrOrigin::ExrOrigin(const Origin& origin)
    : origin_(origin), file_(soundExr(origin.path), 0), channels_(io::channelsOf(origin.path, file_)) {
  const std::vector<ExrChannel> colour = channelsOf(origin_.plane);
  mainPart_ = colour.empty() ? 0 : colour.front().part;
}

std::optional<Box2i> ExrOrigin::windowFor(Extent extent) const {
  const Box2i window = windowOf(origin_.path, file_, origin_.read.framed);
  return extent == extentOf(window) ? std::optional(window) : std::nullopt;
}

Imf::Header headerWithout(const Imf::Header& header, const std::set<std::string>& names) {
  Imf::Header copy;
  for (auto it = header.begin(); it != header.end(); ++it)
    if (names.count(it.name()) == 0)
      copy.insert(it.name(), it.attribute());
  return copy;
}

Imf::Header ExrOrigin::attributes(int part) const {
  // A preview shows the old picture; the others are the library's own.
  return headerWithout(file_.header(part), {"channels", "tiles", "type", "chunkCount", "version", "lineOrder",
                                            "maxSamplesPerPixel", "preview"});
}

std::vector<ExrChannel> ExrOrigin::channelsOf(const std::string& plane) const {
  if (plane == "motion")
    return {};
  return findExrPlane(channels_, plane, origin_.read.layers).value_or(std::vector<ExrChannel>());
}

std::vector<ExrChannel> ExrOrigin::channels(int part) const {
  std::vector<ExrChannel> found;
  std::ranges::copy_if(channels_, std::back_inserter(found),
                       [&](const ExrChannel& channel) { return channel.part == part; });
  return found;
}

std::string compressionName(Imf::Compression compression) {
  const auto index = static_cast<size_t>(compression);
  return index < compressions.size() ? compressions.at(index) : "unknown";
}

Imf::Compression compressionNamed(const std::string& word, const Imf::Header* origin) {
  const auto found = std::ranges::find(compressions, word);
  if (found != compressions.end())
    return static_cast<Imf::Compression>(found - compressions.begin());
  const bool isLossless = origin != nullptr && origin->compression() <= lastLossless;
  return isLossless ? origin->compression() : Imf::ZIP_COMPRESSION;
}

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

namespace {

// As OpenImageIO 2.4 writes them; the others have their folder's name before their own.
const std::map<std::string, std::string> exrNames = {{"ImageDescription", "comments"},
                                                     {"Make", "Make"},
                                                     {"Model", "Model"},
                                                     {"Orientation", "Orientation"},
                                                     {"Software", "Software"},
                                                     {"DateTime", "capDate"},
                                                     {"Artist", "Artist"},
                                                     {"Copyright", "owner"},
                                                     {"ExposureTime", "expTime"},
                                                     {"FNumber", "aperture"},
                                                     {"ISOSpeedRatings", "Exif:PhotographicSensitivity"},
                                                     {"FlashpixVersion", "Exif:FlashPixVersion"}};

// "" for what is about the old file's pixels.
std::string attributeName(const ExifValue& value, ExifFolder folder) {
  if (const auto known = exrNames.find(value.name); known != exrNames.end())
    return known->second;
  if (folder == ExifFolder::main || value.name.empty() || value.name.starts_with("Pixel"))
    return {};
  return folder == ExifFolder::gps
             ? "GPS:" + (value.name.starts_with("GPS") ? value.name.substr(3) : value.name)
             : "Exif:" + value.name;
}

float floatOf(double number) {
  return static_cast<float>(number);
}

void addValue(Imf::Header& header, const std::string& name, const ExifValue& value) {
  const std::vector<double>& numbers = value.numbers;
  const bool isVersion = value.name.ends_with("Version") && numbers.size() == 4;
  if (isVersion && value.isUndefined) {
    std::string text;
    for (const double number : numbers)
      text += static_cast<char>(number);
    header.insert(name, Imf::StringAttribute(text));
  } else if (!value.text.empty()) {
    header.insert(name, Imf::StringAttribute(value.text));
  } else if (value.isUndefined) {
    return;
  } else if (numbers.size() == 3 && value.isFraction) {
    header.insert(name, Imf::V3fAttribute({floatOf(numbers[0]), floatOf(numbers[1]), floatOf(numbers[2])}));
  } else if (numbers.size() == 1 && value.isFraction) {
    header.insert(name, Imf::FloatAttribute(floatOf(numbers[0])));
  } else if (numbers.size() == 1 && numbers[0] <= std::numeric_limits<int>::max()) {
    header.insert(name, Imf::IntAttribute(static_cast<int>(numbers[0])));
  }
}

}  // namespace

void addExif(Imf::Header& header, std::span<const std::byte> exif) {
  for (const ExifFolder folder : {ExifFolder::main, ExifFolder::camera, ExifFolder::gps})
    for (const ExifValue& value : exifValues(exif, folder))
      if (const std::string name = attributeName(value, folder);
          !name.empty() && header.find(name) == header.end())
        addValue(header, name, value);
}

}  // namespace lacuna::io
