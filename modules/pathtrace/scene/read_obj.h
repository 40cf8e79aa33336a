#pragma once
// Wavefront OBJ: v, vt, vn, f and usemtl. Polygons become fans, so they should be convex. Groups and
// smoothing are passed over; materials are the scene file's, and mtllib is not read.

#include <optional>
#include <string>

#include "pathtrace/scene/read_parts.h"

namespace lacuna::pathtrace {

// `name`: the mesh's in the scene file, where messages about the whole lead; others have their place in the
// OBJ. Names of usemtl are looked up in `materials`; triangles under one that isn't there are left to their
// object, with a warning. Triangles without area are left out, with a warning. Null: an error was reported.
std::optional<Mesh> readObj(const std::string& path, const Word& name, const Names& materials,
                            Diagnostics& diagnostics);

}  // namespace lacuna::pathtrace
