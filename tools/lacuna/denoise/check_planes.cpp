#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>

#include <algorithm>

#include "cnn-unet/network/network.h"
#include "graph/files/file_name.h"
#include "graph/lists.h"
#include "modules/codecs/exr_channels.h"

namespace lacuna {
namespace {

std::string sizeText(Extent extent) {
  return fmt::format("{} x {}", extent.width, extent.height);
}

std::string mistakeIn(const std::string& file, const ImageInfo& info) {
  if (!info.has("histogram"))
    return fmt::format(
        "{} has no ray histograms: expected an OpenEXR file with channels Bin_0000, Bin_0001, ...", file);
  if (info.histogramBins() > 0)
    return {};
  const auto plane = std::find_if(info.planes.begin(), info.planes.end(),
                                  [](const ImageInfo::Plane& p) { return p.name == "histogram"; });
  return fmt::format(
      "{} has {} channels of ray histograms, up to {}; expected 3 x bins + 1, so one is missing or there are "
      "too many",
      file, plane->channels.size(), plane->channels.back());
}

void checkOtherFile(const std::vector<DenoiseJob>& jobs, const std::string& file, Diagnostics& problems) {
  const auto wrong = [&](const std::string& what) { problems.error({}, "--histogram " + file + what); };
  if (jobs.size() > 1 || jobs.front().input.isSequence()) {
    wrong(": the histograms of one picture, but there are several; expected one picture");
    return;
  }
  const DenoiseJob& job = jobs.front();
  if (job.method != Method::rhf)
    wrong(fmt::format(": --method {} takes no ray histograms; expected rhf", nameOf(job.method)));
  try {
    const ImageInfo info = imageInfo(file);
    if (const std::string mistake = mistakeIn(file, info); !mistake.empty())
      problems.error({}, "--histogram: " + mistake);
    else if (info.extent != job.input.info.extent)
      wrong(fmt::format(" is {}, but {} is {}", sizeText(info.extent), job.input.file,
                        sizeText(job.input.info.extent)));
  } catch (const FileError& error) {
    problems.error({}, fmt::format("--histogram: {}", error.what()));
  }
}

// A sum takes all files from its first to its last number.
void checkFrames(const DenoiseInput& input, Diagnostics& problems) {
  const std::vector<int>& named = input.numbers;
  for (const int number : numberedFiles({}, input.file).numbers)
    if (number > named.front() && number < named.back() &&
        !std::binary_search(named.begin(), named.end(), number)) {
      problems.error(
          {},
          fmt::format("{}: is between {} and {}, but isn't named: rhf sums all frames from the first to the "
                      "last; name it, too, or move it elsewhere",
                      input.fileOf(number), input.fileOf(named.front()), input.fileOf(named.back())));
      return;
    }
}

}  // namespace

void checkHistograms(const std::vector<DenoiseJob>& jobs, const std::string& histogram,
                     Diagnostics& problems) {
  for (const DenoiseJob& job : jobs) {
    const ImageInfo& info = job.input.info;
    if (info.has("histogram") && !info.has("output"))
      problems.error(
          {}, fmt::format("{} has ray histograms and no colour: name their picture, and --histogram {}",
                          job.input.file, job.input.file));
    else if (job.method == Method::rhf && histogram.empty() && info.has("histogram"))
      if (const std::string mistake = mistakeIn(job.input.file, info); !mistake.empty())
        problems.error({}, mistake);
    if (job.input.isSummed)
      checkFrames(job.input, problems);
  }
  if (!histogram.empty() && !jobs.empty())
    checkOtherFile(jobs, histogram, problems);
}

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

void takeWeights(std::vector<DenoiseJob>& jobs, const std::string& file, Diagnostics& problems) {
  if (file.empty())
    return;
  try {
    const UnetWeights weights{file, planesOfWeights(file)};
    for (DenoiseJob& job : jobs) {
      const std::string lacking = guidesBeside(weights.planes, planesOf(job.input));
      if (job.method != Method::unet)
        problems.error({}, fmt::format("--weights {}: {} is for {}, which takes none; expected --method {}",
                                       file, job.input.file, nameOf(job.method), nameOf(Method::unet)));
      else if (!lacking.empty())
        problems.error({}, fmt::format("--weights {}: they are for pictures with {}; {} has no {}", file,
                                       guidesBeside(weights.planes, {}), job.input.file, lacking));
      else if (weights.planes.motion && !planesOf(job.input).motion)
        problems.error({}, fmt::format("--weights {}: they are for sequences with motion; {} has none", file,
                                       job.input.file));
      job.weights = weights;
    }
  } catch (const unet::FileError& error) {
    problems.error({}, fmt::format("--weights {}", error.what()));
  }
}

namespace {

std::string unquoted(const std::string& value) {
  const bool isQuoted = value.size() > 1 && value.front() == '"' && value.back() == '"';
  return isQuoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

std::map<std::string, std::string> namedLayers(const std::vector<std::string>& parameters) {
  std::map<std::string, std::string> layers;
  for (const std::string& word : parameters) {
    for (const std::string& plane : io::exrPlanes()) {
      const std::string name = "i-file:in:" + io::exrLayerParameter(plane) + "=";
      if (word.starts_with(name) && word.size() > name.size())
        layers[plane] = unquoted(word.substr(name.size()));
    }
  }
  return layers;
}

}  // namespace lacuna
