#include <algorithm>

#include "graph/schedule/kernel/kernel_maker.h"
#include "graph/schedule/stencil/stencil_maker.h"

namespace lacuna {

const std::vector<const CandidateMaker*>& candidateMakers() {
  static const StencilMaker stencils;
  static const KernelMaker kernels;
  static const std::vector<const CandidateMaker*> all = {&stencils, &kernels};
  return all;
}

const CandidateMaker* makerOf(const NodeGraph& graph, const Node& node) {
  const auto& all = candidateMakers();
  const auto found =
      std::ranges::find_if(all, [&](const CandidateMaker* maker) { return maker->makesFor(graph, node); });
  return found == all.end() ? nullptr : *found;
}

}  // namespace lacuna
