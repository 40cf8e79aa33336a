#include "graph/nodes/wiring.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <set>

#include "graph/lists.h"
#include "graph/module/words.h"

namespace lacuna {
namespace {

using OutputName = std::pair<ModuleId, std::string>;  // module, output connector

// An integer, a float's bits, false and true as 0 and 1, or a choice's index.
int32_t constantOf(const ParameterDescription& parameter, const ModuleInstance& instance) {
  const ParameterValue& value = instance.value(parameter.name);
  if (const auto* word = std::get_if<std::string>(&value)) {
    const auto found = std::ranges::find(parameter.choices, *word);
    return static_cast<int32_t>(found - parameter.choices.begin());
  }
  if (const auto* truth = std::get_if<bool>(&value))
    return *truth ? 1 : 0;
  if (const auto* number = std::get_if<double>(&value))
    return std::bit_cast<int32_t>(static_cast<float>(*number));
  return static_cast<int32_t>(std::get<int64_t>(value));
}

// "node" of the source "node.output"; empty for a connector.
std::string nodeOf(const std::string& source) {
  const size_t dot = source.find('.');
  return dot == std::string::npos ? std::string{} : source.substr(0, dot);
}

// The outputs of a node, with the tapped level's state, which may be declared without its own entry.
std::vector<NodeOutput> outputsOf(const NodeDescription& node) {
  std::vector<NodeOutput> outputs = node.outputs;
  const std::string& tap = node.stencil.tapOutput;
  if (!tap.empty() && findNamed(outputs, tap) == nullptr) {
    outputs.emplace_back();
    outputs.back().name = tap;
  }
  return outputs;
}

class Expander {
 public:
  Expander(Wiring& wiring, Diagnostics& diagnostics)
      : graph_(wiring.graph), wiring_(wiring), diagnostics_(diagnostics) {
    for (const ModuleInstance& instance : graph_.modules.modules)
      for (const auto& [name, connection] : instance.inputs)
        if (connection.producer)
          read_.insert({connection.producer, connection.connector});
  }

  void run() {
    wiring_.moduleInputs.resize(graph_.modules.modules.size());
    for (const ModuleId module : graph_.modules.modules.ids())
      expand(module);
    closeFeedback();
  }

  size_t replace(NodeId id, Built built) {
    const Node native = graph_.nodes[id];
    const ModuleId module = graph_.modules.modules.add(std::move(built.module));
    wiring_.moduleInputs.emplace_back();
    for (const NamedValue& input : native.inputs)
      if (input.value)
        wiring_.moduleInputs.back()[input.name] = input.value;
    for (Upload& upload : built.uploads) {
      Value value;
      value.name = native.name + ".upload." + upload.name;
      value.type = upload.type;
      value.constant = std::move(upload.data);
      local_["upload." + upload.name] = graph_.values.add(std::move(value));
    }
    for (const NamedValue& output : native.outputs) {
      read_.insert({module, output.name});
      given_[{module, output.name}] = output.value;
    }
    const size_t before = graph_.nodes.size();
    addNodes(module);
    const size_t added = graph_.nodes.size() - before;
    moveLast(added, id);
    return added;
  }

 private:
  const ModuleInstance& instance(ModuleId module) const { return graph_.modules.modules[module]; }

  void expand(ModuleId module) {
    for (const auto& [name, connection] : instance(module).inputs)
      wiring_.moduleInputs[module][name] = incoming(connection);
    local_.clear();
    addNodes(module);
  }

  void addNodes(ModuleId module) {
    findAbsent(module);
    const std::vector<const NodeDescription*> nodes = neededNodes(module);
    for (const NodeDescription* node : nodes)
      for (const std::string& source : sourcesOf(*node))
        readInside_.insert({module, source});
    lastFrame_.clear();
    for (const NodeDescription* node : nodes)
      addRepeats(module, *node);
    for (const auto& [source, value] : lastFrame_)
      graph_.values[value].feedbackOf = local_.at(source);
  }

  static std::vector<std::string> sourcesOf(const NodeDescription& node) {
    std::vector<std::string> sources;
    for (const NodeInput& input : node.inputs)
      sources.push_back(input.source);
    for (const auto& [parameter, source] : node.bind)
      sources.push_back(source);
    return sources;
  }

  // A kernel whose images or planes have the size of its input.
  static bool takesExtent(const NodeDescription& node) {
    return statesOutputs(node.kind) && !node.inputs.empty() &&
           std::ranges::any_of(node.outputs, [](const NodeOutput& output) {
             return (output.arrayCount == 0 || output.planes) && !output.extent;
           });
  }

