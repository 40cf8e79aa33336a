#include "tools/lacuna/compare/block_comparison.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tools/lacuna/compare/comparisons.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

// If both errors are 0, the ratio is 1; if only the baseline's is 0, it is infinite.
double ratioOf(double error, double baseline) {
  return error == 0.0 && baseline == 0.0 ? 1.0 : error / baseline;
}

// The block with the largest value; none if all are NaN.
std::optional<size_t> largestOf(const std::vector<double>& values) {
  std::optional<size_t> largest;
  for (size_t i = 0; i < values.size(); ++i)
    if (!std::isnan(values[i]) && (!largest || values[i] > values[*largest]))
      largest = i;
  return largest;
}

std::vector<double> ratiosByBlock(const BlockRms& picture, const BlockRms& baseline) {
  std::vector<double> ratios(picture.rms.size());
  std::transform(picture.rms.begin(), picture.rms.end(), baseline.rms.begin(), ratios.begin(), ratioOf);
  return ratios;
}

std::string blockText(const std::optional<size_t>& block) {
  return block ? std::to_string(*block) : "-";
}

Json blockJson(const std::optional<size_t>& block) {
  return block ? Json(*block) : Json();
}

struct ValueColumn {
  const char* name;
  int width;
};
constexpr ValueColumn valueColumns[] = {{"mean", 11}, {"median", 11}, {"worst", 11}, {"in block", 9}};
constexpr ValueColumn ratioColumns[] = {{"mean", 9}, {"worst", 9}, {"in block", 9}, {"worse blocks", 13}};

void printHeads(const BlockComparison& comparison, size_t nameWidth) {
  fmt::print("{:<{}}", "RMS", nameWidth);
  for (const ValueColumn& column : valueColumns)
    fmt::print(" {:>{}}", column.name, column.width);
  if (comparison.hasRatios()) {
    fmt::print("  |");
    for (const ValueColumn& column : ratioColumns)
      fmt::print(" {:>{}}", column.name, column.width);
  }
  fmt::print("\n");
}

void printRow(const BlockComparison& comparison, const BlockPicture& picture, size_t nameWidth) {
  const BlockRms& errors = picture.errors;
  const std::optional<size_t> worst = largestOf(errors.rms);
  fmt::print("{:<{}} {:>11} {:>11} {:>11} {:>9}", terminalText(picture.file), nameWidth,
             metricText(errors.mean, "{:.6g}"), metricText(errors.median, "{:.6g}"),
             worst ? fmt::format("{:.6g}", errors.rms[*worst]) : "-", blockText(worst));
  if (comparison.hasRatios()) {
    const BlockRatios ratios = ratiosOf(errors, comparison.pictures[comparison.baseline].errors);
    fmt::print("  | {:>9} {:>9} {:>9} {:>13}", metricText(ratios.ofMeans, "{:.4f}"),
               ratios.worst ? fmt::format("{:.4f}", ratios.worstRatio) : "-", blockText(ratios.worst),
               ratios.worse);
  }
  fmt::print("\n");
}

std::string limitMistake(const BlockPicture& picture, const BlockPicture& baseline, double most) {
  const std::vector<double> ratios = ratiosByBlock(picture.errors, baseline.errors);
  const auto kept = std::count_if(ratios.begin(), ratios.end(), [&](double ratio) { return ratio <= most; });
  const auto unknown =
      std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return std::isnan(ratio); });
  const auto above = static_cast<std::ptrdiff_t>(ratios.size()) - kept - unknown;
  if (above > 0) {
    const size_t worst = *largestOf(ratios);
    return fmt::format(
        "{}: RMS of block {} is {:.6g} times that of {}, but must be at most {:g} times "
        "(--max-block-ratio); {} of {} blocks are above",
        picture.file, worst, ratios[worst], baseline.file, most, above, ratios.size());
  }
  return unknown > 0
             ? fmt::format(
                   "{}: {} of {} blocks can't be measured in it and in {}: --max-block-ratio can't hold",
                   picture.file, unknown, ratios.size(), baseline.file)
             : std::string();
}

Json toJson(const BlockPicture& picture) {
  const BlockRms& errors = picture.errors;
  Json rms = Json::array();
  std::transform(errors.rms.begin(), errors.rms.end(), std::back_inserter(rms), finiteJson);
  return {{"image", picture.file},
          {"falseColours", picture.output.empty() ? Json() : Json(picture.output)},
          {"mean", finiteJson(errors.mean)},
          {"median", finiteJson(errors.median)},
          {"worstBlock", blockJson(largestOf(errors.rms))},
          {"notFinite", errors.notFiniteValues()},
          {"rms", std::move(rms)}};
}

