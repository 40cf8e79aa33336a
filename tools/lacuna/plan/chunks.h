#pragma once
// `lacuna plan --chunks`: parts of a sequence for several machines.

#include "tools/lacuna/commands.h"

namespace lacuna {

int printChunks(const PlanArguments& arguments);

}  // namespace lacuna
