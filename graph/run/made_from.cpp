#include "graph/run/made_from.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "graph/config/json_text.h"
#include "graph/files/part_file.h"
#include "graph/files/standard_streams.h"
#include "graph/load/file_numbers.h"
#include "graph/nodes/module_file.h"
#include "graph/run/digest.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string recordOf(const std::string& output) {
  const fs::path path = output;
  return besideName((path.parent_path() / ".lacuna" / path.filename()).string(), ".json");
}

Json asJson(const MadeFrom& record) {
  Json stills = Json::array();
  for (const MadeFrom::Still& still : record.stills) {
    stills.push_back(
        {{"path", still.path}, {"stamp", asHex(still.stamp)}, {"content", asHex(still.content)}});
  }
  return {{"lacuna", 1},
          {"settings", asHex(record.settings)},
          {"bytes", record.bytes},
          {"history", record.history ? Json(*record.history) : Json("all")},
          {"cutsAtGaps", record.cutsAtGaps},
          {"stamp", asHex(record.stamp)},
          {"content", asHex(record.content)},
          {"all", asHex(record.all)},
          {"stills", stills}};
}

uint64_t digestAt(const Json& json, const char* key) {
  return fromHex(json.at(key).get<std::string>()).value();
}

// Throws the library's exceptions for damaged files.
MadeFrom recordFrom(const Json& json) {
  MadeFrom record;
  record.settings = json.at("lacuna") == 1 ? digestAt(json, "settings") : 0;
  record.bytes = json.at("bytes");
  record.history = json.at("history") == "all" ? std::nullopt : std::optional<int>(json.at("history"));
  record.cutsAtGaps = json.at("cutsAtGaps");
  record.stamp = digestAt(json, "stamp");
  record.content = digestAt(json, "content");
  record.all = digestAt(json, "all");
  for (const Json& still : json.at("stills")) {
    record.stills.push_back({still.at("path"), digestAt(still, "stamp"), digestAt(still, "content")});
  }
  return record;
}

std::string words(const ParameterValues& values) {
  std::string text;
  for (const ParameterValue& value : values) {
    text += std::visit([](const auto& v) { return fmt::format("{}\n", v); }, value);
  }
  return text;
}

bool isFileName(const Parameter& parameter) {
  return parameter.description->isFile || parameter.description->name == "filename";
}

std::string settingsOf(const ModuleGraph& graph, const ModuleInstance& module) {
  std::string text = module.name() + "\n";
  for (const Parameter& parameter : module.parameters) {
    if (!parameter.keyframes.empty()) {
      text += parameter.description->name + " by keyframes\n";
    } else if (parameter.isSet && !isFileName(parameter)) {
      text += fmt::format("{}: {}", parameter.description->name, words(parameter.values));
    }
  }
  for (const auto& [connector, from] : module.inputs) {
    text += fmt::format("{} <- {}.{}{}\n", connector, graph.modules[from.producer].name(), from.connector,
                        from.feedback ? " of the frame before" : "");
  }
  return text;
}

// Digest of the file with the user's names for layers of OpenEXR files, by which modules find planes.
uint64_t layersDigest() {
  const char* file = std::getenv("LACUNA_LAYERS");
  return file != nullptr && *file != 0 ? contentDigest(file) : 0;
}

// The module's own folder, and what the modules beside it share.
std::vector<fs::path> foldersOf(const ModuleDescription& module) {
  const fs::path own = module.folder;
  return {own, own.parent_path() / "shared"};
}

std::string numberedFile(const ModuleInstance& source, const std::string& folder, int frame) {
  return fileOf(source, folder, source.there.lastUpTo(frame).value_or(frame));
}

bool isStillSource(const ModuleInstance& module) {
  return !module.description->isSink() && !filePattern(module).empty() && !isNumberedSource(module);
}

}  // namespace

std::optional<MadeFrom> readRecord(const std::string& output) {
  std::error_code missing;
  if (!fs::is_regular_file(recordOf(output), missing)) {
    return std::nullopt;
  }
  try {
    std::ifstream in(recordOf(output));
    return recordFrom(readOrderedJson(std::string{std::istreambuf_iterator<char>(in), {}}));
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

void writeRecord(const std::string& output, const MadeFrom& record) {
  PartFile part(recordOf(output));
  std::ofstream out(part.name());
  out << jsonText(asJson(record)) << "\n";
  out.close();
  if (!out) {
    throw FileError(fmt::format("{}: can't be written", recordOf(output)));
  }
  part.place();
}

void removeRecord(const std::string& output) {
  std::error_code missing;
  fs::remove(recordOf(output), missing);
}

uint64_t settingsDigest(const ModuleGraph& graph) {
  uint64_t digest = digestOf(programDigest(), digestOf(fmt::format("{}", graph.framesPerSecond)));
  digest = digestOf(digest, layersDigest());
  std::set<fs::path> folders;
  for (const ModuleInstance& module : graph.modules) {
    digest = digestOf(digest, digestOf(settingsOf(graph, module)));
    if (module.native != nullptr) {
      digest = digestOf(digest, contentDigest(module.native->file()));
    }
    for (const fs::path& folder : foldersOf(*module.description)) {
      if (folders.insert(folder).second) {
        digest = digestOf(digest, folderDigest(folder));
      }
    }
  }
  return digest;
}

std::optional<std::vector<MadeFrom::Still>> stillFiles(const ModuleGraph& graph) {
  std::vector<MadeFrom::Still> stills;
  const auto add = [&](const std::string& file) {
    stills.push_back({file, stampDigest(file), contentDigest(file)});
  };
  for (const ModuleInstance& module : graph.modules) {
    if (isStillSource(module) && filePattern(module) == standardStream) {
      return std::nullopt;
    }
    if (isStillSource(module)) {
      add(fileOf(module, graph.folder, 0));
    }
    for (const std::string& file : filesBeside(module, graph.folder)) {
      add(file);
    }
  }
  return stills;
}

uint64_t FrameInputs::keyed(int frame) const {
  // A picture of a list stays the same if its place in the list changes.
  const bool isListed = std::ranges::any_of(
      graph_.modules, [](const ModuleInstance& module) { return !module.frameFiles.empty(); });
  uint64_t digest = digestOf(fmt::format("{}", isListed ? 0 : int64_t{frame} + graph_.firstNumber));
  for (const ModuleInstance& module : graph_.modules) {
    for (const Parameter& parameter : module.parameters) {
      if (!parameter.keyframes.empty()) {
        digest = digestOf(digest, digestOf(words(valuesAt(parameter, frame))));
      }
    }
  }
  return digest;
}

uint64_t FrameInputs::stamp(int frame) const {
  uint64_t digest = keyed(frame);
  for (const ModuleInstance& module : graph_.modules) {
    if (isNumberedSource(module)) {
      digest = digestOf(digest, stampDigest(numberedFile(module, graph_.folder, frame)));
    }
  }
  return digest;
}

uint64_t FrameInputs::content(int frame) const {
  uint64_t digest = keyed(frame);
  for (const ModuleInstance& module : graph_.modules) {
    if (isNumberedSource(module)) {
      const uint64_t file = contentDigest(numberedFile(module, graph_.folder, frame));
      if (file == 0) {
        return 0;
      }
      digest = digestOf(digest, file);
    }
  }
  return digest;
}

}  // namespace lacuna
