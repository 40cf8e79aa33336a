#pragma once
// Exceptions of a program's own callbacks pass through the runtime unchanged: they may be of any type, also
// of the runtime's.

#include <exception>
#include <functional>

namespace lacuna::door {

struct CallbackError {
  std::exception_ptr original;
};

// Calls a callback; its exceptions are wrapped for rethrowAsError() (errors.h).
template <class Result, class... Arguments>
std::function<Result(Arguments...)> passing(const std::function<Result(Arguments...)>& callback) {
  if (!callback) {
    return {};
  }
  return [callback](Arguments... arguments) -> Result {
    try {
      return callback(std::forward<Arguments>(arguments)...);
    } catch (...) {
      throw CallbackError{std::current_exception()};
    }
  };
}

}  // namespace lacuna::door
