#include "graph/nodes/module_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <stdexcept>

#include "graph/config/regex.h"
#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/nodes/module_graph_parts.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

Location spanOf(const InstanceRef& ref) {
  Location where = ref.module.where;
  where.length = ref.instance.where.column + ref.instance.where.length - where.column;
  return where;
}

std::vector<Parameter> defaultParameters(const ModuleDescription& description) {
  std::vector<Parameter> parameters;
  for (const ParameterDescription& parameter : description.parameters)
    parameters.push_back({&parameter, parameter.defaults, {}, {}, false});
  return parameters;
}

void addModules(GraphDraft& draft, Registry& registry) {
  const std::vector<std::string> names = registry.names();
  std::map<std::string, std::shared_ptr<const ModuleDescription>> read;  // a wrong one is reported once
  std::map<std::string, Location> first;
  for (const ModuleLine& line : draft.config.modules) {
    const std::string& module = line.owner.module.text;
    const auto known = first.emplace(line.owner.name(), line.owner.module.where);
    if (!known.second) {
      const Location& earlier = known.first->second;
      draft.diagnostics.error(spanOf(line.owner),
                              fmt::format("{} appears twice, first in {}", line.owner.name(),
                                          draft.lineText(earlier, line.owner.module.where.file)));
      continue;
    }
    draft.byName[line.owner.name()] = {};
    if (!std::ranges::binary_search(names, module)) {
      draft.error(line.owner.module, fmt::format("unknown module '{}'", module), registry.hint(module));
      continue;
    }
    if (read.find(module) == read.end())
      read[module] = registry.find(module, draft.diagnostics);
    const auto& description = read[module];
    if (description == nullptr) {
      draft.error(line.owner.module, fmt::format("the description of module '{}' has errors", module));
      continue;
    }
    draft.byName[line.owner.name()] = draft.modules.add(
        {description, line.owner.instance.text, spanOf(line.owner), defaultParameters(*description), {}, {}});
  }
  draft.attempted.resize(draft.modules.size());
}

void checkInputsConnected(const GraphDraft& draft) {
  for (const ModuleId id : draft.modules.ids()) {
    const ModuleInstance& module = draft.modules[id];
    for (const ConnectorDescription& connector : module.description->connectors) {
      if (connector.direction == Direction::input && !connector.optional &&
          draft.attempted[id].count(connector.name) == 0) {
        draft.diagnostics.error(module.where, fmt::format("the input '{}' of {} is not connected",
                                                          connector.name, module.name()));
      }
    }
  }
}

void checkHasSink(const GraphDraft& draft) {
  const bool allUsable =
      std::ranges::all_of(draft.byName, [](const auto& each) { return bool(each.second); });
  const bool hasSink = std::ranges::any_of(
      draft.modules, [](const ModuleInstance& module) { return module.description->isSink(); });
  if (allUsable && !hasSink) {
    const Location where =
        draft.modules.empty() ? Location{draft.config.file, 0, 0, 1} : draft.modules.back().where;
    draft.diagnostics.error(
        where,
        draft.modules.empty() ? "the graph has no modules" : "the graph has no sink: it would write nothing",
        "add a module that writes a file, such as o-png, and connect it");
  }
}

// Modules that lead to no sink are not run.
void warnOfUnread(const GraphDraft& draft) {
  Table<ModuleId, bool> leads(draft.modules.size(), false);
  std::vector<ModuleId> open;
  const auto reach = [&](ModuleId id) {
    if (!leads[id]) {
      leads[id] = true;
      open.push_back(id);
    }
  };
  for (const ModuleId id : draft.modules.ids())
    if (draft.modules[id].description->isSink())
      reach(id);
  while (!open.empty()) {
    const ModuleInstance& module = draft.modules[open.back()];
    open.pop_back();
    for (const auto& [name, connection] : module.inputs)
      reach(connection.producer);
  }
  for (const ModuleId id : draft.modules.ids()) {
    if (!leads[id]) {
      const ModuleInstance& module = draft.modules[id];
      draft.diagnostics.warn(module.where,
                             fmt::format("{} is not run: its outputs don't lead to a sink", module.name()),
                             "connect one of them, or remove the module");
    }
  }
}

// Whether a body reads it, itself or in what it includes.
bool mentions(const fs::path& body, const std::string& parameter) {
  const std::string text = readTextFile(body.string()).text;
  if (Regex("\\bparam\\s*\\.\\s*" + parameter + "\\b").find(text))
    return true;
  return std::ranges::any_of(Regex("#include\\s+\"([^\"]+)\"").findAll(text), [&](const RegexMatch& found) {
    const std::string& included = found.groups[1];
    return fs::path(included) != body.filename() && mentions(body.parent_path() / included, parameter);
  });
}

// Whether an input is connected, or the node of a "node.output" is active.
bool isThere(const ModuleInstance& module, const std::string& source) {
  const NodeDescription* node = module.description->node(source.substr(0, source.find('.')));
  return module.inputs.contains(source) || (node != nullptr && isActive(*node, module));
}

