#pragma once
// Types of values on both sides of the ABI of native modules.

#include <optional>

#include "graph/module/abi.h"
#include "graph/module/image_type.h"

namespace lacuna {

// Elements of an array, at most: indices are ints in GLSL.
constexpr uint32_t maxArrayCount = 0x7fffffff;

lacuna_type toAbi(const ValueType& type);
// nullopt: a number that stands for nothing, or neither an image nor an array.
std::optional<ValueType> fromAbi(const lacuna_type& type);

}  // namespace lacuna
