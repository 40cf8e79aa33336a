#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

bool isOneNumber(const NodeOutput* output) {
  return output != nullptr && output->arrayCount == 1 &&
         output->channels.value_or(Channels::rgba) == Channels::y && output->format &&
         output->format->parameter.empty() && output->format->value == Format::f32;
}

class NodeCheck : NodeChecker {
 public:
  using NodeChecker::NodeChecker;

  void run() {
    if (!isWrong("kind") && !isWrong("inputs") && !isWrong("outputs"))
      checkEnds();
    checkShaderIsThere(node_.shader);
    expect(!node_.isSpirv() || node_.kind == NodeKind::kernel, "shader",
           fmt::format("'{}' is SPIR-V, which is for nodes of kind kernel", node_.shader));
    checkSources();
    for (const auto& [name, source] : node_.bind)
      checkBinding("bind." + name, name, source);
    checkKernel();
    if (!node_.replaces.empty())
      checkReplaced();
  }

 private:
  // The numbers of inputs and outputs that the kind allows.
  void checkEnds() {
    const bool source = node_.kind == NodeKind::source, sink = node_.kind == NodeKind::sink;
    expect(!source || node_.inputs.empty(), "inputs", "a source has no inputs");
    expect(!sink || node_.outputs.empty(), "outputs", "a sink has no outputs");
    const bool mayBegin = source || statesOutputs(node_.kind) || node_.kind == NodeKind::native;
    expect(mayBegin || !node_.inputs.empty(), "kind",
           fmt::format("a node of kind {} needs 'inputs'", kind()));
    expect(sink || !node_.outputs.empty() || !node_.stencil.tapOutput.empty(), "kind",
           fmt::format("a node of kind {} needs 'outputs'", kind()));
  }

