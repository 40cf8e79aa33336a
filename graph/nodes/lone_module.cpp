#include "graph/nodes/node_graph.h"

#include <algorithm>
#include <set>
#include <utility>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "graph/nodes/build_native.h"

namespace lacuna {
namespace {

constexpr uint32_t side = 256;        // of images
constexpr uint32_t anyElements = 64;  // of arrays of any number
constexpr uint32_t anySide = 8;       // of arrays that images stand for, too
constexpr uint32_t somePlanes = 10;
constexpr size_t mostTypes = 8;
constexpr std::string_view patterns[] = {"rggb", "x-trans", "none"};  // of mosaics, one after the other

// The types that connectors list, and whether optional inputs are connected.
struct LoneTypes {
  size_t index = 0;
  bool all = true;
};

ValueType typeAt(const ModuleDescription& module, const ConnectorDescription& connector, size_t index) {
  ValueType type;
  type.channels =
      connector.channels.empty() ? Channels::rgba : connector.channels[index % connector.channels.size()];
  if (type.channels == Channels::mosaic)
    type.pattern = *patternFromName(patterns[index % std::size(patterns)]);
  type.format = connector.formats.empty() ? connector.arrayCount > 0 ? Format::f32 : Format::f16
                                          : connector.formats[index % connector.formats.size()];
  if (connector.colour) {
    const ParameterDescription* tag = module.parameter(connector.colour->parameter);
    type.colour = tag == nullptr
                      ? connector.colour->value
                      : colourFromName(std::get<std::string>(tag->defaults.front())).value_or(type.colour);
  }
  type.arrayCount = connector.planes                   ? somePlanes * side * side
                    : connector.arrayCount == anyCount ? anyElements
                                                       : connector.arrayCount;
  type.extent = connector.arrayCount > 0 && !connector.planes ? Extent{} : Extent{side, side};
  if (connector.images && index % 2 == 0) {
    setSizes(type, {anySide, anySide});
  } else if (connector.images) {
    type.arrayCount = 0;
    type.extent = {side, side};
  }
  return type;
}

bool isInput(const ConnectorDescription& connector, const LoneTypes& types) {
  return connector.direction == Direction::input && (types.all || !connector.optional);
}

// A source whose outputs are named like the module's inputs.
std::shared_ptr<const ModuleDescription> sourceFor(const ModuleDescription& module, const LoneTypes& types) {
  auto source = std::make_shared<ModuleDescription>();
  source->name = "input";
  NodeDescription node;
  node.name = "memory";
  node.kind = NodeKind::source;
  node.memory = true;
  for (const ConnectorDescription& connector : module.connectors) {
    if (isInput(connector, types)) {
      ConnectorDescription given;
      given.name = connector.name;
      given.direction = Direction::output;
      given.arrayCount = connector.arrayCount;
      given.planes = connector.planes;
      source->connectors.push_back(given);
      NodeOutput output;
      output.name = connector.name;
      output.connector = connector.name;
      output.arrayCount = connector.arrayCount;
      output.planes = connector.planes ? std::optional(Formula()) : std::nullopt;
      node.outputs.push_back(output);
    }
  }
  source->nodes.push_back(std::move(node));
  return source;
}

using Settings = std::map<std::string, ParameterValue>;  // of structural parameters, beside the defaults

const ParameterValue& valueOf(const ModuleDescription& module, const Settings& settings,
                              const std::string& parameter) {
  const auto set = settings.find(parameter);
  return set != settings.end() ? set->second : module.parameter(parameter)->defaults.front();
}

// Output connectors that the module makes: of nodes whose `when` holds, unless all their inputs are missing.
std::vector<std::string> madeOutputs(const ModuleDescription& module, const LoneTypes& types,
                                     const Settings& settings) {
  std::set<std::string> missing;
  std::vector<std::string> made;
  for (const NodeDescription& node : module.nodes) {
    const auto isMissing = [&](const NodeInput& input) {
      const ConnectorDescription* connector = module.connector(input.source);
      return !input.feedback &&
             (connector == nullptr ? missing.count(input.source.substr(0, input.source.find('.'))) > 0
                                   : !isInput(*connector, types));
    };
    const bool holdsNow = node.when.holds([&](const std::string& parameter) -> const ParameterValue& {
      return valueOf(module, settings, parameter);
    });
    const bool reads = !node.inputs.empty();
    if (!holdsNow || (reads && std::ranges::all_of(node.inputs, isMissing))) {
      missing.insert(node.name);
      continue;
    }
    for (const NodeOutput& output : node.outputs)
      if (!output.connector.empty())
        made.push_back(output.connector);
  }
  std::ranges::sort(made);
  made.erase(std::unique(made.begin(), made.end()), made.end());
  return made;
}

// A sink that reads all of these.
std::shared_ptr<const ModuleDescription> sinkFor(const ModuleDescription& module,
                                                 const std::vector<std::string>& outputs) {
  auto sink = std::make_shared<ModuleDescription>();
  sink->name = "output";
  NodeDescription node;
  node.name = "memory";
  node.kind = NodeKind::sink;
  node.memory = true;
  for (const std::string& output : outputs) {
    ConnectorDescription taken;
    taken.name = output;
    const ConnectorDescription* made = module.connector(output);
    taken.arrayCount = made == nullptr || made->arrayCount == 0 ? 0 : anyCount;
    sink->connectors.push_back(taken);
    node.inputs.push_back({output, output, false});
  }
  sink->nodes.push_back(std::move(node));
  return sink;
}

ModuleGraph modulesOf(const std::shared_ptr<const ModuleDescription>& module, const LoneTypes& types,
                      const Settings& settings) {
  constexpr ModuleId sourceId(0), loneId(1);
  ModuleInstance source;
  source.description = sourceFor(*module, types);
  source.instance = "01";
  ModuleInstance lone;
  lone.description = module;
  lone.instance = "01";
  for (const ParameterDescription& parameter : module->parameters) {
    lone.parameters.push_back({&parameter, parameter.defaults, {}, {}});
    lone.parameters.back().values.front() = valueOf(*module, settings, parameter.name);
  }
  for (const ConnectorDescription& connector : module->connectors) {
    if (isInput(connector, types)) {
      lone.inputs[connector.name] = {sourceId, connector.name, false, {}};
      source.connectedOutputs.push_back(connector.name);
    }
  }
  std::ranges::sort(source.connectedOutputs);
  lone.connectedOutputs = madeOutputs(*module, types, settings);
  ModuleInstance sink;
  sink.description = sinkFor(*module, lone.connectedOutputs);
  sink.instance = "01";
  for (const std::string& output : lone.connectedOutputs)
    sink.inputs[output] = {loneId, output, false, {}};
  ModuleGraph graph;
  graph.modules = {std::move(source), std::move(lone), std::move(sink)};
  return graph;
}

// The types of a checked source, or of the source before a module.
Sources sourcesOf(ModuleGraph modules, const ModuleDescription& module, const LoneTypes& types) {
  Sources sources{std::move(modules)};
  for (const ModuleId id : sources.modules.modules.ids()) {
    const ModuleDescription& source = *sources.modules.modules[id].description;
    for (const NodeDescription& node : source.nodes) {
      for (const NodeOutput& output : node.outputs) {
        const ConnectorDescription* connector =
            module.connector(&source == &module ? output.connector : output.name);
        ConnectorDescription plain;
        plain.arrayCount = output.arrayCount;
        plain.planes = output.planes.has_value();
        plain.channels = output.channels ? std::vector{*output.channels} : std::vector<Channels>();
        sources.types[id][output.name] =
            typeAt(module, connector == nullptr ? plain : *connector, types.index);
      }
    }
  }
  return sources;
}

// A value that makes the condition hold; nullopt if there is none.
std::optional<ParameterValue> valueFor(const Condition& condition, const ParameterDescription& parameter) {
  std::vector<ParameterValue> candidates = {parameter.defaults.front(), true, false};
  if (parameter.type == ParameterType::choice || parameter.type == ParameterType::string) {
    candidates = {parameter.defaults.front()};
    candidates.insert(candidates.end(), parameter.choices.begin(), parameter.choices.end());
  } else if (isNumber(parameter.type)) {
    const NumberRange range = parameter.range.value_or(NumberRange{0.0, 2.0});
    std::vector<double> numbers = {0.0, 1.0, range.minimum, range.maximum};
    numbers.push_back(parseNumber(condition.value.value_or("")).value_or(0.0));
    candidates = {parameter.defaults.front()};
    for (const double number : numbers) {
      if (!parameter.range || parameter.range->contains(number)) {
        candidates.push_back(parameter.type == ParameterType::integer
                                 ? ParameterValue(static_cast<int64_t>(number))
                                 : ParameterValue(number));
      }
    }
  }
  const auto found =
      std::ranges::find_if(candidates, [&](const ParameterValue& value) { return condition.holds(value); });
  return found == candidates.end() ? std::nullopt : std::optional(*found);
}

// Settings for which a node exists.
Settings settingsFor(const ModuleDescription& module, const When& when) {
  Settings settings;
  for (const Condition& condition : when.conditions) {
    const ParameterDescription* parameter = module.parameter(condition.parameter);
    const auto value = parameter == nullptr ? std::nullopt : valueFor(condition, *parameter);
    if (value)
      settings[condition.parameter] = *value;
    if (when.any)
      break;
  }
  return settings;
}

Location placeOf(const ModuleDescription& module, Diagnostics& diagnostics) {
  return {diagnostics.addFile(module.folder + "/module.toml", {}), 0, 0, 1};
}

class LoneGraphs {
 public:
  LoneGraphs(const std::shared_ptr<const ModuleDescription>& module, Diagnostics& diagnostics)
      : module_(module), diagnostics_(diagnostics), place_(placeOf(*module, diagnostics)) {}

