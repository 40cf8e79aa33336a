#pragma once
// A scene made in code as the files that the module reads.

#include <filesystem>

#include "pathtrace/scene/scene.h"
#include "tests/support/folder.h"

namespace lacuna::pathtrace::reference {

// Writes a scene file, and a Wavefront OBJ file a mesh; returns the former's path. Names of the scene are not
// kept. Images that have pixels become PFM files; others are named by their files.
std::string writeScene(const Scene& scene, const std::filesystem::path& folder);

}  // namespace lacuna::pathtrace::reference
