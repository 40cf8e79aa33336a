#include "graph/nodes/build_native.h"

#include <fmt/format.h>

#include <filesystem>

#include "graph/files/file_name.h"
#include "graph/files/standard_streams.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

Location blamed(const ModuleInstance& module, const std::string& parameter) {
  if (module.description->parameter(parameter) == nullptr)
    return module.where;
  const Location where = module.parameter(parameter).where;
  return where.file < 0 ? module.where : where;
}

}  // namespace

ModuleGraph loadNative(ModuleGraph graph, Diagnostics& diagnostics) {
  std::map<const ModuleDescription*, std::shared_ptr<const NativeCode>> loaded;  // null: it failed
  for (ModuleInstance& module : graph.modules) {
    const ModuleDescription* description = module.description.get();
    if (!needsNativeCode(*description))
      continue;
    const auto [code, isNew] = loaded.emplace(description, nullptr);
    if (isNew) {
      try {
        code->second = std::make_shared<const NativeCode>(*description);
        for (const NativeReport& warning : code->second->warnings())
          diagnostics.warn(module.where, warning.text);
      } catch (const NativeCodeError& error) {
        diagnostics.error(module.where, error.what(),
                          fmt::format("module '{}' needs native code", description->name));
      }
    }
    module.native = code->second;
  }
  return graph;
}

namespace {

// Files that options name start in the current folder, not in the graph's.
ParameterValues fromCurrentFolder(const Parameter& parameter, ParameterValues values) {
  if (!parameter.fromOption || !parameter.description->isFile)
    return values;
  for (ParameterValue& value : values)
    if (auto* name = std::get_if<std::string>(&value); name != nullptr && !name->empty())
      value = std::filesystem::absolute(*name).string();
  return values;
}

CallContext ownContext(const ModuleInstance& module, const std::string& graphFolder, int frame,
                       HeldFiles* held) {
  CallContext context;
  context.instance = module.name();
  context.moduleFolder = module.description->folder;
  context.graphFolder = graphFolder;
  const int shown = module.holdsLast ? module.there.lastUpTo(frame).value_or(frame) : frame;
  context.path = fileOf(module, graphFolder, shown);
  if (context.path == standardStream && module.description->isSource()) {
    context.path = standardInputFile();
    context.shownPath = "standard input";
  } else if (held != nullptr && module.description->isSource() && !context.path.empty()) {
    const auto file = held->open(context.path);
    context.opened = file == nullptr ? "" : file->name();
  }
  context.frame = frame;
  for (const Parameter& parameter : module.parameters) {
    context.parameters.push_back(
        {parameter.description, fromCurrentFolder(parameter, valuesAt(parameter, frame)), parameter.isSet});
  }
  return context;
}

}  // namespace

CallContext callContext(const ModuleGraph& graph, const ModuleInstance& module, int frame, HeldFiles* held) {
  CallContext context = ownContext(module, graph.folder, frame, held);
  context.whole = graph.whole.value_or(Extent());
  if (module.description->isSink() || module.description->readsOrigin) {
    if (const auto origin = originOf(graph, module)) {
      context.origin = std::make_shared<CallContext>(ownContext(*origin->source, graph.folder, frame, held));
      context.originOutput = origin->output;
    }
  }
  return context;
}

void passOn(const NativeCall& call, const ModuleInstance& module, Diagnostics& diagnostics,
            const std::string& hint) {
  for (const NativeReport& error : call.errors())
    diagnostics.error(blamed(module, error.parameter), error.text, hint);
  for (const NativeReport& warning : call.warnings())
    diagnostics.warn(blamed(module, warning.parameter), warning.text);
}

std::string hintForMissing(const ModuleInstance& module, const std::string& graphFolder) {
  std::error_code ignored;
  const std::string pattern = filePattern(module);
  if (pattern.empty() || !module.frameFiles.empty() ||
      std::filesystem::exists(fileOf(module, graphFolder, 0), ignored))
    return {};
  const std::string like = numberedLike(fileFolder(module, graphFolder), pattern);
  return like.empty() ? "" : like.substr(2);
}

}  // namespace lacuna
