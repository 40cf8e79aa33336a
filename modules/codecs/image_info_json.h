#pragma once
// An image file's properties, for programs.

#include <nlohmann/json_fwd.hpp>

#include "modules/codecs/image_info.h"

namespace lacuna {

nlohmann::ordered_json asJson(const ImageInfo& info);

}  // namespace lacuna
