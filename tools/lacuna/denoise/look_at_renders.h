#pragma once
// What only the pixels of renders tell: guides that are too noisy to help cnn-unet, and alpha that is 1
// everywhere.

#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Looks at OpenEXR files; of sequences without motion, at the first frame for its guides. Sets
// DenoiseJob::hasNoisyGuides: the network without guides has less error if more than 10% of the pixels are
// like none of their neighbours (tools/metrics/guide_noise.h). Sets DenoiseJob::isOpaque.
void lookAtRenders(std::vector<DenoiseJob>& jobs);

}  // namespace lacuna
