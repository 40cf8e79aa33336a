#pragma once
// What toml++ 3.3 must not see: at some wrong texts it assumes, unchecked, that they are right, which is
// undefined behaviour in a release build.

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

// The first of: a character outside ASCII that stands outside strings and comments, a [header] that does not
// start with a name, a '}' in a list that is still open.
std::optional<TomlTextError> findUnsafeToml(std::string_view toml);

}  // namespace lacuna
