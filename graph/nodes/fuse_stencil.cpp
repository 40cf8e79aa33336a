// Pointwise nodes behind a stencil and before it (fuse.h).

#include <algorithm>

#include "graph/nodes/fuse_join.h"

namespace lacuna {
namespace {

bool isStencil(const Node& node) {
  return node.kind == NodeKind::stencil && !node.parts.empty();
}

bool reads(const Node& node, int value) {
  return value != noValue && std::any_of(node.inputs.begin(), node.inputs.end(),
                                         [&](const NamedValue& input) { return input.value == value; });
}

// True if the stencil's first state is no value as it stands: a pass makes it under any schedule.
bool makesFirstState(const NodeGraph& graph, const Node& stencil) {
  const StencilDescription& description = stencil.description->stencil;
  const ValueType type = stateInputType(graph, stencil);
  return description.init || type.channels != description.stateChannels || type.format != stencil.stateFormat;
}

// True if the value is read for the stencil's first state, and for nothing else.
bool servesFirstState(const Node& stencil, int value) {
  const StencilDescription& description = stencil.description->stencil;
  const auto& features = description.features;
  for (size_t p = 0; p < stencil.parts.size(); ++p) {
    const int part = static_cast<int>(p);
    for (const PartInput& input : stencil.parts[p].inputs) {
      const bool own = part == stencil.own && (description.init || input.name == "state") &&
                       std::find(features.begin(), features.end(), input.name) == features.end();
      if (input.value == value && part >= stencil.own && !own)
        return false;
    }
  }
  return true;
}

bool mayLead(const NodeGraph& graph, int node, int stencil) {
  const Node& leader = graph.nodes[node];
  if (!mayJoin(leader) || leader.outputs.empty() || !isStencil(graph.nodes[stencil]))
    return false;
  return std::all_of(leader.outputs.begin(), leader.outputs.end(), [&](const NamedValue& output) {
    return isReadOnlyBy(graph, output.value, stencil) && servesFirstState(graph.nodes[stencil], output.value);
  });
}

// True if joining the next chain stores less: the result of this one stays, and that one has a pass of its
// own for its first state.
bool leadsBetter(const NodeGraph& graph, int node, int stencil) {
  const std::vector<NamedValue>& results = graph.nodes[stencil].outputs;
  const bool stays = std::any_of(results.begin(), results.end(), [&](const NamedValue& result) {
    return reads(graph.nodes[node], result.value) && !isReadOnlyBy(graph, result.value, node);
  });
  for (int next = 0; stays && next < static_cast<int>(graph.nodes.size()); ++next)
    if (mayLead(graph, node, next) && makesFirstState(graph, graph.nodes[next]))
      return true;
  return false;
}

bool mayFollow(const NodeGraph& graph, int node, int stencil) {
  const Node& follower = graph.nodes[node];
  const Node& chain = graph.nodes[stencil];
  const int tapped = valueNamed(ownPart(chain).outputs, chain.description->stencil.tapOutput);
  return mayJoin(follower) && !reads(follower, tapped) &&
         std::any_of(chain.outputs.begin(), chain.outputs.end(),
                     [&](const NamedValue& output) { return reads(follower, output.value); }) &&
         !meetBetween(graph, stencil, node) && !leadsBetter(graph, node, stencil);
}

}  // namespace

void fuseEpilogues(NodeGraph& graph, const DeviceModel& device) {
  const int count = static_cast<int>(graph.nodes.size());
  for (int n = 0; n < count; ++n) {
    int chain = n;
    for (int follower = 0; follower < count; ++follower)
      if (isStencil(graph.nodes[chain]) && mayFollow(graph, follower, chain) &&
          fitTogether(graph, chain, follower, device)) {
        join(graph, chain, follower);
        chain = follower;
        follower = -1;
      }
  }
}

void fusePrologues(NodeGraph& graph, const DeviceModel& device) {
  const int count = static_cast<int>(graph.nodes.size());
  for (int stencil = 0; stencil < count; ++stencil)
    for (int leader = 0; leader < count; ++leader)
      if (mayLead(graph, leader, stencil) && fitTogether(graph, leader, stencil, device)) {
        join(graph, leader, stencil);
        leader = -1;
      }
}

}  // namespace lacuna