Json toJson(const BlockRatios& ratios) {
  return {{"mean", finiteJson(ratios.ofMeans)},
          {"worst", finiteJson(ratios.worstRatio)},  // null means infinite, if there is a block
          {"worstBlock", blockJson(ratios.worst)},
          {"worseBlocks", ratios.worse}};
}

}  // namespace

Interval intervalOf(const BlockComparison& comparison) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  Interval interval{none, none};
  for (const BlockPicture& picture : comparison.pictures)
    for (const double rms : picture.errors.rms)  // fmin and fmax prefer a number to NaN
      interval = {std::fmin(interval.smallest, rms), std::fmax(interval.largest, rms)};
  return interval;
}

BlockRatios ratiosOf(const BlockRms& picture, const BlockRms& baseline) {
  const std::vector<double> ratios = ratiosByBlock(picture, baseline);
  BlockRatios result;
  result.ofMeans = ratioOf(picture.mean, baseline.mean);
  result.worst = largestOf(ratios);
  result.worstRatio = result.worst ? ratios[*result.worst] : std::numeric_limits<double>::quiet_NaN();
  result.worse = static_cast<size_t>(
      std::count_if(ratios.begin(), ratios.end(), [](double ratio) { return ratio > 1.0; }));
  return result;
}

void printText(const BlockComparison& comparison) {
  const Blocks& blocks = comparison.blocks;
  size_t nameWidth = 3;
  for (const BlockPicture& picture : comparison.pictures)
    nameWidth = std::max(nameWidth, picture.file.size());
  fmt::print(
      "{} x {} blocks of {} x {} pixels, against {}; 0 is at the bottom left, {} at the bottom right\n",
      blocks.columns, blocks.rows, comparison.extent.width, comparison.extent.height,
      terminalText(comparison.reference), blocks.columns - 1);
  if (comparison.hasRatios()) {
    fmt::print("right of the bar: divided by {}\n",
               terminalText(comparison.pictures[comparison.baseline].file));
  }
  printHeads(comparison, nameWidth);
  for (const BlockPicture& picture : comparison.pictures)
    printRow(comparison, picture, nameWidth);
  const Interval interval = intervalOf(comparison);
  fmt::print("RMS of blocks: {} (green) to {} (red)\n", metricText(interval.smallest, "{:.6g}"),
             metricText(interval.largest, "{:.6g}"));
}

Json toJson(const BlockComparison& comparison) {
  const Interval interval = intervalOf(comparison);
  const BlockPicture& baseline = comparison.pictures[comparison.baseline];
  Json json = {{"reference", comparison.reference},
               {"width", comparison.extent.width},
               {"height", comparison.extent.height},
               {"columns", comparison.blocks.columns},
               {"rows", comparison.blocks.rows},
               {"smallest", finiteJson(interval.smallest)},
               {"largest", finiteJson(interval.largest)},
               {"baseline", comparison.hasRatios() ? Json(baseline.file) : Json()},
               {"pictures", Json::array()}};
  for (const BlockPicture& picture : comparison.pictures) {
    json["pictures"].push_back(toJson(picture));
    if (comparison.hasRatios())
      json["pictures"].back()["byBaseline"] = toJson(ratiosOf(picture.errors, baseline.errors));
  }
  return json;
}

void warnOfBlocks(const BlockComparison& comparison) {
  for (const BlockPicture& picture : comparison.pictures) {
    const std::vector<uint64_t>& counts = picture.errors.notFinite;
    const auto touched =
        std::count_if(counts.begin(), counts.end(), [](uint64_t count) { return count > 0; });
    if (touched > 0) {
      const auto first = std::find_if(counts.begin(), counts.end(), [](uint64_t count) { return count > 0; });
      printWarning(fmt::format(
          "{}: {} values are NaN or infinite, in it or in the reference; {} of {} blocks have no RMS (the "
          "first: {}), and the picture no mean or median",
          picture.file, picture.errors.notFiniteValues(), touched, counts.size(), first - counts.begin()));
    }
  }
}

int checkBlockLimits(const BlockComparison& comparison, const std::optional<double>& most) {
  int code = exitOk;
  for (const BlockPicture& picture : comparison.pictures) {
    std::string mistake;
    if (!largestOf(picture.errors.rms)) {
      mistake =
          fmt::format("{}: nothing can be measured: a value in each block is NaN or infinite", picture.file);
    } else if (most && &picture != &comparison.pictures[comparison.baseline]) {
      mistake = limitMistake(picture, comparison.pictures[comparison.baseline], *most);
    }
    if (!mistake.empty()) {
      printError(mistake);
      code = exitFailed;
    }
  }
  return code;
}

}  // namespace lacuna
