// lacuna compare A B: differences of A from the reference B. Numbers on stdout, messages on stderr.
// Sequences: compare_sequence.cpp; blocks: compare_blocks.cpp.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "graph/files/standard_streams.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/commands.h"
#include "tools/lacuna/compare/comparisons.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

void printText(const Metrics& metrics, const std::optional<Metrics>& baseline) {
  fmt::print("relMSE               {}\n", metricText(metrics.relMse, "{:.6g}"));
  fmt::print("PSNR                 {}\n", metricText(metrics.psnr, "{:.2f} dB"));
  fmt::print("SSIM                 {}\n", metricText(metrics.ssim, "{:.5f}"));
  fmt::print("FLIP                 {}\n", metricText(metrics.flip, "{:.5f}"));
  fmt::print("max relative error   {}\n", metricText(metrics.maxRelativeError, "{:.6g}"));
  fmt::print("mean relative error  {}\n", metricText(metrics.meanRelativeError, "{:.6g}"));
  fmt::print("NaN or infinite      {}\n", metrics.notFinite);
  if (baseline) {
    fmt::print("relMSE of baseline   {}, {} below it\n", metricText(baseline->relMse, "{:.6g}"),
               timesText(baseline->relMse, metrics.relMse));
  }
}

int comparePictures(const CompareArguments& arguments, nlohmann::ordered_json& out) {
  if (arguments.difference) {
    checkDifferenceFile(*arguments.difference,
                        {arguments.image(), arguments.reference(), arguments.baseline});
  }
  std::vector<std::string> files = arguments.images;
  if (!arguments.baseline.empty())
    files.push_back(arguments.baseline);
  checkLayers(files, arguments.layer);
  const ColourImage image = loadCompared(arguments.image(), arguments.layer),
                    reference = loadCompared(arguments.reference(), arguments.layer);
  const Named a{arguments.image(), &image}, b{arguments.reference(), &reference};
  checkComparable(a, b);
  std::optional<Metrics> baseline;
  if (!arguments.baseline.empty()) {
    const ColourImage noisy = loadCompared(arguments.baseline, arguments.layer);
    checkComparable({arguments.baseline, &noisy}, b);
    baseline = compare(noisy, reference);
  }
  warnOfAlpha(a, b);
  if (arguments.difference) {
    try {
      writeDifference(*arguments.difference, image, reference);
    } catch (const FileError& error) {
      printError(error.what());
      return exitFiles;
    }
  }
  const Metrics metrics = compare(image, reference);
  warnNotFinite(metrics.notFinite);
  if (!arguments.json)
    printText(metrics, baseline);
  out["image"] = arguments.image();
  out["reference"] = arguments.reference();
  out["width"] = image.extent.width;
  out["height"] = image.extent.height;
  out.update(toJson(metrics));
  if (baseline) {
    out["baseline"] = {{"image", arguments.baseline},
                       {"relMSE", finiteJson(baseline->relMse)},
                       {"relMSETimesBelow", timesJson(baseline->relMse, metrics.relMse)}};
  }
  return checkLimits(arguments.limits, metrics);
}

// Arguments that don't apply: options of sequences or of blocks, and pictures beyond two. Empty:
// nothing.
std::string unusedHere(const CompareArguments& a, bool areSequences) {
  const CompareArguments plain;
  if (a.images.size() > 2 && !a.page) {
    return fmt::format(
        "{} pictures: expected one and its reference, or --blocks or --html to compare several with the last",
        a.images.size());
  }
  if (a.images.size() > 2 && a.difference)
    return "--difference is for one picture and its reference; a page shows the others'";
  if (a.crop && !a.page)
    return "--crop is for pages: expected --html, such as --html page.html";
  const char* ofBlocks = a.output ? "--output" : a.limits.maxBlockRatio ? "--max-block-ratio" : nullptr;
  if (ofBlocks != nullptr)
    return fmt::format("{} is for blocks: expected --blocks, such as --blocks 10x10", ofBlocks);
  const char* ofSequences = !a.frames.empty()        ? "--frames"
                            : a.first != plain.first ? "--first"
                            : a.limits.maxTemporal   ? "--max-temporal"
                                                     : nullptr;
  return ofSequences != nullptr && !areSequences
             ? fmt::format("{} is for sequences, but {} is a single picture", ofSequences, a.image())
             : std::string();
}

int compareAll(const CompareArguments& arguments, nlohmann::ordered_json& out) {
  try {
    if (arguments.images.size() < 2)
      throw FileError(fmt::format("{}: expected a second name, the reference's", arguments.image()));
    std::vector<std::string> names = arguments.images;
    if (!arguments.baseline.empty())
      names.push_back(arguments.baseline);
    for (const std::string& name : names)
      if (standardInputName(name) == standardStream)
        throw FileError(fmt::format("{}: `lacuna compare` reads files, not standard input", name));
    if (arguments.blocks)
      return compareBlocks(arguments, out);
    const auto count = std::count_if(names.begin(), names.end(), isSequence);
    const bool areSequences = count == static_cast<std::ptrdiff_t>(names.size());
    if (const std::string mistake = unusedHere(arguments, areSequences); !mistake.empty())
      throw FileError(mistake);
    if (count > 0 && !areSequences) {
      const auto sequence = std::find_if(names.begin(), names.end(), isSequence);
      const auto picture = std::find_if_not(names.begin(), names.end(), isSequence);
      throw FileError(fmt::format("{} is a sequence, but {} a single picture: expected %04d in all names",
                                  *sequence, *picture));
    }
    CompareOne& compareOne = areSequences ? compareSequences : comparePictures;
    return arguments.page ? comparePage(arguments, areSequences, compareOne, out)
                          : compareOne(arguments, out);
  } catch (const FileError& error) {
    printError(error.what());
    return exitUsage;
  }
}

}  // namespace

int runCompare(const CompareArguments& arguments) {
  return reported(arguments.json, [&](nlohmann::ordered_json& out) { return compareAll(arguments, out); });
}

}  // namespace lacuna
