#pragma once
// Wavefront OBJ: v, vt, vn, f and usemtl. Polygons become fans, so they should be convex. Groups and
// smoothing are ignored; materials are the scene file's, and mtllib is not read.

#include <optional>
#include <string>

#include "pathtrace/scene/read_parts.h"

namespace lacuna::pathtrace {

// `name` is the mesh's in the scene file, which is the place of messages about the whole file; other messages
// have their place in the OBJ. Names of usemtl are looked up in `materials`; triangles with an unknown one
// use their object's, with a warning. Triangles without area are omitted, with a warning. Null if an error
// was reported.
std::optional<Mesh> readObj(const std::string& path, const Word& name, const Names& materials,
                            Diagnostics& diagnostics);

}  // namespace lacuna::pathtrace
