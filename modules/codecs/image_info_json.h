#pragma once
// What an image file says of itself, for programs.

#include <nlohmann/json.hpp>

#include "modules/codecs/image_info.h"

namespace lacuna {

nlohmann::ordered_json asJson(const ImageInfo& info);

}  // namespace lacuna