  std::vector<NodeGraph> make() {
    if (hasUntypedSource())
      return {};
    const size_t count = module_->isSource() ? 1 : countTypes();
    for (size_t index = 0; index < count; ++index)
      add({index, true}, {});
    const auto& connectors = module_->connectors;
    if (std::ranges::any_of(connectors, [](const auto& each) { return each.optional; }))
      add({0, false}, {});
    for (const NodeDescription& node : module_->nodes)
      if (there_.count(node.name) == 0)
        add({0, true}, settingsFor(*module_, node.when));
    return std::move(graphs_);
  }

 private:
  // Only a graph that names a file can determine its content.
  bool hasUntypedSource() const {
    return std::ranges::any_of(module_->nodes, [&](const NodeDescription& node) {
      return node.kind == NodeKind::source &&
             std::ranges::any_of(node.outputs, [&](const NodeOutput& output) {
               return !output.channels && output.connector.empty();
             });
    });
  }

  size_t countTypes() const {
    size_t count = 1;
    for (const ConnectorDescription& connector : module_->connectors) {
      count = connector.direction == Direction::input
                  ? std::max({count, connector.channels.size(), connector.formats.size(),
                              size_t{connector.images ? 2U : 1U},
                              contains(connector.channels, Channels::mosaic) ? std::size(patterns) : 1})
                  : count;
    }
    return std::min(count, mostTypes);
  }

