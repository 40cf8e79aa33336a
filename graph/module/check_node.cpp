#include <fmt/format.h>

#include <algorithm>

#include "graph/config/text.h"
#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

// One invocation writes all outputs of a reduce.
constexpr uint32_t maxReduced = 1U << 24U;

class NodeCheck : NodeChecker {
 public:
  using NodeChecker::NodeChecker;

  void run() {
    if (!isWrong("kind") && !isWrong("inputs") && !isWrong("outputs")) {
      checkShape();
    }
    checkShader();
    checkWhen(node_.when);
    checkSources();
    checkOutputs();
    checkBindings();
    checkExtentOf();
    checkConstants();
  }

 private:
  // The numbers of inputs and outputs that the kind allows.
  void checkShape() {
    const bool source = node_.kind == NodeKind::source;
    checkCount("largest_side", node_.largestSide, 1, maxSide);
    const bool sink = node_.kind == NodeKind::sink;
    const std::string kind = wordOf(nodeKindWords(), node_.kind);
    if (source && !node_.inputs.empty()) {
      error("inputs", "a source has no inputs");
    }
    if (!source && node_.kind != NodeKind::kernel && node_.kind != NodeKind::native && node_.inputs.empty()) {
      error("kind", fmt::format("a node of kind {} needs 'inputs'", kind));
    }
    if (sink && !node_.outputs.empty()) {
      error("outputs", "a sink has no outputs");
    }
    if (!sink && node_.outputs.empty() && node_.stencil.tapOutput.empty()) {
      error("kind", fmt::format("a node of kind {} needs 'outputs'", kind));
    }
  }

  void checkShader() {
    checkShaderIsThere(node_.shader);
    if (node_.isSpirv() && node_.kind != NodeKind::kernel) {
      error("shader", fmt::format("'{}' is SPIR-V, which is for nodes of kind kernel", node_.shader));
    }
  }

  // Names of the first nodes' outputs: "residual.output".
  std::vector<std::string> outputsBefore(size_t end) const {
    std::vector<std::string> names;
    for (size_t i = 0; i < end; ++i) {
      for (const NodeOutput& output : module_.nodes[i].outputs) {
        names.push_back(module_.nodes[i].name + "." + output.name);
      }
      if (!module_.nodes[i].stencil.tapOutput.empty()) {
        names.push_back(module_.nodes[i].name + "." + module_.nodes[i].stencil.tapOutput);
      }
    }
    return names;
  }

  void checkSources() {
    std::vector<std::string> known = outputsBefore(index_);
    const std::vector<std::string> all = outputsBefore(module_.nodes.size());
    for (const ConnectorDescription& connector : module_.connectors) {
      if (connector.direction == Direction::input) {
        known.push_back(connector.name);
      }
    }
    for (size_t i = 0; i < node_.inputs.size(); ++i) {
      const std::string key = fmt::format("inputs[{}].source", i);
      const NodeInput& input = node_.inputs[i];
      if (input.footprint && node_.kind != NodeKind::kernel) {
        error(fmt::format("inputs[{}].footprint", i), "only kernels have a footprint for each input");
      }
      if (input.source.empty()) {
        continue;
      }
      if (input.feedback && !contains(all, input.source)) {
        error(key,
              fmt::format("'{}' is not an output of a node: only those have a previous frame's value",
                          input.source),
              suggest(input.source, all));
      } else if (!input.feedback && !contains(known, input.source)) {
        reportSource(key, input.source, known);
      } else {
        checkTakesArrays(key, input.source);
        checkTakesImages(key, input.source);
      }
    }
  }

  void checkTakesArrays(const std::string& key, const std::string& source) {
    const bool takes =
        node_.kind == NodeKind::kernel || node_.kind == NodeKind::sink || node_.kind == NodeKind::native;
    if (!takes && isArray(source)) {
      error(key,
            fmt::format("'{}' is an array, and a {} node reads images", source,
                        wordOf(nodeKindWords(), node_.kind)),
            "kernels read arrays; an array of one y in f32 can be bound to a parameter");
    }
  }

  // Other nodes are written for one kind; native code sees which it gets.
  void checkTakesImages(const std::string& key, const std::string& source) {
    const ConnectorDescription* connector = module_.connector(source);
    if (connector != nullptr && connector->images && node_.kind != NodeKind::native &&
        node_.kind != NodeKind::sink) {
      error(key,
            fmt::format("'{}' takes images and arrays, and a {} node reads one kind", source,
                        wordOf(nodeKindWords(), node_.kind)),
            "'images' beside 'array' is for inputs of native nodes and sinks alone");
    }
  }

