// lacuna compare A B: how far A is from the reference B. Numbers on stdout, messages on stderr. Sequences:
// compare_sequence.cpp.

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "tools/lacuna/compare_images.h"
#include "tools/lacuna/compare_limits.h"
#include "tools/lacuna/compare_sequence.h"
#include "tools/lacuna/messages.h"

namespace lacuna {
namespace {

void printText(const Metrics& metrics, const std::optional<Metrics>& baseline) {
  fmt::print("relMSE               {}\n", metricText(metrics.relMse, "{:.6g}"));
  fmt::print("PSNR                 {}\n", metricText(metrics.psnr, "{:.2f} dB"));
  fmt::print("SSIM                 {}\n", metricText(metrics.ssim, "{:.5f}"));
  fmt::print("max relative error   {}\n", metricText(metrics.maxRelativeError, "{:.6g}"));
  fmt::print("mean relative error  {}\n", metricText(metrics.meanRelativeError, "{:.6g}"));
  fmt::print("NaN or infinite      {}\n", metrics.notFinite);
  if (baseline) {
    fmt::print("relMSE of baseline   {}, {} below it\n", metricText(baseline->relMse, "{:.6g}"),
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
    return checkLimits(arguments.limits, metrics);
  }
  nlohmann::ordered_json json;
  json["image"] = arguments.image;
  json["reference"] = arguments.reference;
  json["width"] = image.extent.width;
  json["height"] = image.extent.height;
  json.update(toJson(metrics));
  if (baseline) {
    json["baseline"] = {{"image", arguments.baseline},
                        {"relMSE", finiteJson(baseline->relMse)},
                        {"relMSETimesBelow", timesJson(baseline->relMse, metrics.relMse)}};
  }
  printJson(json);
  return checkLimits(arguments.limits, metrics);
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
    const std::string given = !arguments.frames.empty()        ? "--frames"
                              : arguments.first != plain.first ? "--first"
                              : arguments.limits.maxTemporal   ? "--max-temporal"
                                                               : "";
    if (!given.empty()) {
      throw FileError(fmt::format("{} is for sequences, but {} is a single picture", given, arguments.image));
    }
    return comparePictures(arguments);
  } catch (const FileError& error) {
    printError(error.what());
    return exitUsage;
  }
}

}  // namespace lacuna
