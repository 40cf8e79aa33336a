#pragma once
// The runtime's exceptions as Error. Those of a program's own callbacks pass through the runtime unchanged:
// they may be of any type, also of the runtime's.

#include <fmt/format.h>

#include <exception>
#include <functional>
#include <utility>

#include "graph/door/lacuna/lacuna.h"

namespace lacuna::door {

// A wrong argument of the program.
template <class... Values>
[[noreturn]] void refuse(fmt::format_string<Values...> text, Values&&... values) {
  throw Error(ErrorKind::call, fmt::format(text, std::forward<Values>(values)...));
}

struct CallbackError {
  std::exception_ptr original;
};

// Calls a callback; its exceptions are wrapped for rethrowAsError().
template <class Result, class... Arguments>
std::function<Result(Arguments...)> passing(const std::function<Result(Arguments...)>& callback) {
  if (!callback)
    return {};
  return [callback](Arguments... arguments) -> Result {
    try {
      return callback(std::forward<Arguments>(arguments)...);
    } catch (...) {
      throw CallbackError{std::current_exception()};
    }
  };
}

// The exception that is being handled: as Error if the runtime threw it, unchanged if a callback did.
[[noreturn]] void rethrowAsError();

// Calls work(), whose exceptions become Error.
template <class Work>
auto guarded(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    rethrowAsError();
  }
}

}  // namespace lacuna::door
