#pragma once
// An estimate of a chain's time under a schedule that was not measured: a sum over its passes (operations,
// reads by way of images, buffers and shared memory, bytes, registers), with constants fitted to measurements
// of one GPU (NVIDIA H200) and one CPU device (Mesa's lavapipe). graph/schedule/README.md states its error;
// only the order of the candidates counts; absolute times of other devices are guesses.

#include <array>
#include <string_view>

#include "graph/device_model.h"
#include "graph/families/family.h"
#include "graph/passes/pass.h"
#include "graph/schedule/knowledge.h"

namespace lacuna {

// A candidate's work, in billions (of operations, words, bytes); the model's constants are milliseconds for
// each. It is public so that the constants can be fitted.
enum class CostTerm {
  arithmetic,    // operations of bodies, with those of weights and bounds
  special,       // exp2, log2, sqrt, division
  imageReads,    // texels fetched
  rowReads,      // of those, by invocations that stand in rows (StencilSchedule::quads)
  bufferReads,   // pixels loaded from storage buffers
  bufferWords,   // words of those
  sharedReads,   // words read from shared memory
  sharedWrites,  // words written there
  imageWrites,   // pixels stored
  restored,      // pixels that are put back from permuted layouts, where they lie far apart, into images
  bufferWrites,
  threads,      // set-up of an invocation
  barriers,     // pixels whose workgroup waits for its tile
  permutation,  // steps of index arithmetic in permuted layouts, a pixel and level
  bytes,        // of memory, each pixel once a pass
  passes,       // in billions, too
};
constexpr size_t costTermCount = static_cast<size_t>(CostTerm::passes) + 1;
using CostTerms = std::array<double, costTermCount>;

// `alone`: the chain's graph, with its passes (schedule/maker.h).
CostTerms costTerms(const NodeGraph& alone, const Table<PassId, Pass>& passes, const FilterWork& work,
                    bool onCpu);

// Factor on the time of a thread's computations, for its registers.
double registerPressure(const StencilUse& use, const FilterWork& work, const DeviceModel& device);

double estimateMs(const NodeGraph& alone, const StencilSchedule& schedule, const Table<PassId, Pass>& passes,
                  const FilterWork& work, const DeviceModel& device);

// Processor time for compiling the passes' shaders with cold caches, by the number of taps in their code.
double estimateCompileMs(const NodeGraph& alone, const Table<PassId, Pass>& passes);

}  // namespace lacuna
