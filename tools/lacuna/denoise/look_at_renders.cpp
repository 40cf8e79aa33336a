#include "tools/lacuna/denoise/look_at_renders.h"

#include "graph/files/standard_streams.h"
#include "graph/parallel.h"
#include "tools/metrics/exr_floats.h"
#include "tools/metrics/guide_noise.h"

namespace lacuna {
namespace {

constexpr double mostNoisy = 0.1;

bool isReadable(const DenoiseJob& job) {
  return job.strength > 0 && job.input.info.codec == "exr" && job.input.file != standardStream;
}

ReadOptions optionsFor(const DenoiseJob& job, const std::vector<std::string>& planes) {
  ReadOptions options;
  for (const std::string& plane : planes)
    options.layers[plane] = job.input.info.layerOf(plane);
  return options;
}

bool hasNoisyGuides(const DenoiseJob& job) {
  const Planes taken = takenPlanes(job);
  if (job.method != Method::unet || job.weights || taken.motion)
    return false;
  const std::string file =
      job.input.isSequence() ? job.input.fileOf(job.input.numbers.front()) : job.input.file;
  const auto isNoisy = [&](const std::string& guide) {
    return shareOfNoise(file, guide, optionsFor(job, {"output", guide})) > mostNoisy;
  };
  return (taken.normal && isNoisy("normal")) || (taken.depth && isNoisy("depth"));
}

bool isOpaque(const DenoiseJob& job) {
  if (job.input.isSequence() || !job.input.info.hasAlpha())
    return false;
  const std::vector<float> values = readFloats(job.input.file, "output", optionsFor(job, {"output"})).values;
  for (size_t alpha = 3; alpha < values.size(); alpha += 4)
    if (values[alpha] != 1.0F)
      return false;
  return true;
}

}  // namespace

void lookAtRenders(std::vector<DenoiseJob>& jobs) {
  inParallel(jobs.size(), [&](size_t i) {
    DenoiseJob& job = jobs[i];
    if (!isReadable(job))
      return;
    try {
      job.isOpaque = isOpaque(job);
      job.hasNoisyGuides = hasNoisyGuides(job);
    } catch (const FileError&) {  // damaged files are reported where they are denoised
    }
  });
}

}  // namespace lacuna
