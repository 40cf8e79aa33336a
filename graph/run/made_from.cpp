#include "graph/run/made_from.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/config/text.h"
#include "graph/files/part_file.h"
#include "graph/files/standard_streams.h"
#include "graph/load/file_numbers.h"
#include "graph/nodes/module_file.h"
#include "graph/run/digest.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int recordVersion = 2;
constexpr size_t mostRecordBytes = size_t{1} << 20U;

Json asJson(const MadeFrom::Still& still) {
  return {{"path", still.path}, {"stamp", asHex(still.stamp)}, {"content", asHex(still.content)}};
}

Json asJson(const std::vector<MadeFrom::Still>& stills) {
  Json list = Json::array();
  for (const MadeFrom::Still& still : stills)
    list.push_back(asJson(still));
  return list;
}

Json asJson(const MadeFrom& record) {
  return {
      {"lacuna", recordVersion},          {"settings", asHex(record.settings)},
      {"output", asJson(record.output)},  {"history", record.history ? Json(*record.history) : Json("all")},
      {"cutsAtGaps", record.cutsAtGaps},  {"stamp", asHex(record.stamp)},
      {"content", asHex(record.content)}, {"all", asHex(record.all)},
      {"stills", asJson(record.stills)},  {"beside", asJson(record.beside)}};
}

uint64_t digestAt(const Json& json, const char* key) {
  return fromHex(json.at(key).get<std::string>()).value();
}

MadeFrom::Still stillFrom(const Json& json) {
  return {json.at("path"), digestAt(json, "stamp"), digestAt(json, "content")};
}

std::vector<MadeFrom::Still> stillsAt(const Json& json, const char* key) {
  std::vector<MadeFrom::Still> stills;
  for (const Json& still : json.at(key))
    stills.push_back(stillFrom(still));
  return stills;
}

// Throws the library's exceptions for damaged files.
MadeFrom recordFrom(const Json& json) {
  MadeFrom record;
  record.settings = digestAt(json, "settings");
  record.output = stillFrom(json.at("output"));
  record.history = json.at("history") == "all" ? std::nullopt : std::optional<int>(json.at("history"));
  record.cutsAtGaps = json.at("cutsAtGaps");
  record.stamp = digestAt(json, "stamp");
  record.content = digestAt(json, "content");
  record.all = digestAt(json, "all");
  record.stills = stillsAt(json, "stills");
  record.beside = stillsAt(json, "beside");
  return record;
}

std::string numberedFile(const ModuleInstance& source, const std::string& folder, int frame) {
  return fileOf(source, folder, source.there.lastUpTo(frame).value_or(frame));
}

bool isStillSource(const ModuleInstance& module) {
  return !module.description->isSink() && !filePattern(module).empty() && !isNumberedSource(module);
}

MadeFrom::Still stamped(const std::string& file) {
  return {file, stampDigest(file), 0};
}

}  // namespace

FoundRecord readRecord(const std::string& output) {
  std::error_code missing;
  const std::string name = recordName(output);
  if (!fs::exists(name, missing))
    return {};
  const FileText file = readTextFile(name, mostRecordBytes);
  if (!file.error.empty())
    return {{}, false, fmt::format("{}: {}", name, file.error)};
  try {
    const Json json = readOrderedJson(file.text);
    const bool isOlder = json.at("lacuna") != recordVersion;
    return isOlder ? FoundRecord{{}, true, {}} : FoundRecord{recordFrom(json), false, {}};
  } catch (const std::exception&) {
    return {{}, false, fmt::format("{}: damaged", name)};
  }
}

void writeRecord(const std::string& output, const MadeFrom& record) {
  const std::string text = jsonText(asJson(record)) + "\n";
  if (text.size() > mostRecordBytes) {
    throw FileError(fmt::format("{}: {} files are too many for a record", recordName(output),
                                record.stills.size() + record.beside.size()));
  }
  PartFile part(recordName(output));
  std::ofstream out(part.name());
  out << text;
  out.close();
  if (!out)
    throw FileError(fmt::format("{}: can't be written", recordName(output)));
  part.placeUnsafe();
}

std::optional<std::vector<MadeFrom::Still>> namedStills(const ModuleGraph& graph) {
  std::vector<MadeFrom::Still> stills;
  for (const ModuleInstance& module : graph.modules) {
    if (isStillSource(module) && filePattern(module) == standardStream)
      return std::nullopt;
    if (isStillSource(module))
      stills.push_back(stamped(fileOf(module, graph.folder, 0)));
    for (const std::string& file : namedFiles(module, graph.folder))
      stills.push_back(stamped(file));
  }
  return stills;
}

std::vector<MadeFrom::Still> stillsBeside(const ModuleGraph& graph) {
  std::vector<MadeFrom::Still> stills;
  for (const ModuleInstance& module : graph.modules)
    for (const std::string& file : module.alsoRead)
      stills.push_back(stamped(file));
  return stills;
}

uint64_t FrameInputs::keyed(int frame) const {
  // A picture of a list stays the same if its place in the list changes.
  const bool isListed = std::ranges::any_of(
      graph_.modules, [](const ModuleInstance& module) { return !module.frameFiles.empty(); });
  uint64_t digest = digestOf(fmt::format("{}", isListed ? 0 : int64_t{frame} + graph_.firstNumber));
  for (const ModuleInstance& module : graph_.modules) {
    for (const Parameter& parameter : module.parameters)
      if (!parameter.keyframes.empty())
        digest = digestOf(digest, digestOf(wordsOf(valuesAt(parameter, frame))));
  }
  return digest;
}

uint64_t FrameInputs::digest(int frame, const Digest& ofFile) const {
  uint64_t digest = keyed(frame);
  for (const ModuleInstance& module : graph_.modules) {
    if (isNumberedSource(module)) {
      const uint64_t file = ofFile(numberedFile(module, graph_.folder, frame));
      if (file == 0)
        return 0;
      digest = digestOf(digest, file);
    }
  }
  return digest;
}

uint64_t FrameInputs::stamp(int frame) const {
  return digest(frame, [](const std::string& file) { return stampDigest(file); });
}

uint64_t FrameInputs::content(int frame) const {
  return digest(frame, [](const std::string& file) { return contentDigest(file); });
}

uint64_t FrameInputs::stamp(int frame, HeldFiles& held) const {
  return digest(frame, [&](const std::string& file) {
    const auto open = held.open(file);
    return open == nullptr ? 0 : stampDigest(open->opened());
  });
}

uint64_t FrameInputs::content(int frame, HeldFiles& held) const {
  return digest(frame, [&](const std::string& file) {
    const auto open = held.open(file);
    return open == nullptr ? 0 : contentDigest(open->name());
  });
}

}  // namespace lacuna
