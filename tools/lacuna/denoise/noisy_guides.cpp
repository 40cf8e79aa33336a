#include "tools/lacuna/denoise/noisy_guides.h"

#include "graph/files/standard_streams.h"
#include "graph/parallel.h"
#include "tools/metrics/guide_noise.h"

namespace lacuna {
namespace {

constexpr double mostNoisy = 0.1;

bool hasNoisyGuides(const DenoiseJob& job) {
  const Planes taken = takenPlanes(job);
  const bool isChosenHere = job.method == Method::unet && !job.weights && job.strength > 0;
  if (!isChosenHere || taken.motion || !(taken.normal || taken.depth) || job.input.info.codec != "exr" ||
      job.input.file == standardStream) {
    return false;
  }
  const std::string file =
      job.input.isSequence() ? job.input.fileOf(job.input.numbers.front()) : job.input.file;
  const auto isNoisy = [&](const std::string& guide) {
    ReadOptions options;
    for (const std::string& plane : {std::string("output"), guide})
      options.layers[plane] = job.input.info.layerOf(plane);
    return shareOfNoise(file, guide, options) > mostNoisy;
  };
  try {
    return (taken.normal && isNoisy("normal")) || (taken.depth && isNoisy("depth"));
  } catch (const FileError&) {
    return false;  // damaged files are reported where they are denoised
  }
}

}  // namespace

void findNoisyGuides(std::vector<DenoiseJob>& jobs) {
  inParallel(jobs.size(), [&](size_t i) { jobs[i].hasNoisyGuides = hasNoisyGuides(jobs[i]); });
}

}  // namespace lacuna
