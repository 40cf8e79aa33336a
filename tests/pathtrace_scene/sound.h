#pragma once
// The promises of scene.h for every Scene.

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

// Indices, finite numbers, areas, unit normals, order of keys; fails the test where something doesn't hold.
void expectSound(const Scene& scene);

}  // namespace lacuna::pathtrace
