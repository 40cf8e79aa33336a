#include "tools/lacuna/compare/comparisons.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "graph/files/file_kind.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/compare/block_comparison.h"
#include "tools/shell/command_options.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

void checkBlockArguments(const CompareArguments& a, Diagnostics& mistakes) {
  const struct {
    const char* name;
    bool isGiven;
  } others[] = {{"--frames", !a.frames.empty()},
                {"--first", a.first != CompareArguments().first},
                {"--max-relmse", a.limits.maxRelMse.has_value()},
                {"--min-psnr", a.limits.minPsnr.has_value()},
                {"--min-ssim", a.limits.minSsim.has_value()},
                {"--max-flip", a.limits.maxFlip.has_value()},
                {"--difference", a.difference.has_value()},
                {"--html", a.page.has_value()},
                {"--crop", a.crop.has_value()},
                {"--max-error", a.limits.maxError.has_value()},
                {"--max-temporal", a.limits.maxTemporal.has_value()}};
  for (const auto& other : others)
    if (other.isGiven)
      mistakes.error({}, fmt::format("{} doesn't go with --blocks, which measures RMS alone", other.name));
  if (a.limits.maxBlockRatio && a.baseline.empty())
    mistakes.error({}, "--max-block-ratio: expected --baseline, the picture whose blocks it divides by");
}

// The baseline first, unless it is one of the images.
std::vector<BlockPicture> picturesOf(const CompareArguments& a, size_t& baseline) {
  std::vector<BlockPicture> pictures;
  for (const std::string& file : std::span(a.images).first(a.images.size() - 1))
    pictures.push_back({file});
  if (a.baseline.empty())
    return pictures;
  const auto id = fileIdOf(a.baseline);
  const auto same = std::find_if(pictures.begin(), pictures.end(), [&](const BlockPicture& picture) {
    return picture.file == a.baseline || (id && fileIdOf(picture.file) == id);
  });
  if (same == pictures.end()) {
    pictures.insert(pictures.begin(), {a.baseline});
    return pictures;
  }
  baseline = static_cast<size_t>(same - pictures.begin());
  return pictures;
}

std::optional<ColourImage> loadOrSay(const std::string& file, const std::string& layer,
                                     Diagnostics& mistakes) {
  try {
    if (isSequence(file))
      throw FileError(fmt::format("--blocks is for pictures, but {} is a sequence", file));
    return loadCompared(file, layer);
  } catch (const FileError& error) {
    mistakes.error({}, error.what());
    return std::nullopt;
  }
}

void measure(BlockPicture& picture, const std::string& layer, const Named& reference, const Blocks& blocks,
             Diagnostics& mistakes) {
  const auto image = loadOrSay(picture.file, layer, mistakes);
  if (!image)
    return;
  try {
    checkComparable({picture.file, &*image}, reference);
  } catch (const FileError& error) {
    mistakes.error({}, error.what());
    return;
  }
  warnOfAlpha({picture.file, &*image}, reference);
  picture.errors = blockRms(*image, *reference.image, blocks);
}

// Checks that need no pixel, before the rest.
BlockComparison plan(const CompareArguments& arguments, Diagnostics& mistakes) {
  BlockComparison comparison;
  comparison.reference = arguments.reference();
  comparison.pictures = picturesOf(arguments, comparison.baseline);
  checkBlockArguments(arguments, mistakes);
  if (!arguments.baseline.empty() && !comparison.hasRatios()) {
    mistakes.error(
        {}, fmt::format("--baseline {}: is the only picture; expected another one, to be compared with it",
                        arguments.baseline));
  }
  if (const auto size = parseSize(*arguments.blocks))
    comparison.blocks = {size->width, size->height};
  else
    mistakes.error({}, fmt::format("--blocks {}: expected COLUMNSxROWS, such as 10x10", *arguments.blocks));
  if (arguments.output)
    nameFalseColours(*arguments.output, comparison, mistakes);
  return comparison;
}

void measureAll(BlockComparison& comparison, const std::string& layer, Diagnostics& mistakes) {
  const auto reference = loadOrSay(comparison.reference, layer, mistakes);
  if (!reference)
    return;
  const Extent extent = comparison.extent = reference->extent;
  const Blocks& blocks = comparison.blocks;
  if (blocks.columns > extent.width || blocks.rows > extent.height) {
    mistakes.error(
        {}, fmt::format("--blocks {}x{}: {} has {} x {} pixels; expected no more blocks than pixels",
                        blocks.columns, blocks.rows, comparison.reference, extent.width, extent.height));
    return;
  }
  for (BlockPicture& picture : comparison.pictures)
    measure(picture, layer, {comparison.reference, &*reference}, blocks, mistakes);
}

}  // namespace

int compareBlocks(const CompareArguments& arguments, nlohmann::ordered_json& out) {
  Diagnostics mistakes;
  BlockComparison comparison = plan(arguments, mistakes);
  if (!mistakes.hasErrors())
    measureAll(comparison, arguments.layer, mistakes);
  if (mistakes.hasErrors()) {
    printDiagnostics(mistakes);
    return exitUsage;
  }
  checkLayers(arguments.images, arguments.layer);
  try {
    writeFalseColours(comparison);
  } catch (const FileError& error) {
    printError(error.what());
    return exitFiles;
  }
  if (arguments.json)
    out.update(toJson(comparison));
  else
    printText(comparison);
  warnOfBlocks(comparison);
  return checkBlockLimits(comparison, arguments.limits.maxBlockRatio);
}

}  // namespace lacuna
