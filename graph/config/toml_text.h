#pragma once
// Texts that toml++ 3.3 must not see: it assumes, unchecked, that they are right, which is undefined
// behaviour in a release build.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace lacuna {

struct TomlTextError {
  size_t offset = 0;  // in bytes
  std::string message;
  std::string hint;
};

// The first of: a character outside ASCII outside strings and comments, a [header] that does not start with a
// name, a '}' in an open list.
std::optional<TomlTextError> findUnsafeToml(std::string_view toml);

}  // namespace lacuna
