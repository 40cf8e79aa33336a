#include "tools/shell/files.h"

#include "graph/files/own_place.h"

namespace lacuna {

std::string installedFolder(const std::string& inSources, const std::string& inShare) {
  return runsWhereBuilt() ? LACUNA_SOURCE "/" + inSources : installPrefix() + "/share/lacuna/" + inShare;
}

}  // namespace lacuna
