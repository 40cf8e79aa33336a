#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "graph/module/table_checker.h"

namespace lacuna {
namespace {

// Inherited entries, each replaced by the module's own of the same name; its others follow.
template <typename T>
void prepend(const std::vector<T>& taken, std::vector<T>& own) {
  std::vector<T> all;
  for (const T& each : taken) {
    const T* other = findNamed(own, each.name);
    all.push_back(other == nullptr ? each : *other);
  }
  std::ranges::copy_if(own, std::back_inserter(all),
                       [&](const T& each) { return findNamed(taken, each.name) == nullptr; });
  own = std::move(all);
}

class AliasReader {
 public:
  AliasReader(const ModuleDescription& base, ModuleDescription& module, TomlFile& file)
      : base_(base), alias_(module.alias), module_(module), file_(file) {}

  void run() {
    if (base_.code.empty()) {
      file_.error("alias", fmt::format("'{}' has no 'code' that another module could have", base_.name));
      return;
    }
    module_.code = base_.code;
    takeNodes();
    takeConnectors();
    takeParameters();
    for (const auto& [name, word] : alias_.fixed)
      checkFixed(name, word);
  }

 private:
  // Fixed parameters are known, except those that native code sets.
  const ParameterValue* known(const std::string& name) {
    const auto found = alias_.fixed.find(name);
    return found == alias_.fixed.end() ? nullptr : &(values_[name] = found->second);
  }

  void takeNodes() {
    std::vector<NodeDescription> taken;
    for (NodeDescription node : base_.nodes) {
      auto when = remaining(node.when, [&](const std::string& name) { return known(name); });
      if (!when)
        continue;
      node.when = std::move(*when);
      if (!node.shader.empty())
        node.shader = (std::filesystem::path("..") / base_.name / node.shader).lexically_normal();
      taken.push_back(std::move(node));
    }
    prepend(taken, module_.nodes);
  }

  // Parameters that its nodes read and make.
  void takeConnectors() {
    std::vector<ConnectorDescription> taken;
    std::ranges::copy_if(
        base_.connectors, std::back_inserter(taken), [&](const ConnectorDescription& connector) {
          return std::ranges::any_of(module_.nodes,
                                     [&](const NodeDescription& node) { return uses(node, connector.name); });
        });
    withoutScope(taken);
    prepend(taken, module_.connectors);
  }

  static bool uses(const NodeDescription& node, const std::string& connector) {
    return std::ranges::any_of(node.inputs,
                               [&](const NodeInput& input) { return input.source == connector; }) ||
           std::ranges::any_of(node.outputs,
                               [&](const NodeOutput& output) { return output.connector == connector; });
  }

  void takeParameters() {
    std::vector<ParameterDescription> taken;
    for (size_t i = 0; i < alias_.parameters.size(); ++i) {
      const std::string& name = alias_.parameters[i];
      const ParameterDescription* of = findNamed(module_.parameters, name);
      if (of == nullptr)
        of = base_.parameter(name);
      if (of == nullptr) {
        file_.error(fmt::format("parameters[{}]", i),
                    fmt::format("'{}' has no parameter '{}'", base_.name, name),
                    suggest(name, namesIn(base_.parameters)));
      } else {
        taken.push_back(*of);
      }
    }
    for (const ParameterDescription& parameter : base_.parameters) {
      const auto fixed = alias_.fixed.find(parameter.name);
      if (fixed != alias_.fixed.end() || parameter.settled) {
        taken.push_back(parameter);
        taken.back().settled = true;
      }
      if (fixed != alias_.fixed.end())
        taken.back().defaults = {fixed->second};
    }
    withoutScope(taken);
    prepend(taken, module_.parameters);
  }

  // An alias has only one purpose, so the 'for' of its base's parts doesn't apply.
  template <typename T>
  static void withoutScope(std::vector<T>& taken) {
    for (T& each : taken)
      each.scope.clear();
  }

  void checkFixed(const std::string& name, const std::string& word) {
    const ParameterDescription* parameter = base_.parameter(name);
    if (parameter == nullptr || parameter->type != ParameterType::choice) {
      file_.error("fixed." + name, fmt::format("'{}' has no choice '{}'", base_.name, name),
                  suggest(name, namesIn(base_.parameters)));
    } else if (!contains(parameter->choices, word)) {
      file_.error("fixed." + name, fmt::format("'{}' cannot be '{}'", name, word),
                  suggest(word, parameter->choices));
    }
  }

  const ModuleDescription& base_;
  const Alias& alias_;
  ModuleDescription& module_;
  TomlFile& file_;
  std::map<std::string, ParameterValue> values_;
};

}  // namespace

void takeOver(const ModuleDescription& base, ModuleDescription& module, TomlFile& file) {
  AliasReader(base, module, file).run();
}

}  // namespace lacuna
