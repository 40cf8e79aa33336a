#include "tools/lacuna/denoise/steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <tuple>

#include "cnn-unet/network/network.h"
#include "graph/files/file_name.h"
#include "graph/lists.h"
#include "modules/codecs/exr_channels.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string sizeText(Extent extent) {
  return fmt::format("{} x {}", extent.width, extent.height);
}

std::string mistakeIn(const std::string& file, const ImageInfo& info) {
  if (!info.has("histogram"))
    return fmt::format(
        "{} has no ray histograms: expected an OpenEXR file with channels Bin_0000, Bin_0001, ...", file);
  if (info.histogramBins() > 0)
    return {};
  const ImageInfo::Plane* plane = info.find("histogram");
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

// Archives that filter the guides of others: rt_alb.tza, or rt_alb_large.tza if there is no such one.
std::map<std::string, std::string> prefiltersIn(const std::string& folder, const Planes& planes) {
  std::map<std::string, std::string> files;
  for (const auto& [plane, name, transfer] : {std::tuple("albedo", "rt_alb", unet::Transfer::albedo),
                                              std::tuple("normal", "rt_nrm", unet::Transfer::normal)}) {
    if (!contains(guidesOf(planes), std::string_view(plane)))
      continue;
    const fs::path base = fs::path(folder) / (name + std::string(".tza")),
                   large = fs::path(folder) / (name + std::string("_large.tza"));
    const std::string file = (fs::exists(base) || !fs::exists(large) ? base : large).string();
    unet::readDescription(file, transfer);
    files[plane] = file;
  }
  return files;
}

// That they are for; `file` for mistakes.
Planes planesOfWeights(const unet::Network& network, const std::string& file) {
  Planes planes;
  for (const unet::Plane plane : network.input) {
    planes.albedo |= plane == unet::Plane::albedo;
    planes.normal |= plane == unet::Plane::normal;
    planes.depth |= plane == unet::Plane::depth;
    planes.motion |= plane == unet::Plane::accumulated || plane == unet::Plane::warped;
  }
  if (planes.motion != contains(network.input, unet::Plane::filtered))
    throw unet::FileError(
        fmt::format("{}: of 'warped' and 'filtered' it reads one; expected both or none", file));
  if (network.isForGuides)
    throw unet::FileError(
        fmt::format("{}: filters albedo or normals; expected an archive for colours, and "
                    "--prefilter FOLDER for guides",
                    file));
  planes.bare = network.isOidn();
  planes.noise = network.isOfPhotographs();
  planes.raw = network.isOfMosaic();
  return planes;
}

// What weights for photographs or renders lack in a picture; "" if they fit.
std::string otherKind(const Planes& weights, const Planes& picture) {
  return weights.noise && weights.raw && !picture.raw        ? "raw photographs with a sensor's mosaic"
         : weights.noise && !weights.raw && !picture.bounded ? "developed photographs, such as PNG and JPEG"
         : !weights.noise && picture.raw                     ? "renders and other developed pictures"
                                                             : "";
}

}  // namespace

void takeWeights(std::vector<DenoiseJob>& jobs, const DenoiseArguments& arguments, Diagnostics& problems) {
  const std::string& file = arguments.weights;
  for (const auto& [option, value] :
       {std::pair("--transfer", arguments.transfer), std::pair("--prefilter", arguments.prefilter)})
    if (file.empty() && !value.empty())
      problems.error({},
                     fmt::format("{} {}: is for archives of Open Image Denoise; expected --weights FILE.tza, "
                                 "too",
                                 option, value));
  if (file.empty())
    return;
  UnetWeights weights{file, {}, arguments.transfer};
  unet::Network network;
  try {
    network = unet::readDescription(
        file, arguments.transfer.empty() ? unet::Transfer::byName : unet::transferNamed(arguments.transfer));
    weights.planes = planesOfWeights(network, file);
  } catch (const unet::FileError& error) {
    problems.error({}, fmt::format("--weights {}", error.what()));
    return;
  }
  try {
    if (!arguments.prefilter.empty())
      weights.prefilters = prefiltersIn(arguments.prefilter, weights.planes);
    if (!arguments.prefilter.empty() && (!weights.planes.bare || weights.prefilters.empty()))
      problems.error(
          {}, fmt::format("--prefilter {}: {} takes no guides that it could filter; expected an archive "
                          "of Open Image Denoise for albedo and normals",
                          arguments.prefilter, file));
  } catch (const unet::FileError& error) {
    problems.error({}, fmt::format("--prefilter {}", error.what()));
  }
  if (network.cleanGuides && arguments.prefilter.empty())
    problems.warn({},
                  fmt::format("--weights {}: expects guides without noise; --prefilter FOLDER filters them, "
                              "by rt_alb.tza and rt_nrm.tza of the folder",
                              file));
  for (DenoiseJob& job : jobs) {
    const std::string lacking = guidesBeside(weights.planes, planesOf(job.input));
    const std::string others = otherKind(weights.planes, planesOf(job.input));
    if (job.isOfOtherPattern)
      continue;
    if (job.method != Method::unet)
      problems.error({}, fmt::format("--weights {}: {} is for {}, which takes none; expected --method {}",
                                     file, job.input.file, nameOf(job.method), nameOf(Method::unet)));
    else if (!others.empty())
      problems.error(
          {}, fmt::format("--weights {}: they are for {}, which {} is not", file, others, job.input.file));
    else if (!lacking.empty())
      problems.error({}, fmt::format("--weights {}: they are for pictures with {}; {} has no {}", file,
                                     guidesBeside(weights.planes, {}), job.input.file, lacking));
    else if (weights.planes.motion && !planesOf(job.input).motion)
      problems.error({}, fmt::format("--weights {}: they are for sequences with motion; {} has none", file,
                                     job.input.file));
    if (network.curve == unet::Curve::srgb && planesOf(job.input).sceneLinear)
      problems.warn({}, fmt::format("--weights {}: is for values from 0 to 1; light above 1 in {} becomes 1",
                                    file, job.input.file));
    job.weights = weights;
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
