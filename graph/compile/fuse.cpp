#include "graph/compile/fuse.h"

#include <algorithm>
#include <set>

#include "graph/compile/cull.h"

namespace lacuna {
namespace {

class Fuser {
 public:
  explicit Fuser(NodeGraph& graph) : graph_(graph) {}

  // Joined nodes have no outputs and no readers left, so culling takes them and their values away.
  void run() {
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      int producer = joinable(static_cast<int>(n));
      while (producer >= 0) {
        join(producer, static_cast<int>(n));
        producer = joinable(static_cast<int>(n));
      }
    }
  }

 private:
  bool isReadOnlyBy(int value, int consumer) const {
    for (size_t n = 0; n < graph_.nodes.size(); ++n) {
      const Node& node = graph_.nodes[n];
      const bool reads = std::any_of(node.inputs.begin(), node.inputs.end(),
                                     [&](const NamedValue& input) { return input.value == value; });
      const bool binds = std::any_of(node.bound.begin(), node.bound.end(),
                                     [&](const auto& bound) { return bound.second == value; });
      if (binds || (reads && static_cast<int>(n) != consumer))
        return false;
    }
    return std::none_of(graph_.values.begin(), graph_.values.end(),
                        [&](const Value& next) { return next.feedbackOf == value; });
  }

  static bool mayFuse(const Node& node) {
    return node.kind == NodeKind::pointwise && node.bound.empty() &&
           node.description->footprint.kind == FootprintKind::local;
  }

  // A producer of this node that may join it; -1: none.
  int joinable(int consumer) const {
    if (!mayFuse(graph_.nodes[consumer]))
      return -1;
    for (const NamedValue& input : graph_.nodes[consumer].inputs) {
      const int producer = input.value == noValue ? -1 : graph_.values[input.value].producer;
      if (producer < 0 || !mayFuse(graph_.nodes[producer]))
        continue;
      const std::vector<NamedValue>& outputs = graph_.nodes[producer].outputs;
      if (std::all_of(outputs.begin(), outputs.end(), [&](const NamedValue& output) {
            return isReadOnlyBy(output.value, consumer) && !graph_.values[output.value].type.isArray();
          }))
        return producer;
    }
    return -1;
  }

  void join(int producerIndex, int consumerIndex) {
    Node& producer = graph_.nodes[producerIndex];
    Node& consumer = graph_.nodes[consumerIndex];
    const int shift = static_cast<int>(producer.parts.size());
    for (NodePart& part : consumer.parts)
      for (PartInput& input : part.inputs)
        redirect(input, producer.parts, shift);
    for (NodePart& part : producer.parts)
      for (NamedValue& output : part.outputs)
        output.value = noValue;
    consumer.parts.insert(consumer.parts.begin(), producer.parts.begin(), producer.parts.end());
    consumer.name = producer.name + "+" + consumer.name;
    collectInputs(producer, consumer);
    producer.inputs.clear();
    producer.outputs.clear();
    producer.parts.clear();
  }

  static void redirect(PartInput& input, const std::vector<NodePart>& producers, int shift) {
    if (input.part >= 0)
      input.part += shift;
    if (input.value == noValue)
      return;
    for (size_t part = 0; part < producers.size(); ++part)
      for (const NamedValue& output : producers[part].outputs)
        if (output.value == input.value) {
          input.value = noValue;
          input.part = static_cast<int>(part);
          input.output = output.name;
          return;
        }
  }

  static void collectInputs(const Node& producer, Node& consumer) {
    std::vector<NamedValue> all = producer.inputs;
    for (const NamedValue& input : consumer.inputs) {
      const auto makes = [&](const NamedValue& output) { return output.value == input.value; };
      if (std::none_of(producer.outputs.begin(), producer.outputs.end(), makes))
        all.push_back(input);
    }
    std::set<int> seen;
    consumer.inputs.clear();
    for (const NamedValue& input : all)
      if (input.value != noValue && seen.insert(input.value).second)
        consumer.inputs.push_back(input);
  }

  NodeGraph& graph_;
};

}  // namespace

NodeGraph fusePointwise(NodeGraph graph) {
  Fuser(graph).run();
  return cull(std::move(graph));
}

}  // namespace lacuna
