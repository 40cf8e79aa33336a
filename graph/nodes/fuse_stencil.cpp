// Pointwise nodes behind a stencil and before it (rewrites.h).

#include <algorithm>

#include "graph/lists.h"
#include "graph/nodes/fuse_join.h"

namespace lacuna {
namespace {

bool isStencil(const Node& node) {
  return node.kind == NodeKind::stencil && !node.parts.empty();
}

bool reads(const Node& node, ValueId value) {
  return value &&
         std::ranges::any_of(node.inputs, [&](const NamedValue& input) { return input.value == value; });
}

// True if the stencil's first state is not a value itself: a pass makes it under any schedule.
bool makesFirstState(const NodeGraph& graph, const Node& stencil) {
  const StencilDescription& description = stencil.description->stencil;
  return description.init || !inputIsState(stateInputType(graph, stencil), stateTypeOf(graph, stencil));
}

// True if the value is read only for the stencil's first state.
bool servesFirstState(const Node& stencil, ValueId value) {
  const StencilDescription& description = stencil.description->stencil;
  const auto& features = description.features;
  for (size_t p = 0; p < stencil.parts.size(); ++p) {
    const int part = static_cast<int>(p);
    for (const PartInput& input : stencil.parts[p].inputs) {
      const bool own = part == stencil.own && (description.init || input.name == "state") &&
                       !contains(features, input.name);
      if (input.value == value && part >= stencil.own && !own)
        return false;
    }
  }
  return true;
}

bool mayLead(const NodeGraph& graph, NodeId node, NodeId stencil) {
  const Node& leader = graph.nodes[node];
  if (!mayJoin(leader) || leader.outputs.empty() || !isStencil(graph.nodes[stencil]))
    return false;
  return std::ranges::all_of(leader.outputs, [&](const NamedValue& output) {
    return isReadOnlyBy(graph, output.value, stencil) && servesFirstState(graph.nodes[stencil], output.value);
  });
}

// True if joining the next chain stores less: the result of this one stays, and that one has its own pass for
// its first state.
bool leadsBetter(const NodeGraph& graph, NodeId node, NodeId stencil) {
  const std::vector<NamedValue>& results = graph.nodes[stencil].outputs;
  const bool stays = std::ranges::any_of(results, [&](const NamedValue& result) {
    return reads(graph.nodes[node], result.value) && !isReadOnlyBy(graph, result.value, node);
  });
  for (const NodeId next : graph.nodes.ids())
    if (stays && mayLead(graph, node, next) && makesFirstState(graph, graph.nodes[next]))
      return true;
  return false;
}

bool mayFollow(const NodeGraph& graph, NodeId node, NodeId stencil) {
  const Node& follower = graph.nodes[node];
  const Node& chain = graph.nodes[stencil];
  if (!isStencil(chain))
    return false;
  const ValueId tapped = valueNamed(ownPart(chain).outputs, chain.description->stencil.tapOutput);
  return mayJoin(follower) && !reads(follower, tapped) &&
         std::ranges::any_of(chain.outputs,
                             [&](const NamedValue& output) { return reads(follower, output.value); }) &&
         !meetBetween(graph, stencil, node) && !leadsBetter(graph, node, stencil);
}

// The first node behind this one that can join it, and the first one before it; none if there is none.
NodeId followerOf(const NodeGraph& graph, NodeId stencil, const DeviceModel& device) {
  for (const NodeId node : graph.nodes.ids())
    if (mayFollow(graph, node, stencil) && fitTogether(graph, stencil, node, device))
      return node;
  return {};
}

NodeId leaderOf(const NodeGraph& graph, NodeId stencil, const DeviceModel& device) {
  for (const NodeId node : graph.nodes.ids())
    if (mayLead(graph, node, stencil) && fitTogether(graph, node, stencil, device))
      return node;
  return {};
}

}  // namespace

void fuseEpilogues(NodeGraph& graph, const DeviceModel& device) {
  for (NodeId chain : graph.nodes.ids())
    while (const NodeId follower = followerOf(graph, chain, device)) {
      join(graph, chain, follower);
      chain = follower;
    }
}

void fusePrologues(NodeGraph& graph, const DeviceModel& device) {
  for (const NodeId stencil : graph.nodes.ids())
    while (const NodeId leader = leaderOf(graph, stencil, device))
      join(graph, leader, stencil);
}

}  // namespace lacuna
