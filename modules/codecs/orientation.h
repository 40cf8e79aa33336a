#pragma once
// The orientation of a picture in its file: the tag Orientation of Exif (CIPA DC-008, 4.6.4), 1 to 8.

#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/values/image_type.h"

namespace lacuna::io {

// 1: upright. 2: mirrored left to right. 3: turned by 180 degrees. 4: mirrored top to bottom. 5: mirrored at
// the diagonal from the top left. 6: to be turned clockwise by 90 degrees. 7: mirrored at the other diagonal.
// 8: to be turned counterclockwise by 90 degrees.
using Orientation = int;

Extent turned(Extent stored, Orientation orientation);
// The stored place of a pixel of the upright image.
PixelPlace storedPlace(Extent stored, Orientation orientation, PixelPlace upright);

// Puts rows of a stored image, from `firstRow` on, where they belong in the upright one. Pixels of 4, 8 or 16
// bytes, without padding. Needs: `upright` holds all of turned(stored, orientation).
void placeRows(std::span<const std::byte> rows, uint32_t firstRow, Extent stored, uint32_t pixelBytes,
               Orientation orientation, std::byte* upright);

}  // namespace lacuna::io
