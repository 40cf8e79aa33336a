#include "modules/codecs/icc.h"

#include <fmt/format.h>

#include <map>

namespace lacuna::io {
namespace {

// H.273, table 2.
const std::map<int, Chromaticities> primaries = {
    {1, rec709WhiteAndPrimaries},
    {4, {0.310, 0.316, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08}},
    {5, {0.3127, 0.3290, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06}},
    {6, {0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070}},
    {7, {0.3127, 0.3290, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070}},
    {8, {0.310, 0.316, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049}},
    {9, rec2020WhiteAndPrimaries},
    {11, {0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060}},
    {12, {0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060}},
    {22, {0.3127, 0.3290, 0.630, 0.340, 0.295, 0.605, 0.155, 0.077}},
};

// Table 3. linear = value^gamma; 0: the curve of sRGB.
const std::map<int, double> transfers = {{4, 2.2}, {5, 2.8}, {8, 1.0}, {13, 0.0}};

int codeAt(std::span<const std::byte> chunk, size_t i) {
  return std::to_integer<int>(chunk[i]);
}

}  // namespace

std::string readCicp(std::span<const std::byte> chunk, ColourDescription& colour) {
  if (chunk.size() != 4)
    return fmt::format("it has {} bytes; expected 4", chunk.size());
  const auto known = primaries.find(codeAt(chunk, 0));
  const auto transfer = transfers.find(codeAt(chunk, 1));
  const bool isFullRgb = codeAt(chunk, 2) == 0 && codeAt(chunk, 3) == 1;
  if (known == primaries.end() || transfer == transfers.end() || !isFullRgb) {
    colour.codePoints.assign(chunk.begin(), chunk.end());
    return {};
  }
  if (known->first != 1)
    colour.whiteAndPrimaries = known->second;
  if (transfer->second > 0.0)
    colour.gamma = transfer->second;
  return {};
}

std::string cicpName(std::span<const std::byte> chunk) {
  const int transfer = codeAt(chunk, 1);
  return fmt::format("{} (cICP {} {} {} {})",
                     transfer == 16   ? "PQ"
                     : transfer == 18 ? "HLG"
                                      : "of another range, curve or primaries",
                     codeAt(chunk, 0), transfer, codeAt(chunk, 2), codeAt(chunk, 3));
}

}  // namespace lacuna::io
