#pragma once
// A scene file -> Scene. README.md says how one is written.

#include <string>

#include "graph/config/diagnostics.h"
#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// Reads a scene and the files that it names. All mistakes go to `diagnostics`, with their place; if there are
// errors, the result is not to be used.
Scene readScene(const std::string& path, Diagnostics& diagnostics);

// The same for a text. Files that it names start from the folder of `path`.
Scene parseScene(const std::string& text, const std::string& path, Diagnostics& diagnostics);

}  // namespace lacuna::pathtrace
