#pragma once
// ModuleGraph -> NodeGraph: modules expanded into their nodes, every value typed.
// Nodes and values are in evaluation order: a node's inputs are produced by earlier nodes.

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/nodes/module_graph.h"

namespace lacuna {

struct Node;
struct Value;
using NodeId = Id<Node>;
using ValueId = Id<Value>;

struct Value {
  std::string name;  // "eaw:01:atrous.output"
  ValueType type;
  NodeId producer;        // none for the previous frame's value, or an upload
  bool feedback = false;  // the previous frame's value of `feedbackOf`, without a producer
  ValueId feedbackOf;
  bool kept = false;    // its producer finds the previous frame's values in it
  bool zeroed = false;  // its producer finds zeros in it
  bool tile = false;    // an array of a tile's values: in tiles each has its own
  std::shared_ptr<const std::vector<std::byte>> constant = nullptr;  // an upload, without a producer
};

struct NamedValue {
  std::string name;  // as the body knows it
  ValueId value;     // none for an optional input that is not connected
};

// The value of that name; none if there is none.
ValueId valueNamed(const std::vector<NamedValue>& list, std::string_view name);

// An input of a part: a value, or an output of an earlier part of the node.
struct PartInput {
  std::string name;
  ValueId value;  // when the input comes from outside the node
  int part = -1;  // else: output `output` of this earlier part
  std::string output;
};

// One body of a node. Every node starts with one, its own; fusing adds pointwise ones to it.
struct NodePart {
  std::string name;  // of the node that it was fused from
  ModuleId module;   // with its parameters and folder
  const NodeDescription* description = nullptr;
  std::vector<PartInput> inputs;
  std::vector<NamedValue> outputs;     // none if it is used only inside the node
  std::vector<ValueType> outputTypes;  // of `outputs`: what they round through
};

// A parameter whose value is a computed value instead of its module's parameter.
struct BoundParameter {
  int part = 0;  // whose parameter it is
  std::string parameter;
  ValueId value;
};

struct Node {
  std::string name;  // "eaw:01:atrous"
  NodeKind kind = NodeKind::pointwise;
  ModuleId module;
  const NodeDescription* description = nullptr;
  std::vector<NamedValue> inputs;   // every input value, without repeats for fused nodes
  std::vector<NamedValue> outputs;  // every output value
  // In the order in which they run. Parts before a stencil's own make its first state; those behind it are
  // functions of its result at the same pixel.
  std::vector<NodePart> parts;
  int own = 0;                        // the part that `kind`, `module` and `description` are of
  std::vector<BoundParameter> bound;  // by part and name

  // kernel only: the values of its constants, in their order; floats as their bits
  std::vector<int32_t> constants;

  // stencil only: structural values resolved
  int levels = 1;
  int radius = 2;
  int patch = 0;                      // around a tap: pixels to either side
  std::optional<Format> stateFormat;  // if none, as its input
  BorderRule border = BorderRule::unweighted;
};

// The passes of each of a stencil's levels: its window's shape in each.
std::vector<Support> windowsOf(const Node& stencil);

// The level of a stencil whose state is also an output; the last one if there are fewer; -1 if none.
int tappedLevel(const Node& node);

// A native node whose built nodes have arrays of a tile's values (buildForTile()).
struct NativeNode {
  Node node;  // its values are no longer the graph's
  std::vector<ValueType> inputTypes;
  ModuleId built;
};

// A native node whose build() has read the file of its picture's source.
struct NodeByOrigin {
  ModuleId module;
  std::string node;
  std::vector<std::pair<std::string, ValueType>> inputs;  // connected ones
  std::string made;                                       // by build(), for ModuleGraph::firstFrame
};

struct NodeGraph {
  ModuleGraph modules;
  Table<NodeId, Node> nodes;
  Table<ValueId, Value> values;
  std::vector<NativeNode> natives;
  std::vector<NodeByOrigin> byOrigin;
};

// The module that the node belongs to.
const ModuleInstance& instanceOf(const NodeGraph& graph, const Node& node);
const NodePart& ownPart(const Node& node);
void addOwnPart(Node& node);  // to a node that has its inputs and outputs
// The input of that name; null if there is none.
const PartInput* inputNamed(const NodePart& part, std::string_view name);
// The value at an input of the node's own part; none if it is not connected, or made by an earlier part.
ValueId inputValue(const Node& node, std::string_view name);
// The type of the value from which the stencil's first state is made; in tiles with a tile's extent, also if
// the value is the previous frame's.
ValueType stateInputType(const NodeGraph& graph, const Node& stencil);
// Its states, if it has such an input.
ValueType stateTypeOf(const Node& stencil, const ValueType& input);
inline ValueType stateTypeOf(const NodeGraph& graph, const Node& stencil) {
  return stateTypeOf(stencil, stateInputType(graph, stencil));
}
// Whether the input's values are those of the first state: of one type, or held exactly by the state's.
bool inputIsState(const ValueType& input, const ValueType& state);
// Every place where the node names a value: inputs, outputs, bound parameters, parts.
void forEachValue(Node& node, const std::function<void(ValueId& value)>& change);
// The nodes of the list in its order, and no others. Their values keep their ids.
void arrangeNodes(NodeGraph& graph, const std::vector<NodeId>& order);
// The type of the input's value; nullopt if nothing is connected.
std::optional<ValueType> typeOf(const NodeGraph& graph, const Node& node, const PartInput& input);
// The type of a value as a kernel's input sees it: planes are a plain array at an input that is not declared
// as planes.
ValueType typeAtKernel(const NodeGraph& graph, const Node& kernel, const NamedValue& input);
// Whether a node's input is declared as planes.
bool takesPlanes(const ModuleDescription& module, const NodeDescription& node, std::string_view input);

// By output; {} if the source has an error, which was reported.
using SourceTypes = std::map<ModuleId, std::map<std::string, ValueType>>;

// The modules of a graph, with what their files hold: numbers of frames, parameters that depend on files, and
// the types of sources' values.
struct Sources {
  ModuleGraph modules;
  std::optional<FrameSet> frames =
      {};  // to run, without those that are skipped; none: they aren't looked for
  SourceTypes types = {};
  bool isRight = true;  // until its files were read: nodes can be made, with or without the files' mistakes
};

// Reports channel, format and colour-tag mismatches and differing extents.
NodeGraph buildNodeGraph(Sources sources, Diagnostics& diagnostics);

std::string print(const Sources& sources);
std::string print(const NodeGraph& graph);

// Graphs of a module alone, so that its bodies can be checked: behind a source in memory that gives each
// input a type that it takes, with all outputs read. Together they hold every node that some setting of the
// structural parameters makes, and every type that a connector lists. Native nodes are replaced by those that
// the module's code builds. Reports mistakes in these.
std::vector<NodeGraph> loneGraphs(const std::shared_ptr<const ModuleDescription>& module,
                                  Diagnostics& diagnostics);

}  // namespace lacuna
