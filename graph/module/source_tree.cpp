#include "graph/module/source_tree.h"

namespace lacuna {

std::string sourceModules() {
  return LACUNA_SOURCE_MODULES;
}

std::string builtModuleFolder(const std::string& name) {
  return LACUNA_BUILT_MODULES "/" + name;
}

}  // namespace lacuna