  // Nodes without an image to work on: every input is optional and leads nowhere. Their readers' inputs then
  // count as unconnected, too.
  void findAbsent(ModuleId module) {
    const ModuleInstance& owner = instance(module);
    absent_.clear();
    for (const NodeDescription& node : owner.description->nodes) {
      const bool needsImages = node.kind == NodeKind::pointwise || node.kind == NodeKind::stencil ||
                               node.kind == NodeKind::reduce || takesExtent(node);
      const auto leadsNowhere = [&](const NodeInput& input) {
        const std::string from = nodeOf(input.source);
        const std::map<std::string, ValueId>& inputs = wiring_.moduleInputs[module];
        return !input.feedback && (from.empty() ? inputs.count(input.source) == 0 : absent_.count(from) > 0);
      };
      if (needsImages && std::ranges::all_of(node.inputs, leadsNowhere))
        absent_.insert(node.name);
    }
  }

  // Values of the previous frame may come from later nodes, so this repeats until no node is added.
  std::vector<const NodeDescription*> neededNodes(ModuleId module) const {
    const ModuleInstance& owner = instance(module);
    std::set<std::string> wanted;
    std::vector<const NodeDescription*> result;
    size_t before = 0;
    do {
      before = wanted.size();
      result.clear();
      for (const NodeDescription& node : owner.description->nodes) {
        const std::string& own = node.replaces.empty() ? node.name : node.replaces;
        if (!isActive(node, owner) || absent_.count(node.name) > 0 ||
            !(isEnd(module, node) || wanted.count(own) > 0))
          continue;
        for (const std::string& source : sourcesOf(node))
          wanted.insert(nodeOf(source));
        result.push_back(&node);
      }
    } while (wanted.size() > before);
    return result;
  }

  // A sink, or a node that makes another module's input.
  bool isEnd(ModuleId module, const NodeDescription& node) const {
    return node.kind == NodeKind::sink || std::ranges::any_of(node.outputs, [&](const NodeOutput& output) {
             return read_.count({module, output.connector}) > 0;
           });
  }

  ValueId incoming(const ModuleConnection& connection) {
    const OutputName key{connection.producer, connection.connector};
    if (!connection.feedback) {
      const auto found = leaving_.find(key);
      if (found == leaving_.end())
        reportMissing(connection);
      return found == leaving_.end() ? ValueId{} : found->second;
    }
    const auto known = feedback_.find(key);
    if (known != feedback_.end())
      return known->second.value;
    Value value;
    value.name = fmt::format("{}:{} of the previous frame", instance(connection.producer).name(),
                             connection.connector);
    value.feedback = true;
    const ValueId id = graph_.values.add(std::move(value));
    feedback_[key] = {id, connection};
    return id;
  }

  void reportMissing(const ModuleConnection& connection) {
    diagnostics_.error(connection.where,
                       fmt::format("{} makes no '{}' with the parameters that it has",
                                   instance(connection.producer).name(), connection.connector));
  }

  // Once all producers exist.
  void closeFeedback() {
    for (const auto& [key, feedback] : feedback_) {
      const auto found = leaving_.find(key);
      if (found == leaving_.end())
        reportMissing(feedback.connection);
      else
        graph_.values[feedback.value].feedbackOf = found->second;
    }
  }

  // The value behind "connector" or "node.output"; none if nothing is connected or made.
  ValueId valueOf(ModuleId module, const std::string& source) const {
    const std::map<std::string, ValueId>& known =
        nodeOf(source).empty() ? wiring_.moduleInputs[module] : local_;
    const auto found = known.find(source);
    return found == known.end() ? ValueId{} : found->second;
  }

  // "node.output" in the previous frame; none if the module's parameters omit that node.
  ValueId lastFrameOf(ModuleId module, const std::string& source) {
    const ModuleInstance& owner = instance(module);
    if (!isActive(*owner.description->node(nodeOf(source)), owner) || absent_.count(nodeOf(source)) > 0)
      return {};
    const auto [known, isNew] = lastFrame_.insert({source, ValueId{}});
    if (isNew) {
      Value value;
      value.name = fmt::format("{}:{} of the previous frame", owner.name(), source);
      value.feedback = true;
      known->second = graph_.values.add(std::move(value));
    }
    return known->second;
  }

  // Puts the last `count` nodes in the place of `replaced`, which is removed.
  void moveLast(size_t count, NodeId replaced) {
    std::vector<NodeId> order;
    for (const NodeId node : graph_.nodes.ids())
      if (node != replaced)
        order.push_back(node);
    const auto added = order.end() - static_cast<std::ptrdiff_t>(count);
    std::rotate(std::lower_bound(order.begin(), added, replaced), added, order.end());
    arrangeNodes(graph_, order);
  }

  // "blur", or "blur.2" for its runs 1, 2, ...
  void addRepeats(ModuleId module, const NodeDescription& description) {
    const std::string& parameter = description.kernel.repeat;
    const int64_t times = parameter.empty() ? 1 : std::get<int64_t>(instance(module).value(parameter));
    for (int64_t i = 1; i <= times; ++i)
      addNode(module, description, times == 1 ? "" : "." + std::to_string(i), i > 1, i == times);
  }

