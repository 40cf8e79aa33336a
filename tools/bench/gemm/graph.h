#pragma once
// The graph that `lacuna bench gemm` runs: random-array, twice, and coopmat-gemm.

#include <string>
#include <vector>

#include "graph/frame/schedule.h"
#include "graph/vk/device.h"
#include "tools/bench/gemm/samples.h"

namespace lacuna {

constexpr const char* gemmNode = "coopmat-gemm:01:gemm";  // with all nodes that it builds, the product last

// The product goes to a sink in memory. Throws BenchMistake: a module can't be used so.
NodeGraph gemmGraph(const GemmTask& task, const std::vector<std::string>& modules);
// Its schedule with zeros in the product's memory before: what a kernel leaves out then isn't what another
// one has left there.
OrderedPasses withEmptyOutput(OrderedPasses schedule, const std::string& productNode);

// Makes both factors on the device, once for all products of a shape. Throws BenchMistake, vk::DeviceError.
GemmSamples gemmSamples(vk::Device& device, const std::vector<std::string>& modules, const GemmShape& shape);

}  // namespace lacuna
