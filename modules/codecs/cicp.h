#pragma once
// Coding-independent code points (ITU-T H.273), as in PNG's chunk cICP: primaries, transfer function, matrix,
// full range; a byte each (PNG specification, 3rd edition, 11.3.2.6).

#include "modules/codecs/icc.h"

namespace lacuna::io {

// Primaries and gamma of `colour`, or its code points if they aren't decoded. Returns why the chunk is not
// used;
// "" if it is.
std::string readCicp(std::span<const std::byte> chunk, ColourDescription& colour);
// "PQ (cICP 9 16 0 1)"
std::string cicpName(std::span<const std::byte> chunk);

}  // namespace lacuna::io
