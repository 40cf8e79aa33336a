#include "graph/module/description.h"

#include <algorithm>
#include <limits>

namespace lacuna {
namespace {

template <typename T>
const T* findByName(const std::vector<T>& list, const std::string& name) {
  const auto found = std::find_if(list.begin(), list.end(), [&](const T& each) { return each.name == name; });
  return found == list.end() ? nullptr : &*found;
}

bool hasNode(const ModuleDescription& module, NodeKind kind) {
  return std::any_of(module.nodes.begin(), module.nodes.end(),
                     [&](const NodeDescription& node) { return node.kind == kind; });
}

}  // namespace

NumberRange rangeOf(const ParameterDescription& parameter) {
  constexpr double any = std::numeric_limits<double>::infinity();
  using Word = std::numeric_limits<int32_t>;
  const bool isWhole = parameter.type == ParameterType::integer;
  return {parameter.minimum.value_or(isWhole ? Word::min() : -any),
          parameter.maximum.value_or(isWhole ? Word::max() : any)};
}

const ConnectorDescription* ModuleDescription::connector(const std::string& wanted) const {
  return findByName(connectors, wanted);
}
const ParameterDescription* ModuleDescription::parameter(const std::string& wanted) const {
  return findByName(parameters, wanted);
}
const NodeDescription* ModuleDescription::node(const std::string& wanted) const {
  return findByName(nodes, wanted);
}
bool ModuleDescription::isPlanes(const std::string& source) const {
  if (const ConnectorDescription* found = connector(source)) {
    return found->planes;
  }
  const size_t dot = std::min(source.find('.'), source.size());
  const NodeDescription* owner = node(source.substr(0, dot));
  return owner != nullptr && dot < source.size() &&
         std::any_of(owner->outputs.begin(), owner->outputs.end(), [&](const NodeOutput& output) {
           return output.name == source.substr(dot + 1) && output.planes.has_value();
         });
}
bool ModuleDescription::isSource() const {
  return hasNode(*this, NodeKind::source);
}
bool ModuleDescription::isSink() const {
  return hasNode(*this, NodeKind::sink);
}

}  // namespace lacuna
