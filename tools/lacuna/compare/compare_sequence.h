#pragma once
// lacuna compare A_%04d.exr B_%04d.exr: a row for each frame, and means. The metrics of pictures, and the
// temporal error (graph/pictures/compare.h) of each frame that follows another one.

#include "tools/lacuna/commands.h"

namespace lacuna {

// All names are of sequences. Throws FileError.
int compareSequences(const CompareArguments& arguments, nlohmann::ordered_json& out);

}  // namespace lacuna