// What is taken in the place of a parameter's value; "" if it is read.
std::string takenInstead(const ModuleInstance& module, const ParameterDescription& parameter) {
  if (module.inputs.contains(parameter.unless))
    return fmt::format("the input '{}' is connected, whose numbers are taken instead", parameter.unless);
  std::string taken;
  std::vector<fs::path> others;
  for (const NodeDescription& node : module.description->nodes) {
    if (!isActive(node, module))
      continue;
    const auto bound = node.bind.find(parameter.name);
    if (bound != node.bind.end() && isThere(module, bound->second))
      taken = fmt::format("the node '{}' takes {} instead", node.name, bound->second);
    else if (!node.shader.empty())
      others.push_back(fs::path(module.description->folder) / node.shader);
  }
  const auto reads = [&](const fs::path& body) { return mentions(body, parameter.name); };
  return taken.empty() || std::ranges::any_of(others, reads) ? "" : taken;
}

void warnOfTakenInstead(const GraphDraft& draft) {
  for (const ModuleInstance& module : draft.modules) {
    for (const Parameter& parameter : module.parameters) {
      if (!parameter.isSet || parameter.description->structural)
        continue;
      if (const std::string taken = takenInstead(module, *parameter.description); !taken.empty()) {
        draft.diagnostics.warn(
            parameter.where,
            fmt::format("'{}' of {} has no effect: {}", parameter.description->name, module.name(), taken));
      }
    }
  }
}

// Moves the modules into `order` and renumbers the producers.
Table<ModuleId, ModuleInstance> inOrder(Table<ModuleId, ModuleInstance> modules,
                                        const std::vector<ModuleId>& order) {
  Table<ModuleId, ModuleId> newId(modules.size());
  Table<ModuleId, ModuleInstance> sorted;
  for (const ModuleId old : order)
    newId[old] = sorted.add(std::move(modules[old]));
  for (ModuleInstance& module : sorted)
    for (auto& [name, connection] : module.inputs)
      connection.producer = newId[connection.producer];
  return sorted;
}

void fillConnectedOutputs(Table<ModuleId, ModuleInstance>& modules) {
  Table<ModuleId, std::set<std::string>> outputs(modules.size());
  for (const ModuleInstance& module : modules)
    for (const auto& [name, connection] : module.inputs)
      outputs[connection.producer].insert(connection.connector);
  for (const ModuleId id : modules.ids())
    modules[id].connectedOutputs.assign(outputs[id].begin(), outputs[id].end());
}

}  // namespace

ModuleId GraphDraft::findModule(const InstanceRef& ref) const {
  const auto found = byName.find(ref.name());
  if (found != byName.end())
    return found->second;
  std::vector<std::string> all, sameModule;
  for (const auto& [name, index] : byName) {
    all.push_back(name);
    if (name.compare(0, ref.module.text.size() + 1, ref.module.text + ":") == 0)
      sameModule.push_back(name);
  }
  const std::string hint = suggest(ref.name(), sameModule.empty() ? all : sameModule, "the graph has:");
  diagnostics.error(spanOf(ref), fmt::format("there is no {} in the graph", ref.name()), hint);
  return {};
}

std::string GraphDraft::lineText(const Location& where, int fromFile) const {
  return where.file == fromFile ? fmt::format("line {}", where.line)
                                : fmt::format("{} line {}", diagnostics.fileName(where.file), where.line);
}

const Parameter& ModuleInstance::parameter(const std::string& wanted) const {
  for (const Parameter& each : parameters)
    if (each.description->name == wanted)
      return each;
  throw std::out_of_range(fmt::format("{} has no parameter '{}'", name(), wanted));
}

bool isActive(const NodeDescription& node, const ModuleInstance& instance) {
  return instance.holds(node.when);
}

const ModuleInstance* ModuleGraph::find(const std::string& name) const {
  return findWhere(modules, [&](const ModuleInstance& module) { return module.name() == name; });
}

std::vector<std::shared_ptr<const ModuleDescription>> descriptionsOf(const ModuleGraph& graph) {
  std::vector<std::shared_ptr<const ModuleDescription>> all;
  for (const ModuleInstance& module : graph.modules)
    if (!contains(all, module.description))
      all.push_back(module.description);
  return all;
}

ModuleGraph buildModuleGraph(const Config& config, Registry& registry, Diagnostics& diagnostics) {
  const bool wasWrong = diagnostics.hasErrors();
  GraphDraft draft{config, diagnostics, {}, {}, {}};
  addModules(draft, registry);
  applyConnections(draft);
  applyParameters(draft);
  if (!wasWrong) {  // the missing line may be one that did not parse
    checkInputsConnected(draft);
    checkHasSink(draft);
  }
  const std::vector<ModuleId> order = sortModules(draft);
  checkConnectionTypes(draft, order);
  if (!diagnostics.hasErrors()) {
    warnOfUnread(draft);
    warnOfTakenInstead(draft);
  }
  ModuleGraph graph;
  graph.frames = config.frames.value_or(1);
  graph.hasFrames = config.frames.has_value();
  graph.framesPerSecond = config.framesPerSecond;
  graph.writesLast = config.writesLast;
  graph.warmUp = config.warmUp;
  graph.folder = config.folder;
  graph.modules = inOrder(std::move(draft.modules), order);
  fillConnectedOutputs(graph.modules);
  return graph;
}

}  // namespace lacuna
