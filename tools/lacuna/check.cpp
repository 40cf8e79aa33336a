#include "tools/lacuna/frame_list.h"
#include "tools/lacuna/graph_arguments.h"

namespace lacuna {

int runCheck(const GraphArguments& arguments, const std::vector<std::string>& graphs) {
  bool ok = true;
  const WantedFrames all{[](const ModuleGraph& graph) { return framesOf(graph, {}); }};
  for (const std::string& graph : graphs) {
    ok = loadFor(arguments, graph, all).ok() && ok;
  }
  return ok ? exitOk : exitUsage;
}

}  // namespace lacuna
