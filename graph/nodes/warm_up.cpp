#include "graph/nodes/warm_up.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "graph/lists.h"
#include "graph/nodes/rewrites.h"

namespace lacuna {
namespace {

// Frames as in WarmUp, added and compared with `all` as the largest.
constexpr int64_t all = std::numeric_limits<int64_t>::max();
constexpr int64_t most = std::numeric_limits<int>::max();

int64_t sum(int64_t a, int64_t b) {
  return a == all || b == all ? all : std::min(a + b, most);
}

// Bounds of a parameter's single value: between keyframes it is between theirs.
template <class T>
std::vector<T> valuesOf(const Parameter& parameter) {
  std::vector<T> values;
  for (const Keyframe& keyframe : parameter.keyframes)
    values.push_back(std::get<T>(keyframe.values.front()));
  if (values.empty())
    values.push_back(std::get<T>(parameter.values.front()));
  return values;
}

int64_t largest(const Parameter& parameter, bool zeroIsAll) {
  const auto values = valuesOf<int64_t>(parameter);
  const bool hasZero = contains(values, 0);
  return zeroIsAll && hasZero ? all : *std::ranges::max_element(values);
}

// Frames until earlier ones weigh almost nothing, if each new frame has this share.
int64_t fadingFrames(const Parameter& share) {
  const auto values = valuesOf<double>(share);
  const double least = *std::ranges::min_element(values);
  return least < 1.0 ? static_cast<int64_t>(std::ceil(std::log(forgottenShare) / std::log1p(-least))) : 1;
}

int64_t framesOf(const WarmUpDescription& term, const ModuleInstance& module) {
  if (term.all)
    return all;
  if (!term.share.empty())
    return fadingFrames(module.parameter(term.share));
  if (term.parameter.empty())
    return term.frames;
  const int64_t value = largest(module.parameter(term.parameter), !term.zero.empty());
  return value == all ? all : std::min(value * term.factor, most);
}

int64_t declared(const ModuleInstance& module) {
  if (module.description->warmUp.empty())
    return all;
  int64_t frames = 0;
  for (const WarmUpDescription& term : module.description->warmUp)
    frames = module.holds(term.when) ? sum(frames, framesOf(term, module)) : frames;
  return frames;
}

// A module, with what native code built for it.
struct Vertex {
  bool keeps = false;  // its nodes read their own values of the previous frame
  int64_t own = 0;
  std::map<std::string, bool> producers;  // true if some of their values come a frame later
  std::optional<int64_t> depth;           // once it is known
  bool isOpen = false;                    // being looked at
};

class Depths {
 public:
  explicit Depths(const NodeGraph& graph) : graph_(graph) {
    for (const Node& node : graph.nodes)
      addNode(node);
    for (const ModuleInstance& module : graph.modules.modules) {
      const auto found = vertices_.find(module.name());
      if (found != vertices_.end() && found->second.keeps && module.builtFrom.empty())
        found->second.own = declared(module);
    }
  }

  WarmUp run() {
    int64_t largest = 0;
    for (const Node& node : graph_.nodes)
      if (node.kind == NodeKind::sink)
        largest = std::max(largest, depthOf(nameOf(node)));
    WarmUp warmUp;
    warmUp.frames = largest == all ? std::nullopt : std::optional(static_cast<int>(largest));
    warmUp.reason = largest > 0 ? reason() : "";
    warmUp.cutsAtGaps = largest > 0 && takesMotion_;
    return warmUp;
  }

 private:
  std::string nameOf(const Node& node) const { return graph_.modules.modules[node.module].name(); }

  void addNode(const Node& node) {
    const std::vector<NodeInput>& described = node.description->inputs;
    for (const NamedValue& input : node.inputs) {
      addValue(node, input.value, std::ranges::any_of(described, [&](const NodeInput& each) {
                 return each.name == input.name && each.feedback;
               }));
    }
    for (const BoundParameter& bound : node.bound)
      addValue(node, bound.value, false);
    for (const NamedValue& output : node.outputs)
      if (output.value && graph_.values[output.value].kept)
        vertices_[nameOf(node)].keeps = true;
  }

  // `isOwn`: whether it is the module's own value of the previous frame, not one from a `feedback:` line.
  void addValue(const Node& node, ValueId id, bool isOwn) {
    if (!id)
      return;
    const Value& value = graph_.values[id];
    const Value& made = value.feedback ? graph_.values[value.feedbackOf] : value;
    takesMotion_ = takesMotion_ || (made.type.channels == Channels::mv && node.kind != NodeKind::sink);
    if (!made.producer)
      return;  // an upload
    const std::string producer = nameOf(graph_.nodes[made.producer]);
    Vertex& vertex = vertices_[nameOf(node)];
    if (isOwn)
      vertex.keeps = true;
    else if (producer != nameOf(node) || value.feedback)
      vertex.producers[producer] = vertex.producers[producer] || value.feedback;
  }

  int64_t depthOf(const std::string& name) {
    Vertex& vertex = vertices_[name];
    if (vertex.isOpen) {
      hasLoop_ = true;
      return all;
    }
    if (vertex.depth)
      return *vertex.depth;
    vertex.isOpen = true;
    int64_t before = 0;
    for (const auto& [producer, isLate] : vertex.producers)
      before = std::max(before, sum(depthOf(producer), isLate ? 1 : 0));
    vertex.isOpen = false;
    vertex.depth = sum(vertex.own, before);
    return *vertex.depth;
  }

  std::string reason() const {
    std::vector<std::string> words;
    for (const auto& [name, vertex] : vertices_) {
      if (vertex.own > 0)
        words.push_back(vertex.own == all ? name : fmt::format("{} {}", name, vertex.own));
      for (const auto& [producer, isLate] : vertex.producers)
        if (isLate)
          words.push_back("feedback: of " + producer);
    }
    if (hasLoop_)
      words.emplace_back("a loop");
    return fmt::format("{}", fmt::join(words, ", "));
  }

  const NodeGraph& graph_;
  std::map<std::string, Vertex> vertices_;
  bool hasLoop_ = false, takesMotion_ = false;
};

}  // namespace

int WarmUp::from(int frame) const {
  return frames ? std::max(0, frame - *frames) : 0;
}

WarmUp warmUpOf(const NodeGraph& graph) {
  const NodeGraph needed = cull(graph);
  WarmUp warmUp = Depths(needed).run();
  if (graph.modules.warmUp && warmUp.needsEarlier()) {
    warmUp.frames = graph.modules.warmUp->frames;
    warmUp.reason = "as the graph says";
  }
  return warmUp;
}

void checkWarmUp(const NodeGraph& graph, Diagnostics& diagnostics) {
  if (graph.modules.warmUp && !Depths(cull(graph)).run().needsEarlier()) {
    diagnostics.warn(graph.modules.warmUp->where,
                     "'warmup' changes nothing: no module reads a value of the previous frame");
  }
}

std::string print(const WarmUp& warmUp) {
  if (!warmUp.needsEarlier())
    return "none";
  const std::string frames = !warmUp.frames        ? "all frames before"
                             : *warmUp.frames == 1 ? "1 frame"
                                                   : fmt::format("{} frames", *warmUp.frames);
  return fmt::format("{} ({})", frames, warmUp.reason);
}

}  // namespace lacuna
