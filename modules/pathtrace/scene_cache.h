#pragma once
// Scenes that were read and packed, kept from probe() through build() to the last read().

#include <memory>

#include "pathtrace/scene/pack.h"
#include "shared/native.h"

namespace lacuna::pathtrace {

struct LoadedScene {
  Scene scene;
  PackedScene packed;
};

// The scene that a call requests by `filename` or `random`, from its present files; reports warnings. Throws
// native::Error with all its mistakes.
std::shared_ptr<const LoadedScene> loadScene(const native::Call& call);

// The same, as it was last loaded for any instance, without warnings. Any thread.
std::shared_ptr<const LoadedScene> keptScene(const native::Call& call);

}  // namespace lacuna::pathtrace
