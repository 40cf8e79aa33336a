#include "graph/load/stages.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/load/files.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

// Values that a call sets, still as words.
struct SettledWord {
  std::string parameter, value;
};

void keepWord(void* host, const char* parameter, const char* value) {
  static_cast<std::vector<SettledWord>*>(host)->push_back({parameter, value});
}

// Names of the connectors of a module that the graph uses: a source's outputs, a sink's inputs.
std::vector<std::string> connectedNames(const ModuleInstance& module) {
  std::vector<std::string> names = module.connectedOutputs;
  for (const auto& [name, connection] : module.inputs) {
    names.push_back(name);
  }
  return names;
}

void apply(ModuleInstance& module, const SettledWord& word, Diagnostics& diagnostics) {
  const auto found = std::ranges::find_if(module.parameters, [&](const Parameter& parameter) {
    return parameter.description->name == word.parameter && parameter.description->structural;
  });
  Diagnostics wrong;
  ParameterValues values;
  if (found != module.parameters.end()) {
    values = convertValues(*found->description, {word.parameter, {}}, {{word.value, {}}}, wrong);
  }
  if (values.empty()) {
    diagnostics.error(
        module.where,
        fmt::format("{}: settle() of {} sets '{}' to '{}', which is not a value of a structural "
                    "parameter",
                    module.name(), module.native->file(), word.parameter, word.value));
    return;
  }
  found->values = std::move(values);
}

// False if the module has an error, which was reported.
bool settleOne(const ModuleGraph& graph, ModuleInstance& module, Diagnostics& diagnostics) {
  const std::vector<std::string> connected = connectedNames(module);
  std::vector<const char*> names;
  for (const std::string& name : connected) {
    names.push_back(name.c_str());
  }
  std::vector<SettledWord> words;
  const lacuna_settings settings{sizeof(lacuna_settings), &words, keepWord};
  const NativeCode& code = *module.native;
  try {
    NativeCall call(callContext(graph, module, graph.firstFrame));
    const bool done = call.run(code.file(), "settle", code.table().settle, names.data(),
                               static_cast<uint32_t>(names.size()), &settings);
    passOn(call, module, diagnostics, hintForMissing(module, graph.folder));
    for (const SettledWord& word : words) {
      apply(module, word, diagnostics);
    }
    return done;
  } catch (const FileError& error) {
    diagnostics.error(filenameLocation(module), error.what());
    return false;
  }
}

bool canSettle(const ModuleInstance& module) {
  return module.native != nullptr && module.native->table().settle != nullptr;
}

}  // namespace

SettledGraph settle(FramedGraph graph, Diagnostics& diagnostics) {
  SettledGraph settled{std::move(graph)};
  for (ModuleInstance& module : settled.modules) {
    if (canSettle(module) && module.description->isSource() && !settled.isMissing(module) &&
        (!hasFileName(module, diagnostics) || !settleOne(settled, module, diagnostics))) {
      settled.wrong.insert(module.name());
    }
  }
  // A sink's call may read the file of its source, whose errors were already reported.
  for (ModuleInstance& module : settled.modules) {
    if (settled.wrong.empty() && canSettle(module) && module.description->isSink() &&
        !filePattern(module).empty()) {
      settleOne(settled, module, diagnostics);
    }
  }
  return settled;
}

}  // namespace lacuna
