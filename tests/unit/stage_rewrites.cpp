// Cull and fuse over random graphs: the remaining graph computes the same, and nothing more can be culled or
// fused.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <deque>
#include <set>

#include "graph/device_model.h"
#include "graph/nodes/rewrites.h"
#include "tests/unit/stage_interpreter.h"
#include "tests/unit/stage_random.h"

namespace lacuna {
namespace {

using test::drawnSeed;
using test::forSeeds;
using test::Random;

// Accepts all bindings of a fused pass.
DeviceModel generousDevice() {
  DeviceModel device;
  device.maxBindings = {1000, 1000, 1000};
  return device;
}

// A random graph of pointwise nodes, stencils and kernels from two sources to some sinks, with feedback and
// bound parameters. Descriptions live as long as the maker.
class RandomNodeGraph {
 public:
  explicit RandomNodeGraph(unsigned seed) : random_(seed) {}

  NodeGraph make(int nodes) {
    graph_.modules.modules.resize(1);
    ModuleDescription module;
    module.name = "m";
    graph_.modules.modules.front().description = std::make_shared<ModuleDescription>(module);
    for (int i = 0; i < 2; ++i)
      addNode(NodeKind::source, 0, 1);
    std::vector<ValueId> feedback;
    for (int i = random_.upTo(2); i > 0; --i)
      feedback.push_back(addFeedback());
    while (static_cast<int>(graph_.nodes.size()) < nodes)
      step();
    for (const ValueId value : feedback)
      close(value);
    for (int i = random_.upTo(2); i >= 0; --i)
      addNode(NodeKind::sink, 1, 0);
    return graph_;
  }

 private:
  ValueId addFeedback() {
    Value value;
    value.name = "old" + std::to_string(graph_.values.size());
    value.feedback = true;
    images_.push_back(graph_.values.add(value));
    return images_.back();
  }

  void close(ValueId value) {
    ValueId of = images_.back();
    while (graph_.values[of].feedback)
      of = images_[static_cast<size_t>(random_.upTo(static_cast<int>(images_.size()) - 1))];
    graph_.values[value].feedbackOf = of;
    graph_.values[value].type = graph_.values[of].type;
  }

  void step() {
    if (random_.oneIn(8)) {
      addNode(NodeKind::reduce, 1, 1);
      return;
    }
    const NodeKind kind = random_.oneIn(6)   ? NodeKind::kernel
                          : random_.oneIn(4) ? NodeKind::stencil
                                             : NodeKind::pointwise;
    Node& node = addNode(kind, 1 + random_.upTo(2), 1 + random_.upTo(1));
    if (!arrays_.empty() && random_.oneIn(8))
      node.bound.push_back(
          {0, "p", arrays_[static_cast<size_t>(random_.upTo(static_cast<int>(arrays_.size()) - 1))]});
  }

  ValueId pick() {
    const int last = static_cast<int>(images_.size()) - 1;
    return images_[static_cast<size_t>(last - random_.upTo(random_.oneIn(3) ? last : std::min(last, 2)))];
  }

  Node& addNode(NodeKind kind, int inputs, int outputs) {
    const int index = static_cast<int>(graph_.nodes.size());
    const bool stencil = kind == NodeKind::stencil;
    descriptions_.emplace_back().name = "n" + std::to_string(index);
    descriptions_.back().kind = kind;
    descriptions_.back().stencil.init = random_.oneIn(2);
    descriptions_.back().stencil.features = {"i1"};
    descriptions_.back().stencil.tapOutput = "o1";
    Node node;
    node.name = descriptions_.back().name;
    node.kind = kind;
    node.module = ModuleId(0);
    node.description = &descriptions_.back();
    NodePart part;
    part.module = ModuleId(0);
    part.description = node.description;
    for (int i = 0; i < inputs; ++i) {
      const std::string name = stencil && i == 0 ? "state" : "i" + std::to_string(i);
      const ValueId value = i > 0 && random_.oneIn(6) ? ValueId{} : pick();
      part.inputs.push_back({name, value, -1, {}});
      const bool repeated = std::any_of(node.inputs.begin(), node.inputs.end(), [&](const NamedValue& other) {
        return kind == NodeKind::pointwise && other.value == value;
      });
      if (!repeated)
        node.inputs.push_back({name, value});
    }
    for (int i = 0; i < outputs; ++i)
      addOutput(node, "o" + std::to_string(i));
    part.outputs = node.outputs;
    for (const NamedValue& output : node.outputs)
      part.outputTypes.push_back(graph_.values[output.value].type);
    if (stencil || kind == NodeKind::pointwise)
      node.parts = {part};
    graph_.nodes.push_back(node);
    return graph_.nodes.back();
  }

