#pragma once
// Pictures that one graph denoises, each as a frame: one plan, one set of pipelines, several in flight.

#include <functional>
#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

struct LoadedGraph;

// Indices of jobs, each in one batch. Stills share a batch if only their names and pixels differ, and what
// modules with `origin` in module.toml make of their files is equal; sequences, raw photographs and standard
// input have one each. `load`: a job's graph.
std::vector<std::vector<size_t>> batchesOf(const std::vector<DenoiseJob>& jobs,
                                           const std::function<LoadedGraph(const DenoiseJob&)>& load);

}  // namespace lacuna
