#pragma once
// Pictures that one graph denoises, each as a frame: one plan, one set of pipelines, several in flight.

#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Indices of jobs, each in one batch. Stills are in one if nothing but their names and pixels differs;
// sequences, raw photographs (whose nodes follow from their lens) and standard input are alone.
std::vector<std::vector<size_t>> batchesOf(const std::vector<DenoiseJob>& jobs);

}  // namespace lacuna
