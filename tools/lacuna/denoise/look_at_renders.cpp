#include "tools/lacuna/denoise/steps.h"

#include "graph/files/standard_streams.h"
#include "graph/parallel.h"
#include "tools/metrics/guides.h"

namespace lacuna {
namespace {

// The network has less error without normals, or depths, of which a larger share is noisy.
constexpr double mostNoisyNormals = 0.06, mostNoisyDepths = 0.02;
// Of normals and depths: pixels are then mixtures of surfaces all over, as by the blur of a lens, and so is
// albedo, whose own textures look like noise.
constexpr double mostMixed = 0.25;

ReadOptions optionsFor(const DenoiseInput& input, const std::vector<std::string>& planes) {
  ReadOptions options;
  for (const std::string& plane : planes)
    options.layers[plane] = input.info.layerOf(plane);
  return options;
}

// Of a sequence, in its first frame.
FloatPlane readGuide(const DenoiseInput& input, const std::string& plane) {
  const int first = input.isSequence() ? input.numbers.front() : 0;
  const auto own = input.guides.find(plane);
  if (own != input.guides.end())
    return readFloats(framePath(own->second.file, first), own->second.output(), own->second.options());
  return readFloats(input.fileOf(first), plane, optionsFor(input, {"output", plane}));
}

std::vector<std::string> noisyGuides(const DenoiseJob& job) {
  const Planes taken = takenPlanes(job);
  if (job.method != Method::unet || job.weights || taken.motion)
    return {};
  std::vector<std::string> noisy;
  bool areMixed = taken.normal || taken.depth;
  for (const std::string_view guide : guidesOf(taken)) {
    if (guide == "albedo")
      continue;
    const FloatPlane plane = readGuide(job.input, std::string(guide));
    const double share = shareOfNoise(plane, guide);
    if (share > (guide == "normal" ? mostNoisyNormals : mostNoisyDepths))
      noisy.emplace_back(guide);
    areMixed = areMixed && (share > mostMixed ||
                            (guide == "normal" && taken.depth && shareOfMixtures(plane) > mostMixed));
  }
  if (areMixed)
    noisy.emplace_back("albedo");
  return noisy;
}

bool isOpaque(const DenoiseJob& job) {
  if (job.input.info.codec != "exr" || job.input.isSequence() || !job.input.info.hasAlpha())
    return false;
  const std::vector<float> values =
      readFloats(job.input.file, "output", optionsFor(job.input, {"output"})).values;
  for (size_t alpha = 3; alpha < values.size(); alpha += 4)
    if (values[alpha] != 1.0F)
      return false;
  return true;
}

}  // namespace

void lookAtRenders(std::vector<DenoiseJob>& jobs) {
  inParallel(jobs.size(), [&](size_t i) {
    DenoiseJob& job = jobs[i];
    if (!(job.strength > 0) || job.input.file == standardStream)
      return;
    try {
      job.isOpaque = isOpaque(job);
      job.noisyGuides = noisyGuides(job);
    } catch (const FileError&) {  // damaged files are reported where they are denoised
    }
  });
}

}  // namespace lacuna
