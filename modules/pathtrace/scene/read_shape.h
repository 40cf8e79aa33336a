#pragma once
// The shapes that an object of a scene file may have, and their settings.

#include <functional>
#include <string>
#include <vector>

#include "pathtrace/scene/read_parts.h"
#include "pathtrace/scene/settings.h"

namespace lacuna::pathtrace {

struct Shape {
  std::string name;
  std::vector<SettingForm> settings;
  // Null for the sphere, or a file's mesh.
  std::function<Mesh(const Settings&, const Word& where, Diagnostics&)> make;
};

// Null if there is none of that name, which is reported.
const Shape* findShape(const Word& word, const Names& meshes, Diagnostics& diagnostics);

// Index of the mesh that a shape makes; the same settings share one.
int shapeMesh(const Shape& shape, const Settings& settings, const Word& where, Scene& scene,
              Diagnostics& diagnostics);

}  // namespace lacuna::pathtrace
