#pragma once
// A wrong argument of the program.

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace lacuna {

struct CallError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <class... Values>
[[noreturn]] void refuseCall(fmt::format_string<Values...> text, Values&&... values) {
  throw CallError(fmt::format(text, std::forward<Values>(values)...));
}

}  // namespace lacuna
