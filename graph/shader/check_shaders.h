#pragma once
// All mistakes in the bodies of a graph's nodes, found without a device: each body is checked
// (generate/body_check.h), put into its plainest shader and compiled; for kernels with variants, each of
// them.

#include <memory>
#include <string>
#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/shader/generate/body_check.h"

namespace lacuna {

class ShaderCheck {
 public:
  // Shaders that compiled are remembered in `cacheFolder`, unless it is empty.
  ShaderCheck(std::vector<std::string> includePath, std::string cacheFolder);
  ~ShaderCheck();

  // The nodes of a graph that is not fused. Bodies that were added before, with the same images, cost
  // nothing.
  void add(const NodeGraph& graph);
  // Compiles all that was added, on all cores, and reports each mistake once.
  void report(Diagnostics& diagnostics);

 private:
  struct CheckedBody;
  struct Job {
    std::shared_ptr<CheckedBody> body;
    std::string glsl;
    uint32_t sharedBytes = 0;  // that it may have
    std::vector<int32_t> specialization;
  };

  void addBody(const Passes& passes, const VariantDescription* variant);
  void addNode(const NodeGraph& graph, const Node& node);
  BodyMistakes find(const Job& job) const;
  // " (where 'input' is rgba)", for a body that is right with other images or in other variants.
  std::string whereWrong(const CheckedBody& body) const;

  std::vector<std::string> includePath_;
  std::string cacheFolder_;
  std::vector<std::shared_ptr<CheckedBody>> bodies_;
  std::vector<Job> jobs_;
  std::set<std::string> texts_;
};

}  // namespace lacuna