  bool isArray(const std::string& source) const {
    const ConnectorDescription* connector = module_.connector(source);
    const NodeOutput* output = outputNamed(source);
    return (connector != nullptr && connector->arrayCount > 0) ||
           (output != nullptr && output->arrayCount > 0);
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
    if (connector != nullptr && connector->direction == Direction::output) {
      error(key, fmt::format("'{}' is an output of the module", source), suggest(source, known));
    } else if (owner == node_.name && owner != source) {
      error(key, fmt::format("'{}' is an output of the node itself", source),
            "feedback = true: the previous frame's value");
    } else if (const NodeDescription* later = module_.node(owner);
               later != nullptr && owner != source && later > &node_) {
      error(key, fmt::format("the node '{}' comes later", owner),
            "nodes are in the order of evaluation; feedback = true: the previous frame's value");
    } else {
      error(key, fmt::format("'{}' is neither an input connector nor an earlier node's output", source),
            suggest(source, known));
    }
  }

  void checkArray(const std::string& key, const NodeOutput& output) {
    if (node_.kind == NodeKind::reduce && output.arrayCount == 0) {
      error(key, fmt::format("a reduce makes arrays, but '{}' is an image", output.name), "write array = 1");
    }
    if (node_.reduce.counts && (node_.outputs.size() != 1 || output.arrayCount != node_.reduce.bins ||
                                !output.format || output.format->format != Format::u32)) {
      error(key, "the counts of a histogram are an array of u32 with as many elements as it has bins",
            fmt::format("write format = \"u32\", array = {}", node_.reduce.bins));
    }
    if (output.arrayCount > 0 && !output.planes &&
        (node_.kind == NodeKind::pointwise || node_.kind == NodeKind::stencil)) {
      error(key + ".array", fmt::format("a {} node makes images", wordOf(nodeKindWords(), node_.kind)),
            "arrays come from a reduce or a kernel");
    }
    if (output.planes) {
      checkPlanes(key, output);
    } else if (output.arrayCount == anyCount && node_.kind == NodeKind::reduce) {
      error(key + ".array", "a reduce's array has a number of elements");
    } else if (output.arrayCount > maxReduced && node_.kind == NodeKind::reduce) {
      error(key + ".array",
            fmt::format("a reduce makes at most {} elements, not {}", maxReduced, output.arrayCount));
    }
    const bool mayBeHalf = node_.kind != NodeKind::reduce && !output.planes;
    if (output.arrayCount > 0 && !holdsOnly(output, mayBeHalf)) {
      error(key + ".format", mayBeHalf       ? "an array holds f16, f32 or u32"
                             : output.planes ? "planes hold f32 or u32"
                                             : "a reduce's array holds f32 or u32");
    }
    if (output.tile && (node_.kind != NodeKind::kernel || output.arrayCount == 0 || output.planes ||
                        !output.connector.empty())) {
      error(
          key + ".tile",
          fmt::format("'{}' is not an array that a kernel makes for other nodes of its module", output.name));
    }
    const bool mayBegin = node_.kind == NodeKind::kernel && output.arrayCount > 0;
    if (output.kept && !mayBegin) {
      error(key + ".kept",
            fmt::format("'{}' is not an array that a kernel makes: only those are kept", output.name),
            "an input with feedback = true has an output's value of the previous frame");
    } else if (output.kept && !node_.kernel.repeat.empty()) {
      error(key + ".kept", fmt::format("'{}' is kept, but its node runs several times a frame", output.name));
    }
    if (output.zeroed && (!mayBegin || output.kept || !node_.kernel.repeat.empty())) {
      error(key + ".zeroed",
            fmt::format(
                "'{}' can't begin as zeros: that takes an array of a kernel, not kept, without `repeat`",
                output.name));
    }
  }

  // Whether the output's format, or all formats that its parameter may choose, are of arrays.
  bool holdsOnly(const NodeOutput& output, bool mayBeHalf) const {
    const auto isAllowed = [&](Format format) {
      return format == Format::f32 || format == Format::u32 || (mayBeHalf && format == Format::f16);
    };
    if (!output.format || output.format->parameter.empty()) {
      return !output.format || isAllowed(output.format->format);
    }
    const ParameterDescription* parameter = module_.parameter(output.format->parameter);
    return parameter == nullptr || std::ranges::all_of(parameter->choices, [&](const std::string& word) {
             const std::optional<Format> format = formatFromName(word);
             return !format || isAllowed(*format);
           });
  }

  void checkPlanes(const std::string& key, const NodeOutput& output) {
    const bool isTold = node_.kind == NodeKind::source || node_.kind == NodeKind::native;
    if (!isTold && node_.kind != NodeKind::kernel) {
      error(key + ".planes", fmt::format("a {} node makes no planes", wordOf(nodeKindWords(), node_.kind)),
            "planes come from kernels, sources and native nodes");
    } else if (isTold && (output.planes->value > 0 || !output.planes->parameter.empty())) {
      error(key + ".planes", "native code states the number of planes", "write planes = true");
    }
    if (output.channels && componentCount(*output.channels) > 1) {
      error(key + ".channels", "planes have one number a pixel: y, depth or any1");
    }
  }

