#pragma once
// Guides that are too noisy to help cnn-unet.

#include <vector>

#include "tools/lacuna/denoise/graph.h"

namespace lacuna {

// Looks at the normals and depths of stills in OpenEXR files, of sequences without motion in the first
// frame's, and sets DenoiseJob::hasNoisyGuides. The network without guides has less error if more than 10% of
// the pixels are like none of their neighbours (tools/metrics/guide_noise.h).
void findNoisyGuides(std::vector<DenoiseJob>& jobs);

}  // namespace lacuna
