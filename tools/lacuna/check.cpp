#include "tools/lacuna/graph_arguments.h"

namespace lacuna {

int runCheck(const GraphArguments& arguments, const std::vector<std::string>& graphs) {
  bool ok = true;
  for (const std::string& graph : graphs) {
    ok = loadFor(arguments, graph).ok() && ok;
  }
  return ok ? exitOk : exitUsage;
}

}  // namespace lacuna