  void addOutput(Node& node, const std::string& name) {
    constexpr std::array<Format, 4> formats = {Format::u8, Format::u16, Format::f16, Format::f32};
    Value value;
    value.name = node.name + "." + name;
    value.type.format = formats[static_cast<size_t>(random_.upTo(3))];
    value.type.arrayCount = node.kind == NodeKind::reduce ? 1 : 0;
    value.producer = graph_.nodes.next();
    const ValueId id = graph_.values.add(value);
    (node.kind == NodeKind::reduce ? arrays_ : images_).push_back(id);
    node.outputs.push_back({name, id});
  }

  Random random_;
  NodeGraph graph_;
  std::deque<NodeDescription> descriptions_;
  std::vector<ValueId> images_, arrays_;  // values to read
};

void expectSame(const NodeGraph& a, const NodeGraph& b) {
  Interpreter first(a), second(b);
  for (int frame = 0; frame < 4; ++frame)
    ASSERT_EQ(first.frame(), second.frame()) << "frame " << frame << "\n" << print(a) << "\n" << print(b);
}

// Producers first, ids in range, each value listed by its producer.
void expectWellFormed(const NodeGraph& graph) {
  Table<ValueId, bool> made(graph.values.size(), false);
  for (const ValueId value : graph.values.ids())
    made[value] = graph.values[value].feedback;
  const auto isMade = [&](ValueId value) { return value.index() < made.size() && made[value]; };
  for (const NodeId node : graph.nodes.ids()) {
    for (const NamedValue& input : graph.nodes[node].inputs)
      ASSERT_TRUE(!input.value || isMade(input.value));
    for (const BoundParameter& bound : graph.nodes[node].bound)
      ASSERT_TRUE(isMade(bound.value));
    for (const NamedValue& output : graph.nodes[node].outputs) {
      ASSERT_LT(output.value.index(), graph.values.size());
      ASSERT_EQ(graph.values[output.value].producer, node);
      made[output.value] = true;
    }
  }
  for (bool value : made)
    ASSERT_TRUE(value);
}

std::set<NodeId> readersOf(const NodeGraph& graph, ValueId value) {
  std::set<NodeId> readers;
  for (const NodeId node : graph.nodes.ids()) {
    for (const NamedValue& input : graph.nodes[node].inputs)
      if (input.value == value)
        readers.insert(node);
    for (const BoundParameter& bound : graph.nodes[node].bound)
      if (bound.value == value)
        readers.insert(node);
  }
  return readers;
}

bool isFedBack(const NodeGraph& graph, ValueId value) {
  return std::any_of(graph.values.begin(), graph.values.end(),
                     [&](const Value& other) { return other.feedbackOf == value; });
}

// Forwards, unlike cull: whether a value of this node reaches a sink, in this frame or a later one.
bool reachesSink(const NodeGraph& graph, NodeId node, std::set<NodeId>& seen) {
  if (graph.nodes[node].kind == NodeKind::sink)
    return true;
  if (!seen.insert(node).second)
    return false;
  for (const NamedValue& output : graph.nodes[node].outputs) {
    std::set<NodeId> readers = readersOf(graph, output.value);
    for (const ValueId value : graph.values.ids())
      if (graph.values[value].feedbackOf == output.value)
        readers.merge(readersOf(graph, value));
    for (const NodeId reader : readers)
      if (reachesSink(graph, reader, seen))
        return true;
  }
  return false;
}

TEST(StageCull, RandomKeepsWhatReachesASinkAndNothingElse) {
  size_t before = 0, after = 0;
  forSeeds(200, [&](unsigned seed) {
    RandomNodeGraph maker(seed);
    const NodeGraph graph = maker.make(4 + static_cast<int>(seed % 30));
    const NodeGraph culled = cull(graph);
    std::set<std::string> wanted, kept;
    for (const NodeId node : graph.nodes.ids()) {
      std::set<NodeId> seen;
      if (reachesSink(graph, node, seen))
        wanted.insert(graph.nodes[node].name);
    }
    for (const Node& node : culled.nodes)
      kept.insert(node.name);
    ASSERT_EQ(kept, wanted) << print(graph);
    expectWellFormed(culled);
    for (const ValueId value : culled.values.ids()) {
      const NodeId producer = culled.values[value].producer;
      if (!producer || culled.nodes[producer].kind != NodeKind::reduce)
        ASSERT_TRUE(!readersOf(culled, value).empty() || isFedBack(culled, value))
            << culled.values[value].name;
    }
    expectSame(graph, culled);
    before += graph.nodes.size();
    after += culled.nodes.size();
  });
  EXPECT_LT(after, before);
}

// True if the only value of this frame that the node reads is the result of one stencil.
bool readsOneStencil(const NodeGraph& graph, const Node& node) {
  std::set<NodeId> producers;
  for (const NamedValue& input : node.inputs) {
    if (!input.value || !graph.values[input.value].producer)
      continue;
    const Node& producer = graph.nodes[graph.values[input.value].producer];
    if (producer.kind != NodeKind::stencil || valueNamed(ownPart(producer).outputs, "o1") == input.value)
      return false;
    producers.insert(graph.values[input.value].producer);
  }
  return producers.size() == 1 && node.bound.empty();
}

// A pointwise node that should have joined its consumer or its producer, if there is one.
NodeId leftToFuse(const NodeGraph& graph) {
  const auto mayFuse = [&](NodeId node) { return graph.nodes[node].kind == NodeKind::pointwise; };
  for (const NodeId node : graph.nodes.ids()) {
    std::set<NodeId> readers;
    bool fedBack = false;
    for (const NamedValue& output : graph.nodes[node].outputs) {
      readers.merge(readersOf(graph, output.value));
      fedBack = fedBack || isFedBack(graph, output.value);
    }
    if (mayFuse(node) && readers.size() == 1 && !fedBack && mayFuse(*readers.begin()))
      return node;
    if (mayFuse(node) && readsOneStencil(graph, graph.nodes[node]))
      return node;
  }
  return {};
}

TEST(StageFuse, RandomComputesTheSameWithNothingLeftToFuse) {
  size_t before = 0, after = 0, parts = 0;
  forSeeds(300, [&](unsigned seed) {
    RandomNodeGraph maker(seed);
    const NodeGraph graph = cull(maker.make(4 + static_cast<int>(seed % 30)));
    const NodeGraph fused = fuse(graph, generousDevice());
    expectWellFormed(fused);
    expectSame(graph, fused);
    ASSERT_FALSE(leftToFuse(fused)) << print(fused);
    before += graph.nodes.size();
    after += fused.nodes.size();
    for (const Node& node : fused.nodes)
      parts = std::max(parts, node.parts.size());
  });
  EXPECT_LT(after, before);
  EXPECT_GE(parts, 4U);
}

// A missing rounding through the intermediate's format must be detected.
TEST(StageFuse, RandomTheInterpreterSeesRounding) {
  const unsigned seed = drawnSeed();
  size_t different = 0;
  for (unsigned s = seed; s < seed + 50; ++s) {
    RandomNodeGraph maker(s);
    const NodeGraph graph = cull(maker.make(20));
    NodeGraph broken = fuse(graph, generousDevice());
    for (Node& node : broken.nodes)
      for (NodePart& part : node.parts)
        for (size_t i = 0; i < part.outputs.size(); ++i)
          if (!part.outputs[i].value)
            part.outputTypes[i].format = Format::f32;
    Interpreter first(graph), second(broken);
    different += first.frame() != second.frame() ? 1 : 0;
  }
  EXPECT_GT(different, 0U) << "seeds from " << seed;
}

}  // namespace
}  // namespace lacuna
