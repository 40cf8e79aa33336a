#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>

#include "cnn-unet/network/network.h"
#include "graph/lists.h"

namespace lacuna {
namespace {

Planes planesOfWeights(const std::string& file) {
  Planes planes;
  const std::vector<unet::Plane> input = unet::readDescription(file).input;
  for (const unet::Plane plane : input) {
    planes.albedo |= plane == unet::Plane::albedo;
    planes.normal |= plane == unet::Plane::normal;
    planes.depth |= plane == unet::Plane::depth;
    planes.motion |= plane == unet::Plane::accumulated || plane == unet::Plane::warped;
  }
  if (planes.motion != contains(input, unet::Plane::filtered))
    throw unet::FileError(
        fmt::format("{}: of 'warped' and 'filtered' it reads one; expected both or none", file));
  return planes;
}

}  // namespace

void takeWeights(std::vector<DenoiseJob>& jobs, const std::string& file, std::vector<std::string>& problems) {
  if (file.empty())
    return;
  try {
    const UnetWeights weights{file, planesOfWeights(file)};
    for (DenoiseJob& job : jobs) {
      const std::string lacking = guidesBeside(weights.planes, planesOf(job.input));
      if (job.method != Method::unet)
        problems.push_back(fmt::format("--weights {}: {} is for {}, which takes none; expected --method {}",
                                       file, job.input.file, nameOf(job.method), nameOf(Method::unet)));
      else if (!lacking.empty())
        problems.push_back(fmt::format("--weights {}: they are for pictures with {}; {} has no {}", file,
                                       guidesBeside(weights.planes, {}), job.input.file, lacking));
      else if (weights.planes.motion && !planesOf(job.input).motion)
        problems.push_back(fmt::format("--weights {}: they are for sequences with motion; {} has none", file,
                                       job.input.file));
      job.weights = weights;
    }
  } catch (const unet::FileError& error) {
    problems.push_back(fmt::format("--weights {}", error.what()));
  }
}

}  // namespace lacuna
