#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "graph/config/text.h"
#include "graph/module/condition.h"
#include "graph/module/read_module.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

template <typename T>
std::vector<std::string> namesIn(const std::vector<T>& list) {
  std::vector<std::string> names;
  for (const T& each : list) {
    names.push_back(each.name);
  }
  return names;
}

template <typename T>
const T* findIn(const std::vector<T>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& each) { return each.name == name; });
  return found == list.end() ? nullptr : &*found;
}

class NodeCheck {
 public:
  NodeCheck(const ModuleDescription& module, size_t index, TomlFile& file)
      : module_(module), node_(module.nodes[index]), index_(index), file_(file) {}

  void run() {
    if (!isWrong("kind") && !isWrong("inputs") && !isWrong("outputs")) {
      checkShape();
    }
    checkShader();
    checkWhen();
    checkSources();
    checkOutputs();
    checkBindings();
    if (node_.kind == NodeKind::stencil) {
      checkStencil();
    }
    checkExtentOf();
  }

 private:
  void error(const std::string& key, std::string message, std::string hint = {}) {
    file_.error(fmt::format("node[{}].{}", index_, key), std::move(message), std::move(hint));
  }

  bool isWrong(const std::string& key) const {
    return file_.isWrong(fmt::format("node[{}].{}", index_, key));
  }

  // How many inputs and outputs the kind allows.
  void checkShape() {
    const bool source = node_.kind == NodeKind::source;
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
    std::error_code failed;
    if (!node_.shader.empty() && !fs::is_regular_file(fs::path(module_.folder) / node_.shader, failed)) {
      error("shader", fmt::format("there is no file '{}' in the module's folder", node_.shader));
    }
  }

  // A parameter that may shape the graph; reported if there is none.
  const ParameterDescription* structural(const std::string& key, const std::string& name) {
    const ParameterDescription* parameter = module_.parameter(name);
    if (parameter == nullptr) {
      error(key, fmt::format("there is no parameter '{}'", name), suggest(name, namesIn(module_.parameters)));
    } else if (!parameter->structural) {
      error(key, fmt::format("the parameter '{}' is not structural", name),
            "what changes the graph needs structural = true");
      return nullptr;
    } else if (parameter->count != 1) {
      error(key, fmt::format("the parameter '{}' has {} values", name, parameter->count));
      return nullptr;
    }
    return parameter;
  }

  void checkWhen() {
    if (node_.when.empty()) {
      return;
    }
    const auto condition = parseCondition(node_.when);
    if (!condition) {
      error("when", fmt::format("'{}' is no condition", node_.when),
            "write p, !p, p == value or p != value, p a structural parameter");
      return;
    }
    const ParameterDescription* parameter = structural("when", condition->parameter);
    if (parameter == nullptr) {
      return;
    }
    const std::string value = condition->value.value_or("");
    const bool isChoice = parameter->type == ParameterType::choice;
    if (!condition->value) {
      if (isChoice) {
        error("when", fmt::format("'{}' is a choice: compare it with one of its words", parameter->name));
      }
    } else if (isChoice && !contains(parameter->choices, value)) {
      error("when", fmt::format("'{}' is no choice of '{}'", value, parameter->name),
            suggest(value, parameter->choices));
    } else if (parameter->type == ParameterType::boolean && value != "true" && value != "false") {
      error("when", fmt::format("'{}' is true or false, not '{}'", parameter->name, value));
    } else if ((parameter->type == ParameterType::floating || parameter->type == ParameterType::integer) &&
               !parseNumber(value)) {
      error("when", fmt::format("'{}' is a number, not '{}'", parameter->name, value));
    }
  }

  static bool contains(const std::vector<std::string>& list, const std::string& word) {
    return std::find(list.begin(), list.end(), word) != list.end();
  }

