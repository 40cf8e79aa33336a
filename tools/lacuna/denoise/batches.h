#pragma once
// Pictures that one graph denoises, each as a frame: one plan, one set of pipelines, several in flight.

#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Indices of jobs, each in one batch. Stills share a batch if only their names and pixels differ; sequences,
// raw photographs (whose nodes depend on their lens) and standard input have one each.
std::vector<std::vector<size_t>> batchesOf(const std::vector<DenoiseJob>& jobs);

}  // namespace lacuna
