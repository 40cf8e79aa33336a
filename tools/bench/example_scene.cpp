#include "tools/bench/example_scene.h"

#include <filesystem>

#include "graph/module/own_place.h"
#include "graph/module/registry.h"

namespace lacuna {

std::string exampleScene(const std::string& name) {
  namespace fs = std::filesystem;
  const fs::path folder = runsWhereBuilt() ? fs::path(LACUNA_SOURCE_EXAMPLES)
                                           : fs::path(installPrefix()) / "share/lacuna/examples";
  return (folder / "scenes" / (name + ".scene")).string();
}

}  // namespace lacuna