  void checkConnector(const std::string& key, const NodeOutput& output) {
    const ConnectorDescription* connector = module_.connector(output.connector);
    if (connector == nullptr || connector->direction != Direction::output) {
      const auto isOutput = [](const auto& each) { return each.direction == Direction::output; };
      error(key, fmt::format("the module has no output connector '{}'", output.connector),
            suggest(output.connector, namesIn(module_.connectors, isOutput)));
    } else if (output.planes && !connector->planes) {
      error(key, fmt::format("'{}' is planes, but the connector '{}' is not", output.name, connector->name),
            "write planes = true at the connector");
    } else if (connector->planes && !output.planes) {
      error(key, fmt::format("the connector '{}' is planes, but '{}' is not", connector->name, output.name),
            "write 'planes' at the node's output");
    }
  }

  void checkOutputs() {
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      const std::string key = fmt::format("outputs[{}]", i);
      const NodeOutput& output = node_.outputs[i];
      if (output.format) {
        checkFormat(key + ".format", *output.format);
      }
      checkArray(key, output);
      if (!output.colourParameter.empty()) {
        checkChoice(key + ".colour", output.colourParameter, "colour tags", namesOf(colourWords()));
      }
      if (!output.patternParameter.empty()) {
        checkChoice(key + ".pattern", output.patternParameter, "patterns", patternWords());
      }
      if (!output.connector.empty()) {
        checkConnector(key + ".connector", output);
      }
    }
  }

  void checkBindings() {
    for (const auto& [name, source] : node_.bind) {
      const ParameterDescription* parameter = module_.parameter(name);
      if (parameter == nullptr) {
        error("bind." + name, fmt::format("there is no parameter '{}'", name),
              suggest(name, namesIn(module_.parameters)));
      } else if (parameter->type != ParameterType::floating || parameter->count != 1) {
        error("bind." + name, fmt::format("'{}' cannot be bound: it is not one number of type float", name));
      }
      checkBound("bind." + name, source);
    }
  }

  void checkBound(const std::string& key, const std::string& source) {
    if (const ConnectorDescription* connector = module_.connector(source);
        connector != nullptr && connector->direction == Direction::input) {
      if (connector->arrayCount != 1 || connector->channels != std::vector{Channels::y} ||
          connector->formats != std::vector{Format::f32}) {
        error(key, fmt::format("'{}' is not an array of one y in f32", source),
              "write channels = \"y\", formats = \"f32\", array = 1 at that connector");
      }
      return;
    }
    const std::vector<std::string> known = outputsBefore(index_);
    if (source.empty() || !contains(known, source)) {
      error(key, fmt::format("'{}' is not an output of an earlier node", source), suggest(source, known));
      return;
    }
    const NodeOutput* output = outputNamed(source);
    const bool single = output != nullptr && output->arrayCount == 1 &&
                        output->channels.value_or(Channels::rgba) == Channels::y;
    const bool f32 = output != nullptr && output->format && output->format->parameter.empty() &&
                     output->format->format == Format::f32;
    if (!single || !f32) {
      error(key, fmt::format("'{}' is not an array of one y in f32", source),
            "write channels = \"y\", format = \"f32\", array = 1 at that output");
    }
  }

  void checkConstants() {
    if (node_.kernel.matrix) {
      checkMatrixWidth("kernel.workgroup", node_.kernel.workgroup[0]);
    }
    const std::string table = node_.kind == NodeKind::stencil ? "stencil" : "kernel";
    for (const NodeConstant& constant : node_.constants) {
      const std::string key = table + ".constants." + constant.name;
      if (constant.parameter.empty()) {
        if (constant.number < INT32_MIN || constant.number > INT32_MAX) {
          error(key, fmt::format("{} is not a number of 32 bits", constant.number));
        }
        continue;
      }
      const ParameterDescription* parameter = structural(key, constant.parameter);
      if (parameter != nullptr && parameter->type == ParameterType::string) {
        error(key, fmt::format("the parameter '{}' is a string, and constants are numbers, bools or choices",
                               constant.parameter));
      }
    }
    if (!node_.kernel.repeat.empty()) {
      checkCount("kernel.repeat", {0, node_.kernel.repeat}, 1, maxRepeats);
      if (node_.inputs.empty() || node_.outputs.empty()) {
        error("kernel.repeat", "a repeated node needs an input and an output");
      }
    }
  }

  void checkExtentOf() {
    std::vector<std::string> known = namesIn(node_.inputs);
    for (const NodeOutput& output : node_.outputs) {
      known.push_back(output.name);
    }
    const std::string& wanted = node_.kernel.extentOf;
    if (!wanted.empty() && !contains(known, wanted)) {
      error("kernel.extent_of", fmt::format("'{}' is neither an input nor an output of the node", wanted),
            suggest(wanted, known));
    }
  }
};

}  // namespace

void checkNode(const ModuleDescription& module, size_t index, TomlFile& file) {
  NodeCheck(module, index, file).run();
  checkStencil(module, index, file);
  checkExtents(module, index, file);
}

}  // namespace lacuna
