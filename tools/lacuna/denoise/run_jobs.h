#pragma once
// Runs what `lacuna denoise` has planned: pictures that are alike together, others one after another.

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "tools/lacuna/commands.h"
#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// `code`: the exit code of earlier failures. `out`: for --json; "inputs" has an object for each job.
int runJobs(const DenoiseArguments& arguments, std::vector<DenoiseJob>& jobs, int code,
            nlohmann::ordered_json& out);

}  // namespace lacuna
