#pragma once
// Curves of light beyond white (ITU-R BT.2100), and where they meet the rest of the program: 1 is the
// reference white of BT.2408, 203 cd/m2.

#include <cstddef>
#include <span>

namespace lacuna::io {

// The transfer functions' code points (H.273).
constexpr int pqTransfer = 16, hlgTransfer = 18;
constexpr bool isLight(int transfer) {
  return transfer == pqTransfer || transfer == hlgTransfer;
}

// HLG states shares of a scene's light. The OOTF is that of a display of 1000 cd/m2.
constexpr const char* curveOf(int transfer) {
  return transfer == pqTransfer ? "PQ, 1 is 203 cd/m2"
         : transfer == hlgTransfer
             ? "HLG as shown on a display of 1000 cd/m2 (OOTF of gamma 1.2), 1 is 203 cd/m2"
             : "";
}

// rgba floats, values of the curve from 0 to 1, in place. Others than the two stay as they are.
void decodeLight(int transfer, std::span<float> rgba);
// Light to values of PQ, in place: to 10000 cd/m2.
void encodePq(std::span<float> rgba);

}  // namespace lacuna::io
