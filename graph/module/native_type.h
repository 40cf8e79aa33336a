#pragma once
// Types of values on both sides of the ABI of native modules.

#include <optional>
#include <string>

#include "graph/module/abi.h"
#include "graph/module/image_type.h"

namespace lacuna {

// Elements of an array, at most: indices are ints in GLSL.
constexpr uint32_t maxArrayCount = 0x7fffffff;

lacuna_type toAbi(const ValueType& type);
// nullopt: a number that stands for nothing, or neither an image nor an array nor planes.
std::optional<ValueType> fromAbi(const lacuna_type& type);
// What is wrong with a type that fromAbi() does not take: "..., 1000 elements, which is no image and no
// array".
std::string describeWrong(const lacuna_type& type);

}  // namespace lacuna
