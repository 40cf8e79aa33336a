#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "graph/config/json_text.h"
#include "graph/files/standard_streams.h"
#include "modules/codecs/image_info.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/inputs.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// Files may hold anything, so characters that a terminal can't show are not printed, and lines stay below
// their label.
void printField(const char* label, const std::string& text) {
  constexpr std::string_view margin = "               ";
  std::string shown;
  for (const char letter : terminalText(text)) {
    shown += letter;
    shown += letter == '\n' ? margin : "";
  }
  fmt::print("  {:<12} {}\n", label, shown);
}

// The name of a channel's layer, for a list that people read: "albedo.R" is of "albedo".
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
  constexpr size_t shown = 8;  // the most channels of a layer that are listed: histograms have dozens
  for (auto& [layer, channels] : layers) {
    const size_t count = channels.size();
    if (count > shown) {
      channels.resize(shown);
      channels.push_back(fmt::format("and {} more", count - shown));
    }
    printField(&layer == &layers.front().first ? "channels" : "",
               fmt::format("{}{} ({})", layer.empty() ? layer : layer + ": ", fmt::join(channels, " "),
                           fmt::join(types[layer], ", ")));
  }
}

// The meaning of a plane's channels, if their names don't show it.
std::string meaningOf(const std::string& plane, const ImageInfo& info) {
  if (plane == "motion")
    return fmt::format(", read as '{}'", nameOf(*info.motion));
  if (plane == "histogram")
    return info.histogramBins() > 0 ? fmt::format(": ray histograms, {} bins a colour", info.histogramBins())
                                    : ": not 3 x bins + 1 channels, as ray histograms have";
  return {};
}

// Channels from which no plane is read.
std::string otherLayers(const ImageInfo& info) {
  const auto shownName = [](const std::string& channel) {
    const std::string layer = layerOf(channel);
    return layer.empty() ? channel : layer;
  };
  std::set<std::string> read;
  for (const ImageInfo::Plane& plane : info.planes)
    for (const std::string& channel : plane.channels)
      read.insert(shownName(channel));
  std::vector<std::string> others;
  for (const ImageInfo::Channel& channel : info.channels)
    if (read.insert(shownName(channel.name)).second)
      others.push_back(shownName(channel.name));
  return fmt::format("{}", fmt::join(others, ", "));
}

void print(const ImageInfo& info) {
  printField("format",
             fmt::format("{}, {} x {}, {}", info.format, info.extent.width, info.extent.height, info.pixels));
  printField("colour", info.colour);
  printChannels(info);
  bool isFirst = true;
  for (const ImageInfo::Plane& plane : info.planes) {
    std::vector<std::string> channels = plane.channels;
    constexpr size_t shown = 4;
    if (channels.size() > shown)
      channels = {channels.front(), "...", channels.back()};
    printField(isFirst ? "i-exr reads" : "",
               fmt::format("{}: {}{}{}", plane.name, fmt::join(channels, " "),
                           plane.reason.empty() ? "" : fmt::format(" ({})", plane.reason),
                           meaningOf(plane.name, info)));
    isFirst = false;
  }
  if (const std::string others = otherLayers(info); !others.empty())
    printField("only kept", others);
  isFirst = true;
  for (const auto& [name, value] : info.metadata) {
    printField(isFirst ? "metadata" : "", fmt::format("{}: {}", name, value));
    isFirst = false;
  }
}

// Files that users may confuse with images: their kind, and the command for it. Empty if we know nothing.
std::string otherKind(const std::string& file) {
  std::ifstream stream(file, std::ios::binary);
  std::string start(4096, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<size_t>(stream.gcount()));
  if (start.starts_with("lacuna:") || start.find("\nlacuna:") != std::string::npos)
    return fmt::format("a graph; `lacuna check {0}` reports its mistakes, `lacuna graph {0}` draws it", file);
  if (start.size() > 8 && start.compare(3, 6, std::string(5, '\0') + "{") == 0)
    return fmt::format("weights; `lacuna denoise --weights {}` takes them", file);
  if (start.starts_with("\xd7\x41\x02"))
    return fmt::format("weights of Open Image Denoise; `lacuna denoise --weights {}` takes them", file);
  if (start.find("[[connector]]") != std::string::npos)
    return "the description of a module; `lacuna describe MODULE` lists its parameters";
  return {};
}

