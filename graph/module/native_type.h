#pragma once
// Types of values on both sides of the ABI of native modules.

#include <optional>
#include <string>

#include "graph/module/abi.h"
#include "graph/module/image_type.h"

namespace lacuna {

lacuna_type toAbi(const ValueType& type);
// nullopt: a number that stands for nothing, or neither an image nor an array nor planes.
std::optional<ValueType> fromAbi(const lacuna_type& type);
// What is wrong with a type that fromAbi() does not take: "..., 1000 elements, which is no image and no
// array", or "7 elements in the shape (2, 3)".
std::string describeWrong(const lacuna_type& type);

}  // namespace lacuna
