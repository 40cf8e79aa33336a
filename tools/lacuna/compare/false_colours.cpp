#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <span>

#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"
#include "graph/files/output_file.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/compare/block_comparison.h"
#include "tools/lacuna/compare/comparisons.h"
#include "tools/lacuna/denoise/steps.h"
#include "tools/shell/files.h"

namespace lacuna {

void checkDifferenceFile(const std::string& file, const std::vector<std::string>& inputs) {
  checkNamedOutput({"--difference", "the difference is written as PNG", ".png"}, file, inputs);
}

void writeDifference(const std::string& file, const ColourImage& a, const ColourImage& b) {
  const ValueType type{Channels::rgba, Format::u8, ColourTag::data, a.extent, 0};
  const std::vector<double> first = onScreen(a), second = onScreen(b);
  std::vector<std::byte> pixels(byteSize(type), std::byte{255});
  for (size_t i = 0; i < first.size() / 3; ++i) {
    bool isFinite = true;
    for (size_t c = 0; c < 3; ++c) {
      constexpr double gain = 8 * 255;
      isFinite = isFinite && std::isfinite(a.rgb[3 * i + c]) && std::isfinite(b.rgb[3 * i + c]);
      const double shown = std::min(gain * std::abs(first[3 * i + c] - second[3 * i + c]), 255.0);
      pixels[4 * i + c] = static_cast<std::byte>(std::lround(shown));
    }
    if (!isFinite) {
      pixels[4 * i] = pixels[4 * i + 2] = std::byte{255};
      pixels[4 * i + 1] = std::byte{0};
    }
  }
  writeImage("png", file, {{"output", type, pixels}});
}

namespace {

namespace fs = std::filesystem;

std::string noPng(const std::string& output) {
  return fmt::format(
      "-o {}: false colours are written as PNG; expected a name that ends in .png, or a folder ('{}/')",
      output, output);
}

// Why a file can't be written; "" if it can.
std::string fileMistake(const std::string& output, const BlockComparison& comparison) {
  if (io::extensionOf(output) != ".png")
    return noPng(output);
  if (const auto reason = unwritable(output))
    return "-o " + *reason;
  std::vector<std::string> inputs = {comparison.reference};
  for (const BlockPicture& picture : comparison.pictures)
    inputs.push_back(picture.file);
  const auto id = fileIdOf(output);
  const auto input = std::find_if(inputs.begin(), inputs.end(),
                                  [&](const std::string& file) { return id && fileIdOf(file) == id; });
  return input == inputs.end()
             ? std::string()
             : fmt::format("-o {}: would be written over the input {}; choose another name or folder", output,
                           *input);
}

void paintBlock(std::span<std::byte> pixels, uint32_t width, const PixelArea& area, double value) {
  const std::array<uint8_t, 3> colour = falseColour(value);
  for (uint32_t y = area.top; y < area.bottom; ++y)
    for (uint32_t x = area.left; x < area.right; ++x) {
      const size_t at = 4 * (size_t{y} * width + x);
      for (size_t c = 0; c < 3; ++c)
        pixels[at + c] = std::byte{colour[c]};
      pixels[at + 3] = std::byte{255};
    }
}

}  // namespace

void nameFalseColours(const std::string& output, BlockComparison& comparison, Diagnostics& mistakes) {
  std::error_code ignored;
  const bool isFolder = output.ends_with('/') || (!output.empty() && fs::is_directory(output, ignored));
  if (!isFolder && !output.empty() && !output.ends_with('}') && io::extensionOf(output) != ".png") {
    mistakes.error({}, noPng(output));
    return;
  }
  const bool wasRight = !mistakes.hasErrors();
  std::vector<DenoiseInput> pictures;
  for (const BlockPicture& picture : comparison.pictures)
    pictures.push_back({picture.file, {}});
  const std::vector<std::string> names =
      nameOutputs(isFolder ? (fs::path(output) / "{stem}.png").string() : output, pictures, mistakes);
  if (names.empty() || (wasRight && mistakes.hasErrors()))
    return;
  for (size_t i = 0; i < names.size(); ++i) {
    comparison.pictures[i].output = framePath(names[i], 0);
    if (const std::string mistake = fileMistake(comparison.pictures[i].output, comparison); !mistake.empty())
      mistakes.error({}, mistake);
  }
}

void writeFalseColours(const BlockComparison& comparison) {
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, comparison.extent, 0};
  const auto [smallest, largest] = intervalOf(comparison);
  const double length = largest > smallest ? largest - smallest : 1.0;
  for (const BlockPicture& picture : comparison.pictures) {
    if (picture.output.empty())
      continue;
    std::vector<std::byte> pixels(byteSize(type));
    for (size_t block = 0; block < comparison.blocks.count(); ++block)
      paintBlock(pixels, comparison.extent.width, areaOfBlock(comparison.blocks, comparison.extent, block),
                 (picture.errors.rms[block] - smallest) / length);
    writeImage("png", picture.output, {{"output", type, pixels}});
  }
}

}  // namespace lacuna
