#pragma once
// The runtime's diagnostics and exceptions as the door shows them.

#include <string>
#include <vector>

#include "graph/config/diagnostics.h"
#include "graph/door/lacuna/lacuna.h"

namespace lacuna::door {

std::vector<Message> messagesOf(const Diagnostics& diagnostics);
Message messageOf(Severity severity, const std::string& text);  // without a place

// The exception that is being handled: as Error where the runtime threw it, as it came where a callback did.
[[noreturn]] void rethrowAsError();

// work(), whose exceptions become Error.
template <class Work>
auto guarded(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (...) {
    rethrowAsError();
  }
}

}  // namespace lacuna::door
