#pragma once
// A scene file -> Scene. README.md says how one is written.

#include <string>

#include "graph/config/diagnostics.h"
#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// Reads a scene and the files that it names. Everything that is wrong goes to `diagnostics`, with its place;
// where there are errors, what is returned is not to be used.
Scene readScene(const std::string& path, Diagnostics& diagnostics);

// The same of a text. Files that it names start from the folder of `path`.
Scene parseScene(const std::string& text, const std::string& path, Diagnostics& diagnostics);

}  // namespace lacuna::pathtrace
