#pragma once
// Pictures as textures.

#include <optional>
#include <string>

#include "graph/config/diagnostics.h"
#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// PNG, JPEG (decoded from sRGB), EXR, PFM (linear), of any primaries that modules/codecs tells apart. A
// reflectance lies in [0, 1]: what lies outside is brought there, NaN to 0, with a warning at `where`. A file
// that can't be read is an error there.
std::optional<Image> loadImage(const std::string& path, const Location& where, Diagnostics& diagnostics);

}  // namespace lacuna::pathtrace
