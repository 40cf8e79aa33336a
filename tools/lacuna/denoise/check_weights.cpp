#include "tools/lacuna/denoise/check_weights.h"

#include <fmt/format.h>

#include "cnn-unet/network/network.h"

namespace lacuna {
namespace {

Planes planesOfWeights(const std::string& file) {
  Planes planes;
  for (const unet::Plane plane : unet::readDescription(file).input) {
    planes.albedo |= plane == unet::Plane::albedo;
    planes.normal |= plane == unet::Plane::normal;
    planes.depth |= plane == unet::Plane::depth;
  }
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
      job.weights = weights;
    }
  } catch (const unet::FileError& error) {
    problems.push_back(fmt::format("--weights {}", error.what()));
  }
}

}  // namespace lacuna
