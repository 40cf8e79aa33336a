#pragma once
// What `lacuna compare` does beside comparing two pictures.

#include <optional>

#include "tools/lacuna/commands.h"

namespace lacuna {

// A B ... REFERENCE --blocks 10x10: differences from a reference, block by block (tools/metrics/block_rms.h).
// All mistakes in the arguments and in the files' sizes are printed at once, before anything is written.
int compareBlocks(const CompareArguments& arguments, nlohmann::ordered_json& out);

// A_%04d.exr B_%04d.exr: a row for each frame, and means; with the temporal error (graph/pictures/compare.h)
// of each frame that follows another one. All names are of sequences. Throws FileError.
int compareSequences(const CompareArguments& arguments, nlohmann::ordered_json& out);

// Limits for scripts: exitOk; or exitFailed, with a line for each limit that is exceeded or metric that can't
// be measured. If values are NaN or infinite, limits on relative errors, which omit them, count as exceeded.
// `temporal`: for sequences, whose metrics are means over the frames.
int checkLimits(const CompareLimits& limits, const Metrics& metrics,
                const std::optional<double>& temporal = std::nullopt);

}  // namespace lacuna
