#include <algorithm>
#include <cstring>

#include "graph/run/session.h"

namespace lacuna {
namespace {

uint32_t wordOf(const ParameterDescription& description, const ParameterValue& value) {
  if (const auto* number = std::get_if<double>(&value)) {
    const auto single = static_cast<float>(*number);
    uint32_t word = 0;
    std::memcpy(&word, &single, sizeof word);
    return word;
  }
  if (const auto* integer = std::get_if<int64_t>(&value))
    return static_cast<uint32_t>(*integer);
  if (const auto* flag = std::get_if<bool>(&value))
    return *flag ? 1U : 0U;
  const auto& choices = description.choices;
  const auto found = std::ranges::find(choices, std::get<std::string>(value));
  return static_cast<uint32_t>(found - choices.begin());
}

}  // namespace

void fillBlock(const Passes& passes, const Pass& pass, int frame, std::span<std::byte> block,
               const SetValues& set) {
  for (const BlockField& field : pass.block) {
    const ModuleInstance& module = passes.graph.modules.modules[field.module];
    const Parameter& parameter = module.parameter(field.parameter);
    const auto found = set.find({field.module, field.parameter});
    const ParameterValues values = found == set.end() ? valuesAt(parameter, frame) : found->second;
    for (uint32_t i = 0; i < field.count; ++i) {
      const uint32_t word = wordOf(*parameter.description, values[i]);
      std::memcpy(block.data() + field.offset + size_t{i} * field.stride, &word, sizeof word);
    }
  }
}

}  // namespace lacuna