  // Names of the first nodes' outputs: "residual.output".
  std::vector<std::string> outputsBefore(size_t end) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < end; ++i) {
      const NodeDescription& node = module_.nodes[i];
      for (const NodeOutput& output : node.outputs)
        names.push_back(node.name + "." + output.name);
      if (!node.stencil.tapOutput.empty())
        names.push_back(node.name + "." + node.stencil.tapOutput);
    }
    return names;
  }

  void checkSources() {
    std::vector<std::string> known = outputsBefore(index_);
    const std::vector<std::string> all = outputsBefore(module_.nodes.size());
    for (const ConnectorDescription& connector : module_.connectors)
      if (connector.direction == Direction::input)
        known.push_back(connector.name);
    for (size_t i = 0; i < node_.inputs.size(); ++i) {
      const std::string key = fmt::format("inputs[{}].source", i);
      const auto& [name, source, feedback, footprint] = node_.inputs[i];
      if (source.empty())
        continue;
      if (feedback && !contains(all, source)) {
        error(
            key,
            fmt::format("'{}' is not an output of a node: only those have a previous frame's value", source),
            suggest(source, all));
      } else if (!feedback && !contains(known, source)) {
        reportSource(key, source, known);
      } else {
        checkReads(key, source);
      }
    }
  }

  void checkReads(const std::string& key, const std::string& source) {
    const ConnectorDescription* connector = module_.connector(source);
    const NodeOutput* output = outputNamed(source);
    const bool isArray =
        (connector != nullptr && connector->arrayCount > 0) || (output != nullptr && output->arrayCount > 0);
    // Native code sees which it gets; other nodes are written for one kind.
    const bool seesTypes = node_.kind == NodeKind::sink || node_.kind == NodeKind::native;
    expect(!isArray || seesTypes || statesOutputs(node_.kind), key,
           fmt::format("'{}' is an array, and a {} node reads images", source, kind()),
           "kernels read arrays; an array of one y in f32 can be bound to a parameter");
    expect(connector == nullptr || !connector->images || seesTypes, key,
           fmt::format("'{}' takes images and arrays, and a {} node reads one kind", source, kind()),
           "'images' beside 'array' is for inputs of native nodes and sinks alone");
  }

  // "node.output"; nullptr if there is none, or it is a tapped level without its own entry.
  const NodeOutput* outputNamed(const std::string& source) const {
    const size_t dot = source.find('.');
    const NodeDescription* owner = dot == std::string::npos ? nullptr : module_.node(source.substr(0, dot));
    return owner == nullptr ? nullptr : findNamed(owner->outputs, source.substr(dot + 1));
  }

  void reportSource(const std::string& key, const std::string& source,
                    const std::vector<std::string>& known) {
    const std::string owner = source.substr(0, source.find('.'));
    const ConnectorDescription* connector = module_.connector(source);
    const NodeDescription* later = owner == source ? nullptr : module_.node(owner);
    if (connector != nullptr && connector->direction == Direction::output) {
      error(key, fmt::format("'{}' is an output of the module", source), suggest(source, known));
    } else if (owner == node_.name && owner != source) {
      error(key, fmt::format("'{}' is an output of the node itself", source),
            "feedback = true: the previous frame's value");
    } else if (later != nullptr && later > &node_) {
      error(key, fmt::format("the node '{}' comes later", owner),
            "nodes are in the order of evaluation; feedback = true: the previous frame's value");
    } else {
      error(key, fmt::format("'{}' is neither an input connector nor an earlier node's output", source),
            suggest(source, known));
    }
  }

  void checkBinding(const std::string& key, const std::string& name, const std::string& source) {
    const ParameterDescription* parameter = module_.parameter(name);
    if (parameter == nullptr) {
      error(key, fmt::format("there is no parameter '{}'", name), suggest(name, namesIn(module_.parameters)));
    } else {
      expect(parameter->type == ParameterType::floating && parameter->count == 1, key,
             fmt::format("'{}' cannot be bound: it is not one number of type float", name));
    }
    const ConnectorDescription* connector = module_.connector(source);
    const std::string wrong = fmt::format("'{}' is not an array of one y in f32", source);
    if (connector != nullptr && connector->direction == Direction::input) {
      expect(connector->arrayCount == 1 && connector->channels == std::vector{Channels::y} &&
                 connector->formats == std::vector{Format::f32},
             key, wrong, "write channels = \"y\", formats = \"f32\", array = 1 at that connector");
    } else if (const auto known = outputsBefore(index_); source.empty() || !contains(known, source)) {
      error(key, fmt::format("'{}' is not an output of an earlier node", source), suggest(source, known));
    } else {
      expect(isOneNumber(outputNamed(source)), key, wrong,
             "write channels = \"y\", format = \"f32\", array = 1 at that output");
    }
  }

  void checkReplaced() {
    const NodeDescription* replaced = module_.node(node_.replaces);
    std::vector<std::string> known;
    for (size_t i = 0; i < index_; ++i)
      known.push_back(module_.nodes[i].name);
    if (replaced == nullptr || replaced >= &node_) {
      error("replaces", fmt::format("'{}' is not an earlier node", node_.replaces),
            suggest(node_.replaces, known));
      return;
    }
    for (size_t i = 0; i < index_; ++i) {
      for (const NodeInput& input : module_.nodes[i].inputs) {
        expect(input.feedback || input.source.substr(0, input.source.find('.')) != node_.replaces, "replaces",
               fmt::format("the node '{}', which reads '{}', comes earlier", module_.nodes[i].name,
                           input.source));
      }
    }
    for (const NodeOutput& output : replaced->outputs) {
      expect(contains(namesIn(node_.outputs), output.name), "outputs",
             fmt::format("'{}' takes the place of '{}', but has no output '{}'", node_.name, node_.replaces,
                         output.name));
    }
  }

  void checkKernel() {
    const KernelDescription& kernel = node_.kernel;
    if (kernel.matrix && kernel.workgroup[0] > 0)
      checkMatrixWidth("kernel.workgroup", kernel.workgroup[0]);
    checkCount("kernel.repeat", kernel.repeat, 1, maxRepeats);
    checkSizes("kernel.invocations", kernel.invocations);
    expect(kernel.invocations.empty() || kernel.extentOf.empty(), "kernel.invocations",
           "'invocations' and 'extent_of' exclude each other");
    expect(kernel.repeat.empty() || (!node_.inputs.empty() && !node_.outputs.empty()), "kernel.repeat",
           "a repeated node needs an input and an output");
    std::vector<std::string> ends = namesIn(node_.inputs);
    std::ranges::copy(namesIn(node_.outputs), std::back_inserter(ends));
    expect(kernel.extentOf.empty() || contains(ends, kernel.extentOf), "kernel.extent_of",
           fmt::format("'{}' is neither an input nor an output of the node", kernel.extentOf),
           suggest(kernel.extentOf, ends));
  }
};

}  // namespace

void checkNode(const ModuleDescription& module, size_t index, TomlFile& file) {
  NodeCheck(module, index, file).run();
}

}  // namespace lacuna
