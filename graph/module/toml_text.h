#pragma once
// What toml++ must not see: outside strings and comments it reads beyond its tables at some non-ASCII bytes.

#include <optional>
#include <string_view>

namespace lacuna {

// Byte offset of the first byte that is not ASCII outside strings and comments.
std::optional<size_t> firstBareNonAscii(std::string_view toml);

}  // namespace lacuna
