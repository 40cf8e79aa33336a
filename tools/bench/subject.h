#pragma once
// A kernel of a graph, under any of its schedules.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "graph/run/tune/tune.h"
#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/kernel/kernel_search.h"
#include "tools/bench/chain.h"

namespace lacuna {

class Subject {
 public:
  // `node`: the one whose schedule is chosen, as nodeNamed() finds it. `timed`: the one whose passes are
  // timed, with all nodes that it builds. Throws BenchMistake.
  Subject(Lab& lab, NodeGraph graph, const std::string& node, std::string timed);

  const NodeGraph& graph() const { return graph_; }
  const std::string& nodeName() const { return node_; }
  std::vector<const VariantDescription*> variants() const { return variantsOf(graph_, node()); }
  KernelSchedule named(const std::string& schedule) const {
    return *kernelScheduleNamed(variants(), schedule);
  }
  std::string rejectionOf(const KernelSchedule& schedule) const;

  // For a variant, the schedules of --schedule and --candidates: the first that the device can run; for
  // `best` and `all` every one that matches a name. A complete name selects one. Empty if it isn't requested.
  std::vector<std::string> schedulesOf(const VariantDescription& variant,
                                       const std::vector<std::string>& asked) const;

  // Null if it can't run; the row then gives the reason. An empty name: the default choice. `change`: changes
  // the passes; `changeShaders`: the text of their shaders.
  std::unique_ptr<BenchChain> open(const std::string& schedule, Json& row,
                                   const std::function<FrameGraph(FrameGraph)>& change = {},
                                   const std::function<void(Shaders&)>& changeShaders = {}) const;

 private:
  const Node& node() const { return nodeNamed(graph_, node_); }

  Lab& lab_;
  NodeGraph graph_;
  std::string node_, timed_;
};

// Throws BenchMistake with all names of --schedule that no variant has.
void checkVariants(const BenchArguments& arguments, const std::vector<const VariantDescription*>& variants);

}  // namespace lacuna
