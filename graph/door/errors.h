#pragma once
// The runtime's exceptions as Error.

#include "graph/door/lacuna/lacuna.h"

namespace lacuna::door {

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
