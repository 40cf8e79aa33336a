#include "modules/codecs/image_info_json.h"

#include <nlohmann/json.hpp>

#include "modules/codecs/codec.h"

namespace lacuna {

nlohmann::ordered_json asJson(const ImageInfo& info) {
  using Json = nlohmann::ordered_json;
  Json json = {{"format", info.format},
               {"width", info.extent.width},
               {"height", info.extent.height},
               {"pixels", info.pixels},
               {"holds", io::wordOf(io::codecOfWord(info.codec)->holds)},
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
