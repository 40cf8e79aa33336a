#include "graph/door/report_shaders.h"

#include "graph/nodes/lone_module.h"
#include "graph/shader/check_shaders.h"
#include "graph/shader/compile.h"

namespace lacuna::door {

void reportShaders(const NodeGraph& graph,
                   const std::vector<std::shared_ptr<const ModuleDescription>>& modules,
                   const std::vector<std::string>& modulePath, Diagnostics& diagnostics) {
  ShaderCheck shaders(modulePath, ShaderCache::defaultFolder());
  shaders.add(graph);
  for (const auto& description : modules) {
    Diagnostics ofOthers;  // dropped: a module alone may have mistakes that don't occur in this graph
    for (const NodeGraph& alone : loneGraphs(description, ofOthers)) {
      shaders.add(alone);
    }
  }
  shaders.report(diagnostics);
}

}  // namespace lacuna::door
