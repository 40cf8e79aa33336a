#include "modules/codecs/image_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "graph/lists.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/icc.h"

namespace lacuna {
namespace {

// Of floats in a format that states their colours.
std::string linearText(ColourTag tag, const io::Metadata& metadata) {
  const std::string name =
      metadata.stored && !metadata.stored->profile.empty() ? io::profileName(metadata.stored->profile) : "";
  return fmt::format("{}{}, read as linear light, {}",
                     name.empty() ? "" : fmt::format("profile '{}', ", name),
                     metadata.curve.empty() ? "scene-linear" : metadata.curve,
                     tag == ColourTag::own       ? "primaries of its own, which are kept"
                     : tag == ColourTag::rec2020 ? "Rec. 2020"
                                                 : "Rec. 709");
}

std::string colourText(const io::Codec& codec, ColourTag tag, const io::ColourDescription& description) {
  if (tag == ColourTag::data)
    return "numbers";
  if (codec.holds == io::Holds::floats)
    return "linear, taken as Rec. 709";
  if (!description.codePoints.empty())
    return io::cicpName(description.codePoints) + ", kept unchanged";
  const std::string name = description.profile.empty() ? "" : io::profileName(description.profile);
  const std::string profile = name.empty() ? "" : fmt::format("profile '{}', ", name);
  if (tag == ColourTag::rec2020)
    return profile + "read as Rec. 2020";
  if (tag == ColourTag::own && !description.profile.empty())
    return profile + "kept unchanged";
  if (tag == ColourTag::own && description.whiteAndPrimaries == io::adobeRgbWhiteAndPrimaries)
    return "Adobe RGB, kept unchanged";
  if (tag == ColourTag::own && description.whiteAndPrimaries)
    return (description.gamma ? fmt::format("gamma {:.2f}, ", *description.gamma) : "") +
           std::string("primaries of its own, which are kept");
  return profile +
         (profile.empty() && description.gamma ? fmt::format("gamma {:.2f}", *description.gamma) : "sRGB");
}

void addMetadata(const io::Metadata& metadata, ImageInfo& info) {
  info.metadata = io::exifEntries(metadata.exif);
  for (const std::string& comment : metadata.comments)
    info.metadata.emplace_back("comment", comment);
  for (const io::PngChunk& chunk : metadata.pngChunks)
    if (chunk.name == "tEXt") {
      const std::string text(reinterpret_cast<const char*>(chunk.data.data()), chunk.data.size());
      const size_t end = std::min(text.find('\0'), text.size() - 1);
      info.metadata.emplace_back(text.substr(0, end), text.substr(end + 1));
    }
  if (!metadata.xmp.empty())
    info.metadata.emplace_back("XMP", fmt::format("{} bytes", metadata.xmp.size()));
  constexpr const char* units[] = {" (shape of a pixel)", " pixels an inch", " pixels a centimetre",
                                   " pixels a metre"};
  if (const auto& density = metadata.density)
    info.metadata.emplace_back("density", fmt::format("{} x {}{}", density->x, density->y,
                                                      units[static_cast<size_t>(density->unit)]));
}

// Describes files of formats with one image.
void describeOne(const std::string& path, const io::Codec& codec, ReadOptions options, ImageInfo& info) {
  options.own = true;
  const ValueType type = probeImage(info.codec, path, {}, options).begin()->second;
  const io::StoredKind kind = codec.kind(path, "output", options);
  info.extent = type.extent;
  info.bits = kind.bits;
  info.isFloat = kind.isFloat;
  info.pixels = fmt::format("{}{}, {}", kind.grey ? "grey" : "rgb", kind.alpha ? " with alpha" : "",
                            !kind.isFloat     ? fmt::format("{} bit", kind.bits)
                            : kind.bits == 16 ? "half"
                                              : "float");
  const io::Metadata metadata = codec.metadata != nullptr ? codec.metadata(path, options) : io::Metadata();
  info.colour =
      metadata.stored ? linearText(type.colour, metadata) : colourText(codec, type.colour, metadata.colour);
  addMetadata(metadata, info);
}

}  // namespace

const ImageInfo::Plane* ImageInfo::find(const std::string& plane) const {
  return findNamed(planes, plane);
}

int ImageInfo::histogramBins() const {
  const Plane* histogram = find("histogram");
  return histogram && histogram->channels.size() % 3 == 1 ? static_cast<int>(histogram->channels.size() / 3)
                                                          : 0;
}

ImageInfo imageInfo(const std::string& path, const ReadOptions& options) {
  ImageInfo info;
  const io::Codec& codec = io::codecOfContent(path);
  info.codec = codec.name;
  info.format = codec.label;
  if (codec.describe)
    codec.describe(path, options, info);
  else
    describeOne(path, codec, options, info);
  return info;
}

nlohmann::ordered_json asJson(const ImageInfo& info) {
  using Json = nlohmann::ordered_json;
  Json json = {{"format", info.format},
               {"width", info.extent.width},
               {"height", info.extent.height},
               {"pixels", info.pixels},
               {"holds", io::wordOf(io::codecOfWord(info.codec)->holdsIn(info.isFloat))},
               {"bits", info.bits},
               {"colour", info.colour}};
  json["channels"] = Json::array();
  for (const ImageInfo::Channel& channel : info.channels)
    json["channels"].push_back({{"name", channel.name}, {"type", channel.type}});
  json["planes"] = Json::object();
  json["reasons"] = Json::object();
  for (const ImageInfo::Plane& plane : info.planes) {
    json["planes"][plane.name] = plane.channels;
    if (!plane.reason.empty())
      json["reasons"][plane.name] = plane.reason;
  }
  if (info.motion)
    json["motion"] = nameOf(*info.motion);
  if (info.histogramBins() > 0)
    json["histogramBins"] = info.histogramBins();
  json["metadata"] = Json::array();
  for (const auto& [name, value] : info.metadata)
    json["metadata"].push_back({{"name", name}, {"value", value}});
  return json;
}

}  // namespace lacuna
