#include "graph/module/description.h"

#include <algorithm>
#include <limits>

#include "graph/lists.h"

namespace lacuna {
namespace {

bool hasNode(const ModuleDescription& module, NodeKind kind) {
  return std::ranges::any_of(module.nodes, [&](const NodeDescription& node) { return node.kind == kind; });
}

}  // namespace

NumberRange rangeOf(const ParameterDescription& parameter) {
  constexpr double any = std::numeric_limits<double>::infinity();
  using Word = std::numeric_limits<int32_t>;
  const bool isWhole = parameter.type == ParameterType::integer;
  return parameter.range.value_or(isWhole ? NumberRange{Word::min(), Word::max()} : NumberRange{-any, any});
}

const ConnectorDescription* ModuleDescription::connector(const std::string& wanted) const {
  return findNamed(connectors, wanted);
}
const ParameterDescription* ModuleDescription::parameter(const std::string& wanted) const {
  return findNamed(parameters, wanted);
}
const NodeDescription* ModuleDescription::node(const std::string& wanted) const {
  return findNamed(nodes, wanted);
}
bool ModuleDescription::isPlanes(const std::string& source) const {
  if (const ConnectorDescription* found = connector(source))
    return found->planes;
  const size_t dot = std::min(source.find('.'), source.size());
  const NodeDescription* owner = node(source.substr(0, dot));
  const NodeOutput* output =
      owner != nullptr && dot < source.size() ? findNamed(owner->outputs, source.substr(dot + 1)) : nullptr;
  return output != nullptr && output->planes.has_value();
}
bool ModuleDescription::isSource() const {
  return hasNode(*this, NodeKind::source);
}
bool ModuleDescription::isSink() const {
  return hasNode(*this, NodeKind::sink);
}

std::string variantConstantIn(std::string_view word) {
  const size_t digits = word.find_first_of("0123456789");
  const bool valid = digits != std::string_view::npos && digits > 0 &&
                     word.find_first_not_of("0123456789", digits) == std::string_view::npos &&
                     word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == digits;
  return valid ? std::string(word.substr(0, digits)) : std::string();
}

}  // namespace lacuna
