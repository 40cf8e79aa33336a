// What a written OpenEXR file keeps: attributes and channels of its origin, Exif data.

#include "modules/codecs/exr_write.h"

#include <ImfChannelList.h>
#include <ImfFloatAttribute.h>
#include <ImfInputPart.h>
#include <ImfIntAttribute.h>
#include <ImfStringAttribute.h>
#include <ImfVecAttribute.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>

#include "modules/codecs/exif.h"
#include "modules/codecs/exr_header.h"

namespace lacuna::io {
namespace {

using Imath::Box2i;

// In the order of Imf::Compression.
constexpr std::array compressions = {"none",  "rle", "zips", "zip",  "piz",
                                     "pxr24", "b44", "b44a", "dwaa", "dwab"};

size_t bytesOf(Imf::PixelType type) {
  return type == Imf::HALF ? 2 : 4;
}

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

bool isLossless(Imf::Compression compression) {
  return compression == Imf::NO_COMPRESSION || compression == Imf::RLE_COMPRESSION ||
         compression == Imf::ZIPS_COMPRESSION || compression == Imf::ZIP_COMPRESSION ||
         compression == Imf::PIZ_COMPRESSION;
}

std::string compressionName(Imf::Compression compression) {
  const auto index = static_cast<size_t>(compression);
  return index < compressions.size() ? compressions.at(index) : "unknown";
}

Imf::Compression compressionNamed(const std::string& word, const Imf::Header* origin) {
  const auto found = std::ranges::find(compressions, word);
  if (found != compressions.end())
    return static_cast<Imf::Compression>(found - compressions.begin());
  return origin != nullptr && isLossless(origin->compression()) ? origin->compression()
                                                                : Imf::ZIP_COMPRESSION;
}

void addRows(Imf::MultiPartInputFile& file, int index, const std::vector<std::string>& names, int first,
             int last, std::vector<std::vector<char>>& strips, Imf::FrameBuffer& frame) {
  strips.resize(names.size());
  Imf::InputPart part(file, index);
  const Box2i& data = part.header().dataWindow();
  const size_t width = widthOf(data), height = static_cast<size_t>(last - first + 1);
  Imf::FrameBuffer source;
  for (size_t i = 0; i < names.size(); ++i) {
    const Imf::Channel& channel = part.header().channels()[names[i].c_str()];
    const size_t bytes = bytesOf(channel.type);
    strips[i].assign(width * height * bytes, 0);
    const Imf::Slice slice = Imf::Slice::Make(channel.type, strips[i].data(), {data.min.x, first},
                                              static_cast<int64_t>(width), static_cast<int64_t>(height),
                                              bytes, bytes * width, channel.xSampling, channel.ySampling);
    source.insert(names[i], slice);
    frame.insert(names[i], slice);
  }
  part.setFrameBuffer(source);
  part.readPixels(first, last);
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
