#pragma once
// The promises of scene.h for every Scene.

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// Checks indices, finite numbers, areas, unit normals and the order of keys.
void expectSound(const Scene& scene);

}  // namespace lacuna::pathtrace
