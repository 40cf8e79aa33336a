#pragma once
// Curves of light beyond white (ITU-R BT.2100), and where they meet the rest of the program: 1 is the
// reference white of BT.2408, 203 cd/m2.

#include <cstddef>
#include <span>

namespace lacuna::io {

constexpr const char* pqCurve = "PQ, 1 is 203 cd/m2";
// HLG states shares of a scene's light. The OOTF is that of a display of 1000 cd/m2.
constexpr const char* hlgCurve =
    "HLG as shown on a display of 1000 cd/m2 (OOTF of gamma 1.2), 1 is 203 cd/m2";

// rgba floats, values of the curve from 0 to 1, in place.
void decodePq(std::span<float> rgba);
void decodeHlg(std::span<float> rgba);
// Light to values of PQ, in place: to 10000 cd/m2.
void encodePq(std::span<float> rgba);

// The transfer functions' code points (H.273).
constexpr int pqTransfer = 16, hlgTransfer = 18;

}  // namespace lacuna::io
