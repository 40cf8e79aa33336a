// lacuna compare A B: how far A is from the reference B. Numbers on stdout, messages on stderr. Sequences:
// compare_sequence.cpp.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "tools/lacuna/compare_images.h"
#include "tools/lacuna/compare_sequence.h"

namespace lacuna {
namespace {

void printText(const Metrics& metrics, const std::optional<Metrics>& baseline) {
  fmt::print("relMSE               {:.6g}\n", metrics.relMse);
  fmt::print("PSNR                 {:.2f} dB\n", metrics.psnr);
  fmt::print("SSIM                 {:.5f}\n", metrics.ssim);
  fmt::print("max relative error   {:.6g}\n", metrics.maxRelativeError);
  fmt::print("mean relative error  {:.6g}\n", metrics.meanRelativeError);
  fmt::print("NaN or infinite      {}\n", metrics.notFinite);
  if (baseline) {
    fmt::print("relMSE of baseline   {:.6g}, {} below it\n", baseline->relMse,
               timesText(baseline->relMse, metrics.relMse));
  }
}

int comparePictures(const CompareArguments& arguments) {
  const ColourImage image = loadColour(arguments.image), reference = loadColour(arguments.reference);
  const Named a{arguments.image, &image}, b{arguments.reference, &reference};
  checkComparable(a, b);
  std::optional<Metrics> baseline;
  if (!arguments.baseline.empty()) {
    const ColourImage noisy = loadColour(arguments.baseline);
    checkComparable({arguments.baseline, &noisy}, b);
    baseline = compare(noisy, reference);
  }
  warnOfAlpha(a, b);
  const Metrics metrics = compare(image, reference);
  warnNotFinite(metrics.notFinite);
  if (!arguments.json) {
    printText(metrics, baseline);
    return exitOk;
  }
  nlohmann::ordered_json json;
  json["image"] = arguments.image;
  json["reference"] = arguments.reference;
  json["width"] = image.extent.width;
  json["height"] = image.extent.height;
  json.update(toJson(metrics));
  if (baseline) {
    json["baseline"] = {{"image", arguments.baseline},
                        {"relMSE", baseline->relMse},
                        {"relMSETimesBelow", timesJson(baseline->relMse, metrics.relMse)}};
  }
  printJson(json);
  return exitOk;
}

// A file of that very name is a picture, whatever is in it.
bool isSequence(const std::string& name) {
  std::error_code ignored;
  return !std::filesystem::exists(name, ignored) && namesFrames(name);
}

}  // namespace

int runCompare(const CompareArguments& arguments) {
  try {
    std::vector<std::string> names = {arguments.image, arguments.reference};
    if (!arguments.baseline.empty()) {
      names.push_back(arguments.baseline);
    }
    const auto count = std::count_if(names.begin(), names.end(), isSequence);
    if (count == static_cast<std::ptrdiff_t>(names.size())) {
      return compareSequences(arguments);
    }
    if (count > 0) {
      const auto sequence = std::find_if(names.begin(), names.end(), isSequence);
      const auto picture = std::find_if_not(names.begin(), names.end(), isSequence);
      throw FileError(fmt::format("{} is a sequence, but {} a single picture: expected %04d in all names",
                                  *sequence, *picture));
    }
    const CompareArguments plain;
    if (!arguments.frames.empty() || arguments.first != plain.first) {
      throw FileError(fmt::format("{}: of sequences, but {} is a single picture",
                                  arguments.frames.empty() ? "--first" : "--frames", arguments.image));
    }
    return comparePictures(arguments);
  } catch (const FileError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return exitUsage;
  }
}

}  // namespace lacuna