  void addNode(ModuleId module, const NodeDescription& description, const std::string& suffix, bool again,
               bool last) {
    const ModuleInstance& owner = instance(module);
    Node node;
    node.name = owner.name() + ":" + (owner.builtFrom.empty() ? "" : owner.builtFrom + "/") +
                description.name + suffix;
    node.kind = description.kind;
    node.module = module;
    node.description = &description;
    for (const NodeInput& input : description.inputs)
      node.inputs.push_back(
          {input.name, input.feedback ? lastFrameOf(module, input.source) : valueOf(module, input.source)});
    if (again)
      node.inputs.front().value = local_.at(description.name + "." + description.outputs.front().name);
    for (const auto& [parameter, source] : description.bind) {
      const ValueId value = valueOf(module, source);
      if (value)
        node.bound.push_back({0, parameter, value});
    }
    for (const NodeOutput& output : outputsOf(description))
      addOutput(node, output, last);
    for (const NodeConstant& constant : description.constants)
      node.constants.push_back(constant.parameter.empty()
                                   ? static_cast<int32_t>(constant.number)
                                   : constantOf(*owner.description->parameter(constant.parameter), owner));
    if (node.kind == NodeKind::stencil) {
      const StencilDescription& stencil = description.stencil;
      node.levels = static_cast<int>(owner.valueOf(stencil.levels));
      node.radius = static_cast<int>(owner.valueOf(stencil.radius));
      node.patch = static_cast<int>(owner.valueOf(stencil.patch));
      if (stencil.state.format)
        node.stateFormat = owner.valueOf(*stencil.state.format, formatWords(), stencil.state.format->value);
      if (stencil.border)
        node.border = owner.valueOf(*stencil.border, borderWords(), stencil.border->value);
    }
    finish(node);
    graph_.nodes.push_back(std::move(node));
  }

  // `last`: the node does not run again.
  void addOutput(Node& node, const NodeOutput& output, bool last) {
    const std::string source = node.description->name + "." + output.name;
    const OutputName connector{node.module, last ? output.connector : std::string()};
    const bool leaves = !connector.second.empty() && read_.count(connector) > 0;
    if (node.kind == NodeKind::source && !leaves && readInside_.count({node.module, source}) == 0)
      return;
    const auto given = given_.find(connector);
    const ValueId id = given == given_.end() ? graph_.values.add({}) : given->second;
    Value& value = graph_.values[id];
    value.producer = graph_.nodes.next();
    value.kept = output.kept;
    value.zeroed = output.zeroed;
    value.tile = output.tile;
    if (given == given_.end())
      value.name = node.name + "." + output.name;
    node.outputs.push_back({output.name, id});
    local_[source] = id;
    if (!leaves)
      return;
    const auto [other, isNew] = leaving_.insert({connector, id});
    if (!isNew)
      diagnostics_.error(instance(node.module).where,
                         fmt::format("{} and {} both make '{}' with the parameters that {} has",
                                     graph_.values[other->second].name, graph_.values[id].name,
                                     output.connector, instance(node.module).name()));
  }

  static void finish(Node& node) {
    addOwnPart(node);
    if (node.kind == NodeKind::pointwise)
      removeRepeats(node.inputs);
  }

  static void removeRepeats(std::vector<NamedValue>& inputs) {
    std::set<ValueId> seen;
    inputs.erase(std::remove_if(inputs.begin(), inputs.end(),
                                [&](const NamedValue& input) {
                                  return input.value && !seen.insert(input.value).second;
                                }),
                 inputs.end());
  }

  struct Feedback {
    ValueId value;
    ModuleConnection connection;
  };

  NodeGraph& graph_;
  Wiring& wiring_;
  Diagnostics& diagnostics_;
  std::set<OutputName> read_;              // output connectors that some module reads
  std::set<OutputName> readInside_;        // "node.output" that nodes of the module read
  std::map<OutputName, ValueId> given_;    // output connector of built nodes -> value that it becomes
  std::map<OutputName, ValueId> leaving_;  // output connector -> value
  std::map<OutputName, Feedback> feedback_;
  std::map<std::string, ValueId> local_;      // of this module: "node.output" -> value
  std::map<std::string, ValueId> lastFrame_;  // likewise, for the previous frame's values
  std::set<std::string> absent_;              // its nodes without an input to read
};

}  // namespace

Wiring expandModules(ModuleGraph modules, Diagnostics& diagnostics) {
  Wiring wiring;
  wiring.graph.modules = std::move(modules);
  Expander(wiring, diagnostics).run();
  return wiring;
}

size_t replaceNative(Wiring& wiring, NodeId node, Built built, Diagnostics& diagnostics) {
  return Expander(wiring, diagnostics).replace(node, std::move(built));
}

}  // namespace lacuna
