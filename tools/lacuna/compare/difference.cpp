#include "tools/lacuna/compare/difference.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"
#include "graph/files/output_file.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/image_file.h"
#include "tools/lacuna/compare/compare_images.h"

namespace lacuna {

void checkDifferenceFile(const std::string& file, const std::vector<std::string>& inputs) {
  if (io::extensionOf(file) != ".png")
    throw FileError(fmt::format(
        "--difference {}: the difference is written as PNG; expected a name that ends in .png", file));
  if (const auto reason = unwritable(file))
    throw FileError("--difference " + *reason);
  const auto id = fileIdOf(file);
  for (const std::string& input : inputs)
    if (id && fileIdOf(input) == id)
      throw FileError(fmt::format("--difference {}: would be written over the input {}; choose another name",
                                  file, input));
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

}  // namespace lacuna
