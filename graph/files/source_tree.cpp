#include "graph/files/own_place.h"

namespace lacuna {

std::string sourceModules() {
  return LACUNA_SOURCE_MODULES;
}

std::string buildFolder() {
  return LACUNA_BUILD_FOLDER;
}

std::string builtModuleFolder(const std::string& name) {
  return buildFolder() + "/modules/" + name;
}

}  // namespace lacuna
