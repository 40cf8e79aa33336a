#pragma once
// Common parts of the fuse stage's rewrites: who needs a value, and one node made of two.

#include "graph/nodes/node_graph.h"

namespace lacuna {

struct DeviceModel;

// A pointwise node that reads no neighbours, whatever its description calls itself.
bool mayJoin(const Node& node);

// True if neither another node nor the next frame needs the value.
bool isReadOnlyBy(const NodeGraph& graph, ValueId value, NodeId consumer);

// True if a third node needs something of `producer` and `consumer` needs something of the third.
bool meetBetween(const NodeGraph& graph, NodeId producer, NodeId consumer);

// True if no pass of the two as one node can bind more than the device allows.
bool fitTogether(const NodeGraph& graph, NodeId producer, NodeId consumer, const DeviceModel& device);

// Puts the producer's parts before the consumer's. Its values that are needed elsewhere are made by the
// joined node, which takes the consumer's place; its name and description are those of the stencil of the
// two, or else the consumer's. The producer is then empty, until culling removes it.
void join(NodeGraph& graph, NodeId producer, NodeId consumer);

// Fills the list with the nodes in an order in which producers come first, otherwise in the given order.
void sortNodes(NodeGraph& graph);

// The rewrites.
void fusePointwise(NodeGraph& graph, const DeviceModel& device);
void fuseEpilogues(NodeGraph& graph, const DeviceModel& device);
void fusePrologues(NodeGraph& graph, const DeviceModel& device);

}  // namespace lacuna
