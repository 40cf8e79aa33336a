#pragma once
// How a schedule names a constant of a variant and its value: "n4".

#include <cstdint>
#include <string>
#include <string_view>

namespace lacuna {

constexpr int64_t maxVariantConstant = 1024;

// "n" of "n4"; "" for words that are not letters and then digits.
std::string variantConstantIn(std::string_view word);

}  // namespace lacuna
