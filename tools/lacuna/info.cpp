#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "modules/codecs/image_info.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/shell/messages.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

Json asJson(const std::string& file, const ImageInfo& info) {
  Json json = {{"file", file},
               {"format", info.format},
               {"width", info.extent.width},
               {"height", info.extent.height},
               {"pixels", info.pixels},
               {"colour", info.colour}};
  json["channels"] = Json::array();
  for (const ImageInfo::Channel& channel : info.channels)
    json["channels"].push_back({{"name", channel.name}, {"type", channel.type}});
  json["planes"] = Json::object();
  for (const ImageInfo::Plane& plane : info.planes)
    json["planes"][plane.name] = plane.channels;
  if (info.motion)
    json["motion"] = nameOf(*info.motion);
  if (info.histogramBins() > 0)
    json["histogramBins"] = info.histogramBins();
  json["metadata"] = Json::array();
  for (const auto& [name, value] : info.metadata)
    json["metadata"].push_back({{"name", name}, {"value", value}});
  return json;
}

// What a channel's layer is called, for a list that people read: "albedo.R" is of "albedo".
std::string layerOf(const std::string& channel) {
  const size_t dot = channel.rfind('.');
  return dot == std::string::npos ? "" : channel.substr(0, dot);
}

void printChannels(const ImageInfo& info) {
  std::vector<std::pair<std::string, std::vector<std::string>>> layers;
  std::map<std::string, std::set<std::string>> types;
  for (const ImageInfo::Channel& channel : info.channels) {
    const std::string layer = layerOf(channel.name);
    if (layers.empty() || layers.back().first != layer)
      layers.emplace_back(layer, std::vector<std::string>());
    const size_t skipped = layer.empty() ? 0 : layer.size() + 1;
    layers.back().second.push_back(channel.name.substr(skipped));
    types[layer].insert(channel.type);
  }
  constexpr size_t shown = 8;  // of a layer's channels: histograms have dozens
  for (auto& [layer, channels] : layers) {
    const size_t count = channels.size();
    if (count > shown) {
      channels.resize(shown);
      channels.push_back(fmt::format("and {} more", count - shown));
    }
    fmt::print("  {:<12} {}{} ({})\n", &layer == &layers.front().first ? "channels" : "",
               layer.empty() ? layer : layer + ": ", fmt::join(channels, " "), fmt::join(types[layer], ", "));
  }
}

// What a plane's channels mean, where their names don't say it.
std::string meaningOf(const std::string& plane, const ImageInfo& info) {
  if (plane == "motion")
    return fmt::format(", as '{}'", nameOf(*info.motion));
  if (plane == "histogram")
    return info.histogramBins() > 0 ? fmt::format(": ray histograms, {} bins a colour", info.histogramBins())
                                    : ": not 3 x bins + 1 channels, as ray histograms have";
  return {};
}

void print(const std::string& file, const ImageInfo& info) {
  fmt::print("{}\n  {:<12} {}, {} x {}, {}\n  {:<12} {}\n", file, "format", info.format, info.extent.width,
             info.extent.height, info.pixels, "colour", info.colour);
  printChannels(info);
  bool isFirst = true;
  for (const ImageInfo::Plane& plane : info.planes) {
    std::vector<std::string> channels = plane.channels;
    constexpr size_t shown = 4;
    if (channels.size() > shown)
      channels = {channels.front(), "...", channels.back()};
    fmt::print("  {:<12} {}: {}{}\n", isFirst ? "i-exr reads" : "", plane.name, fmt::join(channels, " "),
               meaningOf(plane.name, info));
    isFirst = false;
  }
  isFirst = true;
  for (const auto& [name, value] : info.metadata) {
    fmt::print("  {:<12} {}: {}\n", isFirst ? "metadata" : "", name, value);
    isFirst = false;
  }
}

}  // namespace

int runInfo(const InfoArguments& arguments) {
  Json all = Json::array();
  int code = exitOk;
  for (const std::string& file : arguments.files) {
    try {
      const ImageInfo info = imageInfo(file);
      if (arguments.json)
        all.push_back(asJson(file, info));
      else
        print(file, info);
    } catch (const FileError& error) {
      printError(error.what());
      if (arguments.json)
        all.push_back({{"file", file}, {"error", error.what()}});
      code = exitUsage;
    }
  }
  if (arguments.json)
    fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
  return code;
}

}  // namespace lacuna