  // Names that a node before this one has for its outputs: "residual.output".
  std::vector<std::string> earlierOutputs() const {
    std::vector<std::string> names;
    for (size_t i = 0; i < index_; ++i) {
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
    std::vector<std::string> known = earlierOutputs();
    for (const ConnectorDescription& connector : module_.connectors) {
      if (connector.direction == Direction::input) {
        known.push_back(connector.name);
      }
    }
    for (size_t i = 0; i < node_.inputs.size(); ++i) {
      const std::string& source = node_.inputs[i].source;
      if (!source.empty() && !contains(known, source)) {
        reportSource(fmt::format("inputs[{}].source", i), source, known);
      }
    }
  }

  void reportSource(const std::string& key, const std::string& source,
                    const std::vector<std::string>& known) {
    const std::string owner = source.substr(0, source.find('.'));
    const ConnectorDescription* connector = module_.connector(source);
    if (connector != nullptr && connector->direction == Direction::output) {
      error(key, fmt::format("'{}' is an output of the module", source), suggest(source, known));
    } else if (owner == node_.name && owner != source) {
      error(key, fmt::format("'{}' is an output of the node itself", source));
    } else if (const NodeDescription* later = module_.node(owner);
               later != nullptr && owner != source && later > &node_) {
      error(key, fmt::format("the node '{}' comes later", owner), "nodes stand in the order of evaluation");
    } else {
      error(key, fmt::format("'{}' is neither an input connector nor an earlier node's output", source),
            suggest(source, known));
    }
  }

  void checkFormat(const std::string& key, const FormatChoice& choice) {
    if (choice.parameter.empty()) {
      return;
    }
    const ParameterDescription* parameter = structural(key, choice.parameter);
    if (parameter == nullptr) {
      return;
    }
    const bool formats =
        parameter->type == ParameterType::choice &&
        std::all_of(parameter->choices.begin(), parameter->choices.end(),
                    [](const std::string& word) { return formatFromName(word).has_value(); });
    if (!formats) {
      error(key, fmt::format("the parameter '{}' is no choice of formats", choice.parameter),
            "its choices must be among " + joinNames(namesOf(formatWords())));
    }
  }

  void checkColour(const std::string& key, const std::string& name) {
    const ParameterDescription* parameter = structural(key, name);
    if (parameter == nullptr) {
      return;
    }
    const bool tags = parameter->type == ParameterType::choice &&
                      std::all_of(parameter->choices.begin(), parameter->choices.end(),
                                  [](const std::string& word) { return colourFromName(word).has_value(); });
    if (!tags) {
      error(key, fmt::format("the parameter '{}' is no choice of colour tags", name),
            "its choices must be among " + joinNames(namesOf(colourWords())));
    }
  }

  void checkArray(const std::string& key, const NodeOutput& output) {
    if (node_.kind == NodeKind::reduce && output.arrayCount == 0) {
      error(key, fmt::format("a reduce makes arrays, but '{}' is an image", output.name), "write array = 1");
    }
    const bool words =
        !output.format || (output.format->parameter.empty() &&
                           (output.format->format == Format::f32 || output.format->format == Format::u32));
    if (output.arrayCount > 0 && !words) {
      error(key + ".format", "an array holds f32 or u32");
    }
  }

  void checkOutputs() {
    std::vector<std::string> outputs;
    for (const ConnectorDescription& connector : module_.connectors) {
      if (connector.direction == Direction::output) {
        outputs.push_back(connector.name);
      }
    }
    for (size_t i = 0; i < node_.outputs.size(); ++i) {
      const std::string key = fmt::format("outputs[{}]", i);
      const NodeOutput& output = node_.outputs[i];
      if (output.format) {
        checkFormat(key + ".format", *output.format);
      }
      checkArray(key, output);
      if (!output.colourParameter.empty()) {
        checkColour(key + ".colour", output.colourParameter);
      }
      if (!output.connector.empty() && !contains(outputs, output.connector)) {
        error(key + ".connector", fmt::format("the module has no output connector '{}'", output.connector),
              suggest(output.connector, outputs));
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
      const std::vector<std::string> known = earlierOutputs();
      if (source.empty() || !contains(known, source)) {
        error("bind." + name, fmt::format("'{}' is no output of an earlier node", source),
              suggest(source, known));
        continue;
      }
      const NodeDescription* owner = module_.node(source.substr(0, source.find('.')));
      const NodeOutput* output = findIn(owner->outputs, source.substr(source.find('.') + 1));
      const bool single = output != nullptr && output->arrayCount == 1 &&
                          output->channels.value_or(Channels::rgba) == Channels::y;
      const bool f32 = output != nullptr && output->format && output->format->parameter.empty() &&
                       output->format->format == Format::f32;
      if (!single || !f32) {
        error("bind." + name, fmt::format("'{}' is no array of one y in f32", source),
              "write channels = \"y\", format = \"f32\", array = 1 at that output");
      }
    }
  }

  void checkCount(const std::string& key, const Count& count) {
    if (count.parameter.empty()) {
      return;
    }
    const ParameterDescription* parameter = structural(key, count.parameter);
    if (parameter == nullptr) {
      return;
    }
    const double least = key == "stencil.levels" ? 1 : 0;
    const double most = key == "stencil.levels" ? 16 : 64;
    if (parameter->type != ParameterType::integer) {
      error(key, fmt::format("the parameter '{}' is not of type int", count.parameter));
    } else if (!parameter->minimum || *parameter->minimum < least || *parameter->maximum > most) {
      error(key,
            fmt::format("the parameter '{}' needs a range within {} to {}", count.parameter, least, most));
    }
  }

  void checkStencil() {
    const StencilDescription& stencil = node_.stencil;
    checkCount("stencil.radius", stencil.radius);
    checkCount("stencil.levels", stencil.levels);
    checkFormat("stencil.state.format", stencil.stateFormat);
    const size_t wanted = 2 * static_cast<size_t>(stencil.radius.value) + 1;
    if (!stencil.weights.empty() && stencil.radius.parameter.empty() && stencil.weights.size() != wanted) {
      error("stencil.weights", fmt::format("a radius of {} needs {} weights, not {}", stencil.radius.value,
                                           wanted, stencil.weights.size()));
    }
    const std::vector<std::string> inputs = namesIn(node_.inputs);
    if (!node_.inputs.empty() && !contains(inputs, "state")) {
      error("inputs", "a stencil needs an input called 'state'", "it is what the levels filter");
    }
    for (size_t i = 0; i < stencil.features.size(); ++i) {
      const std::string& feature = stencil.features[i];
      if (feature == "state" || (!feature.empty() && !contains(inputs, feature))) {
        error(fmt::format("stencil.features[{}]", i), fmt::format("'{}' is no feature input", feature),
              suggest(feature, inputs));
      }
    }
    checkTap();
  }

  void checkTap() {
    const StencilDescription& stencil = node_.stencil;
    std::vector<std::string> from = stencil.features;
    from.insert(from.begin(), "state");
    for (size_t i = 0; i < stencil.tap.size(); ++i) {
      const std::string key = fmt::format("stencil.tap[{}]", i);
      const TapField& field = stencil.tap[i];
      const auto sameName = [&](const TapField& other) { return other.name == field.name; };
      const auto current = stencil.tap.begin() + static_cast<long>(i);
      if (!field.name.empty() && std::any_of(stencil.tap.begin(), current, sameName)) {
        error(key + ".name", fmt::format("the tap field '{}' is there twice", field.name));
      }
      if (field.from.empty()) {
        continue;
      }
      if (!contains(from, field.from)) {
        error(key + ".from", fmt::format("'{}' is neither 'state' nor a feature", field.from),
              suggest(field.from, from));
      }
      const std::string_view stateType = glslType(stencil.stateChannels, Format::f32);
      if (field.from == "state" && contains(tapTypeWords(), field.type) && field.type != stateType) {
        error(key + ".type", fmt::format("the state is a {}, not a {}", stateType, field.type));
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

  const ModuleDescription& module_;
  const NodeDescription& node_;
  size_t index_;
  TomlFile& file_;
};

}  // namespace

void checkNode(const ModuleDescription& module, size_t index, TomlFile& file) {
  NodeCheck(module, index, file).run();
}

}  // namespace lacuna
