#pragma once
// What only the pixels of renders tell: guides that are too noisy to help cnn-unet, and alpha that is 1
// everywhere.

#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Looks at OpenEXR files; of sequences without motion, at the first frame for its guides. Sets
// DenoiseJob::noisyGuides: the network has less error without normals, or depths, of which more than 10% are
// like none of their neighbours (tools/metrics/guide_noise.h), and without albedo if over 25% of both are.
// Sets DenoiseJob::isOpaque.
void lookAtRenders(std::vector<DenoiseJob>& jobs);

}  // namespace lacuna
