#pragma once
// The images that a program which embeds Lacuna brings and takes.

#include <string>

#include "graph/frame/schedule.h"

namespace lacuna {

// What the source "i-memory:NAME" or the sink "o-memory:NAME" carries: its `name` is what
// Session::uploadMemory() and downloadMemory() ask for, its `type` says how pixels lie there. nullptr: the
// graph has no such source or sink, or no sink needs it.
const Value* memoryValue(const Schedule& schedule, const std::string& instance);

}  // namespace lacuna
