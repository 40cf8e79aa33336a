#pragma once
// What a program's own callbacks throw goes through the runtime untouched: it may be of any type, also one
// that the runtime throws.

#include <exception>
#include <functional>

namespace lacuna::door {

struct CallbackError {
  std::exception_ptr original;
};

// Calls back; what is thrown there is wrapped for rethrowAsError() (errors.h).
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
