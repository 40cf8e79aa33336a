#include "graph/door/errors.h"
#include "graph/door/state.h"

namespace lacuna {

Trace::Trace() : state_(std::make_unique<door::TraceState>()) {
  state_->profile.nameThread("main");
}

Trace::~Trace() = default;

std::string Trace::json() const {
  return state_->profile.json();
}

void Trace::write(const std::string& path) const {
  door::guarded([&] { state_->profile.write(path); });
}

}  // namespace lacuna
