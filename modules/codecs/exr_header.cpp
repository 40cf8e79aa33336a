#include "modules/codecs/exr.h"

#include <ImfBoxAttribute.h>
#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfCompressionAttribute.h>
#include <ImfDoubleAttribute.h>
#include <ImfFloatAttribute.h>
#include <ImfHeader.h>
#include <ImfIntAttribute.h>
#include <ImfMatrixAttribute.h>
#include <ImfPartType.h>
#include <ImfRationalAttribute.h>
#include <ImfStandardAttributes.h>
#include <ImfStringAttribute.h>
#include <ImfStringVectorAttribute.h>
#include <ImfTileDescriptionAttribute.h>
#include <ImfTimeCodeAttribute.h>
#include <ImfVecAttribute.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/image_info.h"

namespace lacuna::io {

Extent extentOf(const Imath::Box2i& box) {
  return {static_cast<uint32_t>(widthOf(box)), static_cast<uint32_t>(heightOf(box))};
}

uint64_t widthOf(const Imath::Box2i& box) {
  return static_cast<uint64_t>(int64_t{box.max.x} - box.min.x + 1);
}

uint64_t heightOf(const Imath::Box2i& box) {
  return static_cast<uint64_t>(int64_t{box.max.y} - box.min.y + 1);
}

Imath::Box2i windowOf(const std::string& path, const Imf::MultiPartInputFile& file, bool framed) {
  Imath::Box2i window;
  if (framed)
    window = file.header(0).displayWindow();
  for (int part = 0; part < file.parts(); ++part)
    window.extendBy(file.header(part).dataWindow());
  checkSize(path, widthOf(window), heightOf(window));
  return window;
}

namespace {

// A part's view, or those that its channels' names may have.
std::vector<std::string> viewsOf(const Imf::Header& header) {
  if (header.hasView())
    return {header.view()};
  return Imf::hasMultiView(header) ? Imf::multiView(header) : std::vector<std::string>();
}

}  // namespace

std::vector<ExrChannel> channelsOf(const std::string& path, const Imf::MultiPartInputFile& file) {
  std::vector<ExrChannel> channels;
  for (int part = 0; part < file.parts(); ++part) {
    const Imf::Header& header = file.header(part);
    checkSize(path, widthOf(header.dataWindow()), heightOf(header.dataWindow()));
    if (header.hasType() && Imf::isDeepData(header.type()))
      continue;
    const std::string partName = header.hasName() ? header.name() : "";
    const std::vector<std::string> views = viewsOf(header);
    for (auto it = header.channels().begin(); it != header.channels().end(); ++it) {
      ExrChannel channel = exrChannel(part, partName, file.parts() > 1, it.name(), views);
      channel.half = it.channel().type == Imf::HALF;
      channel.subsampled = it.channel().xSampling != 1 || it.channel().ySampling != 1;
      channels.push_back(channel);
    }
  }
  constexpr size_t most = 65536;  // the widest histograms have some hundred
  if (channels.size() > most)
    refuse(path, "{} channels, but a file may have {} at most", channels.size(), most);
  return channels;
}

std::optional<Chromaticities> chromaticitiesOf(const Imf::Header& header) {
  if (!Imf::hasChromaticities(header))
    return std::nullopt;
  const Imf::Chromaticities& c = Imf::chromaticities(header);
  return Chromaticities{c.white.x, c.white.y, c.red.x, c.red.y, c.green.x, c.green.y, c.blue.x, c.blue.y};
}

std::string shownName(const ExrChannel& channel) {
  return channel.topLevel && !channel.group.empty() ? channel.group + "." + channel.name : channel.name;
}

namespace {

constexpr size_t longestName = 255;

// Up to its zero byte. Empty at the end of a header, and at the file's end.
std::string readName(std::FILE* file) {
  std::string name;
  for (int letter = std::getc(file); letter > 0 && name.size() <= longestName; letter = std::getc(file))
    name += static_cast<char>(letter);
  return name;
}

uint32_t readSize(std::FILE* file) {
  uint32_t size = 0;
  for (int shift = 0; shift < 32; shift += 8)
    size |= static_cast<uint32_t>(std::getc(file) & 0xff) << shift;
  return size;
}

// OpenEXR ignores the size that a file states for these, and continues behind them. For others it reads the
// size.
constexpr std::pair<uint32_t, std::array<std::string_view, 5>> fixedSizes[] = {
    {1, {"compression", "deepImageState", "envmap", "lineOrder"}},
    {4, {"float", "int"}},
    {8, {"double", "rational", "timecode", "v2i", "v2f"}},
    {9, {"tiledesc"}},
    {12, {"v3i", "v3f"}},
    {16, {"box2i", "box2f", "v2d"}},
    {24, {"v3d"}},
    {28, {"keycode"}},
    {32, {"chromaticities"}},
    {36, {"m33f"}},
    {64, {"m44f"}},
    {72, {"m33d"}},
    {128, {"m44d"}}};

// The part of an attribute beginning here that OpenEXR reads.
uint64_t bytesRead(std::FILE* file, const std::string& type, uint32_t size) {
  for (const auto& [bytes, types] : fixedSizes)
    if (!type.empty() && contains(types, type))
      return bytes;
  if (type == "preview") {
    const uint64_t width = readSize(file);
    return 8 + 4 * width * readSize(file);
  }
  if (type != "chlist")
    return size;
  constexpr long channel = 16;  // behind its name
  const long from = std::ftell(file);
  while (!readName(file).empty())
    std::fseek(file, channel, SEEK_CUR);
  return static_cast<uint64_t>(std::ftell(file) - from);
}

// False if it has no attributes, which ends a list of headers.
bool checkHeader(const std::string& path, std::FILE* file, uint64_t bytes) {
  bool any = false;
  for (std::string name = readName(file); !name.empty(); name = readName(file)) {
    any = true;
    const std::string type = readName(file);
    const uint32_t size = readSize(file);
    const long at = std::ftell(file);
    const auto left = bytes - std::min<uint64_t>(static_cast<uint64_t>(at), bytes);
    // OpenEXR reports the rest of a truncated file, and names that are too long.
    if (std::feof(file) != 0 || name.size() > longestName)
      return false;
    if (size > left)
      refuse(path, "damaged OpenEXR file: attribute {} takes {} bytes, but {} are left",
             quote(printable(name)), size, left);
    if (const uint64_t read = bytesRead(file, type, size); read != size)
      refuse(path, "damaged OpenEXR file: attribute {} takes {} bytes, but its content {}",
             quote(printable(name)), size, read);
    std::fseek(file, at + static_cast<long>(size), SEEK_SET);
  }
  return any;
}

}  // namespace

const char* soundExr(const std::string& path) {
  const File opened = openToRead(path);
  std::FILE* file = opened.get();
  constexpr long flags = 5, firstHeader = 8;  // in the version, and behind it
  constexpr int multiPart = 0x10;
  std::fseek(file, flags, SEEK_SET);
  const bool hasParts = (std::getc(file) & multiPart) != 0;
  std::fseek(file, firstHeader, SEEK_SET);
  const uint64_t bytes = fileBytes(path);
  while (checkHeader(path, file, bytes) && hasParts) {
  }
  return path.c_str();
}

namespace {

template <typename Matrix>
std::string matrixText(const Matrix& matrix, size_t side) {
  std::vector<float> numbers;
  for (size_t row = 0; row < side; ++row)
    for (size_t column = 0; column < side; ++column)
      numbers.push_back(static_cast<float>(matrix[row][column]));
  return fmt::format("{}", fmt::join(numbers, " "));
}

template <typename Value>
std::string valueText(const Value& value) {
  if constexpr (fmt::is_formattable<Value>::value)
    return fmt::format("{}", value);
  else if constexpr (requires { value.z; })
    return fmt::format("{} {} {}", value.x, value.y, value.z);
  else if constexpr (requires { value.x; })
    return fmt::format("{} {}", value.x, value.y);
  else
    return fmt::format("{} to {}", valueText(value.min), valueText(value.max));
}

template <typename... Attributes>
std::string firstOf(const Imf::Attribute& attribute) {
  std::string text;
  const auto take = [&](const auto* typed) {
    if (typed != nullptr)
      text = valueText(typed->value());
  };
  (take(dynamic_cast<const Attributes*>(&attribute)), ...);
  return text;
}

// An attribute in a readable form; only its type if its value has no short form.
std::string attributeText(const Imf::Attribute& attribute) {
  if (const auto* typed = dynamic_cast<const Imf::CompressionAttribute*>(&attribute))
    return compressionName(typed->value());
  if (const auto* typed = dynamic_cast<const Imf::StringVectorAttribute*>(&attribute))
    return fmt::format("{}", fmt::join(typed->value(), ", "));
  if (const auto* typed = dynamic_cast<const Imf::M33fAttribute*>(&attribute))
    return matrixText(typed->value(), 3);
  if (const auto* typed = dynamic_cast<const Imf::M44fAttribute*>(&attribute))
    return matrixText(typed->value(), 4);
  if (const auto* typed = dynamic_cast<const Imf::M44dAttribute*>(&attribute))
    return matrixText(typed->value(), 4);
  if (const auto* typed = dynamic_cast<const Imf::RationalAttribute*>(&attribute))
    return fmt::format("{}/{}", typed->value().n, typed->value().d);
  if (const auto* typed = dynamic_cast<const Imf::TimeCodeAttribute*>(&attribute))
    return fmt::format("{:02}:{:02}:{:02}:{:02}", typed->value().hours(), typed->value().minutes(),
                       typed->value().seconds(), typed->value().frame());
  if (const auto* typed = dynamic_cast<const Imf::ChromaticitiesAttribute*>(&attribute))
    return fmt::format("red {}, green {}, blue {}, white {}", valueText(typed->value().red),
                       valueText(typed->value().green), valueText(typed->value().blue),
                       valueText(typed->value().white));
  if (const auto* typed = dynamic_cast<const Imf::TileDescriptionAttribute*>(&attribute)) {
    const Imf::TileDescription& tiles = typed->value();
    return fmt::format("{} x {}{}", tiles.xSize, tiles.ySize,
                       tiles.mode == Imf::ONE_LEVEL       ? ""
                       : tiles.mode == Imf::MIPMAP_LEVELS ? ", mipmaps"
                                                          : ", ripmaps");
  }
  const std::string text =
      firstOf<Imf::StringAttribute, Imf::IntAttribute, Imf::FloatAttribute, Imf::DoubleAttribute,
              Imf::V2iAttribute, Imf::V2fAttribute, Imf::V2dAttribute, Imf::V3iAttribute, Imf::V3fAttribute,
              Imf::V3dAttribute, Imf::Box2iAttribute, Imf::Box2fAttribute>(attribute);
  return text.empty() ? fmt::format("({})", attribute.typeName()) : text;
}

void addMetadata(const Imf::MultiPartInputFile& file, ImageInfo& info) {
  // Shown elsewhere, or of no interest.
  constexpr std::array<std::string_view, 6> hidden = {"channels",  "name",    "type",
                                                      "lineOrder", "version", "chunkCount"};
  for (int part = 0; part < file.parts(); ++part) {
    const Imf::Header& header = file.header(part);
    const std::string prefix =
        file.parts() > 1 ? (header.hasName() ? header.name() : std::to_string(part)) + ": " : "";
    for (auto it = header.begin(); it != header.end(); ++it)
      if (!contains(hidden, it.name()))
        info.metadata.emplace_back(prefix + it.name(), attributeText(it.attribute()));
  }
}

void addChannels(const Imf::MultiPartInputFile& file, const std::vector<ExrChannel>& channels,
                 ImageInfo& info) {
  for (const ExrChannel& channel : channels) {
    const Imf::Channel& stored = file.header(channel.part).channels()[channel.name];
    const char* type = stored.type == Imf::HALF ? "half" : stored.type == Imf::FLOAT ? "float" : "uint";
    info.channels.push_back(
        {shownName(channel), channel.subsampled ? fmt::format("{}, subsampled", type) : type});
  }
}

void addPlanes(const std::vector<ExrChannel>& channels, const ExrLayers& layers, ImageInfo& info) {
  info.pictures = exrPictures(channels);
  info.colours = exrColours(channels);
  for (const std::string& plane : exrPlanes()) {
    const auto found = findExrPlane(channels, plane, layers);
    if (!found)
      continue;
    if (plane == "output")
      info.bits = found->front().half ? 16 : 32;
    const bool isNamed = layers.contains(plane);
    ImageInfo::Plane& added = info.planes.emplace_back(
        ImageInfo::Plane{plane, {}, exrLayerOf(found->front()), isNamed ? "" : exrReasonOf(plane, *found)});
    for (const ExrChannel& channel : *found)
      added.channels.push_back(shownName(channel));
    if (plane == "motion")
      info.motion = exrMotionConvention(channels, *found);
  }
}

std::string colourText(const Imf::Header& header) {
  constexpr std::pair<const char*, Chromaticities> known[] = {
      {"Rec. 709", rec709WhiteAndPrimaries},
      {"Rec. 2020", rec2020WhiteAndPrimaries},
      {"P3, white D65", {0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060}},
      {"ACEScg (AP1)", {0.32168, 0.33767, 0.713, 0.293, 0.165, 0.830, 0.128, 0.044}},
      {"ACES2065-1 (AP0)", {0.32168, 0.33767, 0.7347, 0.2653, 0.0, 1.0, 0.0001, -0.0770}}};
  const auto found = chromaticitiesOf(header);
  if (!found)
    return "scene-linear, no chromaticities, taken as Rec. 709";
  for (const auto& [name, chromaticities] : known)
    if (close(*found, chromaticities))
      return fmt::format("scene-linear {}", name);
  return "scene-linear, chromaticities below";
}

}  // namespace

void describeExr(const std::string& path, const ReadOptions& options, ImageInfo& info) {
  guarded(path, [&] {
    const Imf::MultiPartInputFile file(soundExr(path), 0);
    const std::vector<ExrChannel> channels = channelsOf(path, file);
    info.extent = extentOf(windowOf(path, file, false));
    info.isFloat = true;
    info.display = extentOf(file.header(0).displayWindow());
    info.pixels = fmt::format("{} channel{} in {} part{}", channels.size(), channels.size() == 1 ? "" : "s",
                              file.parts(), file.parts() == 1 ? "" : "s");
    info.colour = colourText(file.header(0));
    addChannels(file, channels, info);
    addPlanes(channels, options.layers, info);
    addMetadata(file, info);
  });
}

}  // namespace lacuna::io
