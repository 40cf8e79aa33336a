#include <ImfBoxAttribute.h>
#include <ImfChannelList.h>
#include <ImfChromaticitiesAttribute.h>
#include <ImfCompressionAttribute.h>
#include <ImfDoubleAttribute.h>
#include <ImfFloatAttribute.h>
#include <ImfHeader.h>
#include <ImfIntAttribute.h>
#include <ImfMatrixAttribute.h>
#include <ImfRationalAttribute.h>
#include <ImfStandardAttributes.h>
#include <ImfStringAttribute.h>
#include <ImfStringVectorAttribute.h>
#include <ImfTileDescriptionAttribute.h>
#include <ImfTimeCodeAttribute.h>
#include <ImfVecAttribute.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "modules/codecs/exr_header.h"
#include "modules/codecs/exr_write.h"
#include "modules/codecs/image_info.h"

namespace lacuna::io {
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
  const std::string text =
      firstOf<Imf::StringAttribute, Imf::IntAttribute, Imf::FloatAttribute, Imf::DoubleAttribute,
              Imf::V2iAttribute, Imf::V2fAttribute, Imf::V2dAttribute, Imf::V3iAttribute, Imf::V3fAttribute,
              Imf::V3dAttribute, Imf::Box2iAttribute, Imf::Box2fAttribute>(attribute);
  return text.empty() ? fmt::format("({})", attribute.typeName()) : text;
}

void addMetadata(const Imf::MultiPartInputFile& file, ImageInfo& info) {
  // Shown elsewhere, or of no interest.
  static const std::set<std::string> hidden = {"channels",  "name",    "type",
                                               "lineOrder", "version", "chunkCount"};
  for (int part = 0; part < file.parts(); ++part) {
    const Imf::Header& header = file.header(part);
    const std::string prefix =
        file.parts() > 1 ? (header.hasName() ? header.name() : std::to_string(part)) + ": " : "";
    for (auto it = header.begin(); it != header.end(); ++it)
      if (!hidden.contains(it.name()))
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

void describeExr(const std::string& path, const ExrLayers& layers, ImageInfo& info) {
  guarded(path, [&] {
    const Imf::MultiPartInputFile file(soundExr(path), 0);
    const std::vector<ExrChannel> channels = channelsOf(path, file);
    info.extent = extentOf(windowOf(path, file, false));
    info.display = extentOf(file.header(0).displayWindow());
    info.pixels = fmt::format("{} channel{} in {} part{}", channels.size(), channels.size() == 1 ? "" : "s",
                              file.parts(), file.parts() == 1 ? "" : "s");
    info.colour = colourText(file.header(0));
    addChannels(file, channels, info);
    addPlanes(channels, layers, info);
    addMetadata(file, info);
  });
}

}  // namespace lacuna::io
