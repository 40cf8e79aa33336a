#include <algorithm>
#include <cstring>

#include "graph/record/fill_block.h"

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

void ParameterBlocks::fill(const Passes& passes, PassId pass, int frame, std::span<std::byte> block) {
  if (const auto found = still_.find(pass); found != still_.end()) {
    std::ranges::copy(found->second, block.begin());
    return;
  }
  const Pass& of = passes.passes[pass];
  fillBlock(passes, of, frame, block, set_);
  const bool moves = std::ranges::any_of(of.block, [&](const BlockField& field) {
    return !passes.graph.modules.modules[field.module].parameter(field.parameter).keyframes.empty();
  });
  if (!moves)
    still_[pass].assign(block.begin(), block.end());
}

void ParameterBlocks::set(ModuleId module, const std::string& parameter, ParameterValues values) {
  set_[{module, parameter}] = std::move(values);
  still_.clear();
}

}  // namespace lacuna
