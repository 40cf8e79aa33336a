#pragma once
// lacuna compare A B ... REFERENCE --blocks 10x10: differences of pictures from a reference, block by block
// (tools/metrics/block_rms.h).

#include "tools/lacuna/commands.h"

namespace lacuna {

// All mistakes in the arguments and in the files' sizes are printed at once, before anything is written.
int compareBlocks(const CompareArguments& arguments, nlohmann::ordered_json& out);

}  // namespace lacuna