ImageInfo infoOf(const std::string& file, int page) {
  try {
    return imageInfo(file == standardStream ? standardInputFile() : file, {.page = page});
  } catch (const FileError&) {
    if (const std::string kind = isImageFile(file) ? "" : otherKind(file); !kind.empty())
      throw FileError(fmt::format("{}: this is not an image but {}", file, kind));
    throw;
  }
}

bool isLike(const ImageInfo& a, const ImageInfo& b) {
  const auto namesOf = [](const ImageInfo& info) {
    std::set<std::string> names;
    for (const ImageInfo::Channel& channel : info.channels)
      names.insert(channel.name + ":" + channel.type);
    return names;
  };
  return a.format == b.format && a.extent == b.extent && a.pixels == b.pixels && a.colour == b.colour &&
         namesOf(a) == namesOf(b);
}

// Properties of a sequence's files, beside those of the first one.
struct SequenceFiles {
  FrameSet all, missing, different;  // different: in size, channels or colour from the first file
};

SequenceFiles framesOf(const DenoiseInput& input, const ImageInfo& first, int page) {
  SequenceFiles frames;
  for (const int number : input.numbers) {
    frames.all.add(number);
    if (number != input.numbers.front() && !isLike(infoOf(input.fileOf(number), page), first))
      frames.different.add(number);
  }
  frames.missing = FrameSet::range(input.numbers.front(), input.numbers.back()).without(frames.all);
  return frames;
}

void print(const DenoiseInput& input, const SequenceFiles& frames) {
  const auto nameOf = [&](int number) { return input.fileOf(number); };
  printField("files", fmt::format("{}: {}", frames.all.size(), listFrames(frames.all, nameOf)));
  if (!frames.missing.empty())
    printField("missing", listFrames(frames.missing, nameOf));
  if (!frames.different.empty())
    printField("differ",
               "from the first, in size, channels or colour: " + listFrames(frames.different, nameOf));
}

void addJson(const SequenceFiles& frames, Json& json) {
  json["frames"] = std::vector<int>(frames.all.begin(), frames.all.end());
  json["missing"] = std::vector<int>(frames.missing.begin(), frames.missing.end());
  json["different"] = std::vector<int>(frames.different.begin(), frames.different.end());
}

void describe(const DenoiseInput& input, int page, Json* all) {
  const ImageInfo info = infoOf(input.isSequence() ? input.fileOf(input.numbers.front()) : input.file, page);
  const auto frames = input.isSequence() ? std::optional(framesOf(input, info, page)) : std::nullopt;
  if (all != nullptr) {
    all->push_back({{"file", input.file}});
    all->back().update(asJson(info));
    if (frames)
      addJson(*frames, all->back());
    return;
  }
  fmt::print("{}\n", terminalText(input.file == standardStream ? "standard input" : input.file));
  if (frames)
    print(input, *frames);
  print(info);
}

}  // namespace

int runInfo(const InfoArguments& arguments) {
  Json all = Json::array();
  int code = exitOk;
  const auto fail = [&](const std::string& file, const std::string& text) {
    printError(text);
    if (arguments.json)
      all.push_back({{"file", file}, {"error", text}});
    code = exitUsage;
  };
  for (const std::string& word : arguments.files) {
    InputMessages messages;
    const std::vector<DenoiseInput> inputs = namedInputs({word}, messages);
    for (const Diagnostic& each : messages.problems.sorted())
      each.isWarning ? printWarning(each.message) : fail(word, each.message);
    for (const DenoiseInput& input : inputs) {
      try {
        describe(input, arguments.page, arguments.json ? &all : nullptr);
      } catch (const FileError& error) {
        fail(input.file, error.what());
      }
    }
  }
  if (arguments.json)
    fmt::print("{}\n", jsonText(all, 2));
  return code;
}

}  // namespace lacuna
