#include "pathtrace/scene/load_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/files/file_name.h"
#include "modules/codecs/colour_image.h"

namespace lacuna::pathtrace {
namespace {

// Rec. 709 from Rec. 2020, row by row; modules/shared/colour.glsl says where the numbers are from.
constexpr std::array<std::array<double, 3>, 3> rec709FromRec2020 = {
    {{1.660491002, -0.587641139, -0.072849863},
     {-0.124550475, 1.132899897, -0.008349423},
     {-0.018150763, -0.100578898, 1.118729661}}};

std::array<float, 3> toRec709(const std::array<float, 3>& v) {
  std::array<float, 3> result{};
  for (size_t row = 0; row < 3; ++row) {
    const auto& m = rec709FromRec2020[row];
    result[row] = static_cast<float>(m[0] * v[0] + m[1] * v[1] + m[2] * v[2]);
  }
  return result;
}

// By how much values may be beyond [0, 1] without a word: conversions round.
constexpr float slack = 0.01F;

// Is the value one to warn of?
bool clip(float& value) {
  const bool outside = !(value >= -slack && value <= 1 + slack);
  value = value > 0 ? std::min(value, 1.0F) : 0.0F;  // NaN: 0
  return outside;
}

}  // namespace

std::optional<Image> loadImage(const std::string& path, const Location& where, Diagnostics& diagnostics) {
  ColourImage loaded;
  try {
    loaded = loadColour(path);
  } catch (const FileError& error) {
    diagnostics.error(where, error.what());
    return std::nullopt;
  }
  Image image{path, static_cast<int>(loaded.extent.width), static_cast<int>(loaded.extent.height), {}};
  image.pixels.reserve(loaded.rgb.size() / 3);
  size_t clipped = 0;
  for (size_t i = 0; i + 2 < loaded.rgb.size(); i += 3) {
    std::array<float, 3> pixel = {loaded.rgb[i], loaded.rgb[i + 1], loaded.rgb[i + 2]};
    if (loaded.colour == ColourTag::rec2020) {
      pixel = toRec709(pixel);
    }
    bool outside = false;
    for (float& value : pixel) {
      outside = clip(value) || outside;
    }
    clipped += outside ? 1 : 0;
    image.pixels.push_back(pixel);
  }
  // Out of the gamut of Rec. 709 is no mistake.
  if (clipped > 0 && loaded.colour != ColourTag::rec2020) {
    diagnostics.warn(where,
                     fmt::format("{} pixels of {} lie outside [0, 1], where a reflectance lies; they are "
                                 "brought into it",
                                 clipped, path));
  }
  return image;
}

}  // namespace lacuna::pathtrace