  // Images that don't fit together, for example by size or format, are not the module's mistake: only the
  // first choice for the check must be right.
  void add(const LoneTypes& types, const Settings& settings) {
    const bool isFirst = std::exchange(isFirst_, false);
    Diagnostics found;
    ModuleGraph modules = loadNative(modulesOf(module_, types, settings), found);
    if (found.hasErrors()) {
      tell(found, isFirst);
      return;
    }
    NodeGraph graph = buildNodeGraph(sourcesOf(std::move(modules), *module_, types), found);
    if (found.hasErrors()) {
      tell(found, isFirst && !buildsNodes());
      return;
    }
    for (const Node& node : graph.nodes)
      there_.insert(node.description->name);
    graphs_.push_back(std::move(graph));
  }

  // Code that builds nodes may need files that the defaults don't name.
  bool buildsNodes() const {
    return std::ranges::any_of(module_->nodes,
                               [](const NodeDescription& node) { return node.kind == NodeKind::native; });
  }

  // Mistakes with a place in built nodes are always mistakes.
  void tell(const Diagnostics& found, bool isMistake) {
    for (const Diagnostic& each : found.sorted())
      if (each.where.file >= 0)
        diagnostics_.error(diagnostics_.adopt(found, each.where), each.message, each.hint);
      else if (isMistake)
        diagnostics_.error(place_, "by itself: " + each.message, each.hint);
      else if (buildsNodes())
        diagnostics_.warn(place_, "its nodes were not checked: " + each.message);
  }

  const std::shared_ptr<const ModuleDescription>& module_;
  Diagnostics& diagnostics_;
  const Location place_;  // of the module
  bool isFirst_ = true;
  std::vector<NodeGraph> graphs_;
  std::set<std::string> there_;
};

}  // namespace

std::vector<NodeGraph> loneGraphs(const std::shared_ptr<const ModuleDescription>& module,
                                  Diagnostics& diagnostics) {
  return LoneGraphs(module, diagnostics).make();
}

}  // namespace lacuna
