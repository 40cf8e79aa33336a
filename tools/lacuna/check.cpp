// lacuna check: all mistakes of graphs or modules. Nothing runs. A device is needed only for the words of
// --device and --schedule, which depend on it.

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "graph/config/text.h"
#include "graph/door/load_graph.h"
#include "graph/module/registry.h"
#include "graph/nodes/node_graph.h"
#include "graph/shader/check_shaders.h"
#include "tools/lacuna/commands.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

class Check {
 public:
  explicit Check(const CheckArguments& arguments) : arguments_(arguments) {
    const GraphArguments& graph = arguments.graph;
    if (!graph.device.empty() || !graph.pipeline.schedules.empty())
      target_ = openTarget(graph);
  }

  bool graph(const std::string& file) {
    LoadedGraph loaded = checkedGraph(file, arguments_.graph);
    printDiagnostics(loaded.diagnostics);
    return loaded.ok();
  }

  bool module(const std::string& folder) {
    if (!fs::exists(fs::path(folder) / "module.toml")) {
      printError(fmt::format("{}: the folder has no module.toml; expected graph files, or folders of modules",
                             folder));
      return false;
    }
    GraphArguments graphs = arguments_.graph;
    const fs::path own = (fs::absolute(folder) / "").lexically_normal().parent_path();
    graphs.modules.insert(graphs.modules.begin(), own.parent_path().string());
    const Diagnostics diagnostics = checkModule(folder, graphs.modules, arguments_.shaders);
    printDiagnostics(diagnostics);
    bool ok = !diagnostics.hasErrors();
    if (ok) {
      for (const std::string& test : testGraphs(folder)) {
        LoadedGraph loaded = checkedGraph(test, graphs);
        printDiagnostics(loaded.diagnostics);
        ok = loaded.ok() && ok;
      }
    }
    return ok;
  }

 private:
  LoadedGraph checkedGraph(const std::string& file, const GraphArguments& graph) const {
    LoadedGraph loaded = checkGraph(file, graph, arguments_.shaders);
    if (target_ && loaded.ok())
      door::scheduleGraph(loaded.graph, graph.pipeline, *target_, loaded.diagnostics);
    return loaded;
  }

  const CheckArguments& arguments_;
  std::optional<door::ScheduleTarget> target_;
};

}  // namespace

LoadedGraph checkGraph(const std::string& file, const GraphArguments& graph, bool shaders) {
  LoadedGraph loaded = std::move(loadState(graph, file, {})->loaded);
  if (shaders)
    door::reportShaders(loaded.graph, loaded.descriptions, moduleSearchPath(graph.modules),
                        loaded.diagnostics);
  return loaded;
}

Diagnostics checkModule(const std::string& folder, const std::vector<std::string>& modules, bool shaders) {
  Diagnostics diagnostics;
  const auto description = readModule(folder, diagnostics);
  if (description != nullptr && shaders) {
    ShaderCheck check(moduleSearchPath(modules), DeviceOptions::defaultCacheFolder());
    for (const NodeGraph& alone : loneGraphs(description, diagnostics))
      check.add(alone);
    check.report(diagnostics);
  }
  return diagnostics;
}

int runCheck(const CheckArguments& arguments) {
  return reported(arguments.json, [&](nlohmann::ordered_json&) {
    Check check(arguments);
    bool ok = true;
    for (const std::string& target : arguments.targets) {
      const std::string folder = moduleFolder(target, moduleSearchPath(arguments.graph.modules));
      if (folder.empty() && isName(target) && !fs::exists(target)) {
        Diagnostics unknown;
        unknown.error({}, fmt::format("{}: there is no such file, and no module of this name", target),
                      Registry(moduleSearchPath(arguments.graph.modules)).hint(target));
        printDiagnostics(unknown);
        ok = false;
        continue;
      }
      ok = (folder.empty() ? check.graph(target) : check.module(folder)) && ok;
    }
    return ok ? exitOk : exitUsage;
  });
}

}  // namespace lacuna
