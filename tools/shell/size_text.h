#pragma once
// "1920x1080".

#include <optional>
#include <string>

#include "graph/values/image_type.h"

namespace lacuna {

// Two whole numbers from 1 to 999999999, with an x between them; nullopt for other text.
std::optional<Extent> parseSize(const std::string& text);

}  // namespace lacuna
