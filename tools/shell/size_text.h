#pragma once
// "1920x1080", "1.5GB".

#include <optional>
#include <string>

#include "graph/module/image_type.h"

namespace lacuna {

// Two whole numbers from 1 to 999999999, with an x between them. nullopt: other text.
std::optional<Extent> parseSize(const std::string& text);

// Bytes: a number with B, K, M, G or T, with or without B or iB behind, all by 1024. nullopt: other text,
// less than a byte, 2^63 or more.
std::optional<uint64_t> parseBytes(const std::string& text);

}  // namespace lacuna
