#pragma once
// Types of values on both sides of the ABI of native modules.

#include <optional>

#include "graph/module/abi.h"
#include "graph/module/image_type.h"

namespace lacuna {

lacuna_type toAbi(const ValueType& type);
// nullopt: a number that stands for nothing, or neither an image nor an array.
std::optional<ValueType> fromAbi(const lacuna_type& type);

}  // namespace lacuna
