#pragma once
// Whether a render's alpha is the mean of too few samples to be divided by. Inside modules/codecs.

#include <cstddef>
#include <span>

#include "graph/module/image_type.h"

namespace lacuna::io {

// Of rgba pixels in f16 or f32. Along the edge of a cover some pixel beside it has about the same alpha;
// noise leaves pixels that differ from all four. True if more than 5% of the pixels where alpha changes are
// such, and 32 at least.
bool isAlphaNoisy(const ValueType& type, std::span<const std::byte> pixels);

}  // namespace lacuna::io
