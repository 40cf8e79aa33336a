#pragma once
// module.toml as data: everything that the runtime, the documentation and the error messages know about a
// module. modules/README.md describes the file; keys.h lists its keys.

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/module/arithmetic.h"
#include "graph/module/condition.h"
#include "graph/values/image_type.h"

namespace lacuna {

enum class Direction { input, output };

// array = true: the producer's number of elements.
constexpr uint32_t anyCount = 0xffffffffU;

// A value, or the name of a structural parameter that has it: 5 or "levels"; "f16" or "@precision".
template <typename T>
struct OrParameter {
  OrParameter(T given = {}, std::string name = {}) : value(given), parameter(std::move(name)) {}
  T value;
  std::string parameter;  // when not empty, instead of value
};

// An accepted or produced type. An empty list or nullopt means: any, or (outputs) as the module's
// `input` connector.
struct ConnectorDescription {
  std::string name;
  Direction direction = Direction::input;
  std::vector<Channels> channels;
  std::vector<Format> formats;
  std::optional<OrParameter<ColourTag>> colour;  // a parameter: of inputs only
  bool optional = false;
  uint32_t arrayCount = 0;  // > 0: an array, not an image; or anyCount
  bool planes = false;  // an array of planes; arrayCount is anyCount. An input without it also takes these
  bool images = false;  // an input of native nodes that takes an image in place of the array, too
  std::string doc;
  std::string scope = {};  // its purpose, if it is only for a part of the module's functions: "OpenEXR"
};

enum class ParameterType { floating, integer, boolean, string, choice };
inline bool isNumber(ParameterType type) {
  return type == ParameterType::floating || type == ParameterType::integer;
}

using ParameterValues = std::vector<ParameterValue>;  // `count` of them

struct NumberRange {
  double minimum = 0.0, maximum = 0.0;  // inclusive
  bool contains(double number) const { return number >= minimum && number <= maximum; }
};

struct ParameterDescription {
  std::string name;
  ParameterType type = ParameterType::floating;
  uint32_t count = 1;
  ParameterValues defaults;          // `count` values
  std::optional<NumberRange> range;  // for numbers: rangeOf() is what holds
  std::vector<std::string> choices;  // for choice
  std::string choicesIn = {};        // a file with more of them
  std::string unit;
  ParameterValues preview = {};  // a number that computes a coarser picture sooner; none: the graph's value
  bool structural = false;       // changes the graph: no keyframes
  bool isFile = false;    // a file's name, relative to the graph file; by an option, to the current folder
  bool perLevel = false;  // one value a level: fewer values than `count` repeat the last one
  bool settled = false;   // structural, set only by native code: graphs and shaders can't use it
  std::string doc;
  std::string scope = {};   // as of a connector
  std::string unless = {};  // an input connector: if it is connected, its numbers are taken instead

  bool namesFile() const { return isFile || name == "filename"; }
};

// The range in module.toml; otherwise, for integers, 32 bits, as in shaders.
NumberRange rangeOf(const ParameterDescription& parameter);

// native: code builds the nodes that take its place; host: code computes its outputs in the machine's memory.
enum class NodeKind { pointwise, stencil, reduce, kernel, source, sink, native, host };
// Nodes that state the types of what they make, whatever that is.
inline bool statesOutputs(NodeKind kind) {
  return kind == NodeKind::kernel || kind == NodeKind::host;
}
// separable: each level is two passes, along rows and then along columns.
enum class Support { square, circular, row, column, separable };
// Pixels outside the image in a window. unweighted: a tap shows the nearest one inside, with weight 0;
// zeroWeight: there is no tap; validOnly: pixels whose window reaches outside are unchanged.
enum class BorderRule { unweighted, zeroWeight, clamp, reflect, reflect101, validOnly };
enum class FootprintKind { local, halo, scale, global };

struct Footprint {
  FootprintKind kind = FootprintKind::local;
  float amount = 0.0F;    // halo: pixels (reach.h); scale: factor
  uint32_t multiple = 1;  // halo: tiles begin at multiples of so many pixels
};

// The source of a node's input: a connector of the module ("input") or "node.output".
struct NodeInput {
  std::string name;  // in the body: i.name, or (stencil) "state" and the features
  std::string source;
  bool feedback = false;                    // that output in the previous frame; zeros in the first
  std::optional<Footprint> footprint = {};  // kernels: if it differs from the node's
};

// The size of a kernel's output, if it is not that of its first image input: a size by numbers or parameters,
// or (window) a part of that image.
struct OutputExtent {
  std::string of;                   // input connector of the module; if empty, the node's first image input
  Formula width, height;            // pixels; 0: from the other one and the aspect, or the rest of the window
  OrParameter<double> factor{1.0};  // if neither is given: for both sides, rounded to the nearest pixel
  bool window = false;              // from (x, y) on; it must lie inside
  Formula x, y;                     // of the window, in pixels
  std::string only;                 // "width" or "height": only this side, the other one is the image's
};

struct NodeOutput {
  std::string name;                  // in the body: o.name
  std::optional<Channels> channels;  // nullopt: as the node's first input
  std::optional<OrParameter<Format>> format;
  std::optional<OrParameter<ColourTag>> colour;
  std::optional<OrParameter<MosaicPattern>> pattern;  // nullopt: that of the input whose type it has
  uint32_t arrayCount = 0;  // > 0: an array; anyCount: as in the source, or a kernel's first array input
  bool kept = false;        // a kernel's array: it keeps the last frame's values, at first zeros
  bool zeroed = false;      // a kernel's array: it is zeros when the node begins, and the body adds to it
  bool tile = false;        // a built kernel's array: it has a tile's values, not the picture's
  // An array of planes (arrayCount is anyCount): their number, of parameters, of the image that the extent is
  // relative to, and of input_planes. 0: a source's number, or that of a kernel's first planes.
  std::optional<Formula> planes;
  // An array that a kernel makes (arrayCount is anyCount): its sizes, outermost first, of parameters and of
  // the inputs' sizes. If this is empty, the array has one size, or the first array input's shape.
  std::vector<Formula> shape;
  // Of kernels; if none, that of the first image input, or of the first planes.
  std::optional<OutputExtent> extent;
  std::string connector;  // of the module; empty if the value is internal
};

// One field of a stencil's Tap. `from` names an unchanged value ("state" or a feature), stored in its own
// format; otherwise load() computes it and every schedule rounds it through `storage`.
struct TapField {
  std::string name;
  std::string type;  // float, vec2, vec3, vec4; may be empty with `from`: that one's
  std::string from;
  Format storage = Format::f32;
  bool bytes = false;  // 8-bit integers of `from` as they are stored: 0 to 255
};

// A constant of a kernel's or a stencil's shader, `NAME` in GLSL: for an int or float parameter a
// specialization constant, in stencils a const; for a choice or a bool a macro, its index or 0 and 1; or a
// number, a const int.
struct NodeConstant {
  std::string name;
  std::string parameter;  // a structural one; if empty, `number` is the value
  int64_t number = 0;
};

// Of what a stencil filters; nullopt: as the input `state`.
struct StateDescription {
  std::optional<Channels> channels;
  std::optional<OrParameter<Format>> format;
};

struct StencilDescription {
  OrParameter<int64_t> radius{2};
  Support support = Support::square;
  bool dilated = true;  // dilation 2^level; false: 1
  OrParameter<int64_t> levels{1};
  std::vector<float> weights;  // of one dimension, 2 * radius + 1 values; if empty, all are 1
  bool weight = false;         // the body has float weight(int steps) in their place
  bool reach = false;          // the body has int reach(): how far the window reaches, at most the radius
  std::optional<OrParameter<BorderRule>> border;
  // Not 0: the body has float difference(Tap a, Tap b), and gather() gets the sum of those between the pixels
  // around the tap and those around the centre, this many to either side.
  OrParameter<int64_t> patch;
  StateDescription state;
  std::vector<std::string> features;  // names of inputs that every level reads
  std::vector<TapField> tap;
  bool init = false;            // the body has State init(Inputs, Pixel)
  bool synthesis = false;       // detail(fine, coarse) is summed over the levels
  std::optional<int> tapLevel;  // this level's state is an output...
  std::string tapOutput;        // ...with this name
  std::vector<NodeConstant> constants;
};

struct ReduceDescription {
  uint32_t bins = 0;           // > 0: a histogram of that many counters; 0: map, combine, finish
  std::string value = "vec4";  // GLSL type that combine() works on
  bool counts = false;         // the histogram itself is the output: the body has no finish()
};

struct KernelDescription {
  std::array<uint32_t, 2> workgroup{0, 0};  // zeros: the schedule's choice
  // Invocations: one for each pixel of this input or output, or of the first output if empty; or so many, as
  // sizes of an output's `shape`: the last one is their width, the product of the others their height.
  std::string extentOf;
  std::vector<Formula> invocations;
  // This structural int parameter is the number of runs of the node: its first input is then its previous
  // first output.
  std::string repeat;
  bool matrix = false;  // the shader includes shared/matrix.glsl
  std::vector<NodeConstant> constants;
};

constexpr std::array<uint32_t, 2> spirvWorkgroup{16, 16};  // of SPIR-V that states none
constexpr uint32_t matrixLanes = 32;  // invocations in a row that hold a matrix of shared/matrix.glsl

// A specialization constant that a schedule may set: tiles@16x16/n4.
struct VariantConstant {
  std::string name;             // NAME in GLSL; in the schedule's name in lower case
  std::vector<int64_t> values;  // candidates, the default first; one alone can't be changed
};

// The devices for which `auto` takes a variant.
enum class VariantDevice { any, cpu, gpu, none };

// The work of a variant's kernel in all, for an estimate of its time before it was measured.
struct VariantCost {
  Formula operations = 0;  // of arithmetic, on numbers
  Formula loads = 0;       // 32-bit words that invocations read from memory, with repetitions
  Formula products = 0;    // of matrices of 16x16
  Formula registers = 0;   // 32-bit words that an invocation holds, but for what every kernel needs

  std::vector<Formula> all() const { return {operations, loads, products, registers}; }
};

// One of several implementations of kernels: another shader for the same inputs and outputs, or their own.
struct VariantDescription {
  std::string name;
  std::vector<std::string> nodes;
  std::string shader;                               // empty: each node's own
  std::vector<std::array<uint32_t, 2>> workgroups;  // candidates, the default first
  std::array<std::string, 2> pixels{"1", "1"};      // of an invocation: numbers or names of constants
  std::vector<Formula> groups;  // workgroups across and down, if they don't follow from pixels
  std::vector<VariantConstant> constants;
  bool images = false;  // reads and writes images rather than buffers, unless a schedule says otherwise
  std::vector<std::string> uniform;  // arrays that are read as uniform buffers ("constant memory")
  Formula shared;                    // bytes of a workgroup
  std::vector<Formula> whole;        // results must be above 0 without remainders, otherwise it can't run
  std::vector<Format> formats;       // of the first input; if none, any
  When when;                         // as of a node
  bool float16 = false;              // needs arithmetic in half precision
  bool matrix = false;               // the shader includes shared/matrix.glsl
  bool matrix2 = false;              // it needs matrices of whole workgroups (VK_NV_cooperative_matrix2)
  uint32_t subgroup = 0;             // it needs subgroups of so many invocations, which shuffle; 0: any
  std::optional<VariantCost> cost;   // if none, its time is only known once it was measured
  VariantDevice device = VariantDevice::any;
  std::string guarantee = "exact";  // or how far its results may differ from exact ones
  std::string doc;

  bool isExact() const { return guarantee == "exact"; }
  bool usesMatrices() const { return matrix || matrix2; }
};

struct NodeDescription {
  std::string name;
  NodeKind kind = NodeKind::pointwise;
  std::string shader;  // file in the module's folder; none for source, sink, native and host
  // host: on CPU devices it makes the outputs of this earlier node, of the same names and types.
  std::string replaces = {};
  Footprint footprint;
  When when;
  std::vector<NodeInput> inputs;
  std::vector<NodeOutput> outputs;
  std::map<std::string, std::string> bind;  // parameter -> "node.output" or connector (array of one y f32)
  std::vector<NodeConstant> constants;      // of the kernel or the stencil
  StencilDescription stencil;
  ReduceDescription reduce;
  KernelDescription kernel;
  bool memory = false;  // source and sink: of the program that embeds Lacuna, not of native code
  OrParameter<int64_t> largestSide = {};  // sink: most pixels on a side of its images; 0: any number

  bool isSpirv() const { return std::string_view(shader).ends_with(".spv"); }
  const std::string& shaderUnder(const VariantDescription& variant) const {
    return variant.shader.empty() ? shader : variant.shader;
  }
};

// The number of earlier frames that its result depends on, which are computed first if a run begins in the
// middle of a sequence. What module.toml states needs to hold only within the rounding of the module's
// result.
constexpr double forgottenShare = 1e-12;  // a weight below which earlier frames no longer count

struct WarmUpDescription {
  bool all = false;       // every frame before
  int64_t frames = 0;     // so many; or
  std::string parameter;  // when not empty: `factor` times this int parameter's (largest) value,
  int64_t factor = 1;
  std::string zero = {};   // "all": a value of 0 means every frame
  std::string share = {};  // when not empty: a float parameter whose (least) value is a new frame's weight
  When when = {};          // counts only if this condition holds
};

// Of a module that is another one with some of its parameters fixed.
struct Alias {
  std::string base;                          // the folder of the other module; empty if it is not an alias
  std::map<std::string, std::string> fixed;  // choices and their words
  std::vector<std::string> parameters;       // in this order: the other module's, and its own
};

struct ModuleDescription {
  std::string name;
  std::string summary;
  std::vector<std::string> papers;
  std::vector<WarmUpDescription> warmUp;  // added up; without any, nodes with feedback need all frames
  std::string folder;                     // the folder of module.toml
  std::string code;          // the folder beside it with its native code; if empty, its own folder
  bool readsOrigin = false;  // build() reads the file that the picture comes from
  Alias alias;               // as it was read; the other members have what it takes over
  std::vector<ConnectorDescription> connectors;
  std::vector<ParameterDescription> parameters;
  std::vector<NodeDescription> nodes;
  std::vector<VariantDescription> variants;
  std::map<std::string, std::string> made;  // shaders that native code made, by file name

  const ConnectorDescription* connector(const std::string& name) const;
  const ParameterDescription* parameter(const std::string& name) const;
  const NodeDescription* node(const std::string& name) const;
  bool isSource() const;
  bool isSink() const;
  // Whether an input connector or a "node.output" is declared as planes.
  bool isPlanes(const std::string& source) const;
};

std::string print(const ModuleDescription& module);  // what `lacuna describe` shows
// Its lines for a connector or a parameter, the name in a column of so many characters; 0: without
// indentation.
std::string print(const ConnectorDescription& connector, size_t width = 0);
std::string print(const ParameterDescription& parameter, size_t width = 0);
std::string printJson(const ModuleDescription& module);

// A variant's constant and its value in a schedule's name: "n4".
constexpr int64_t maxVariantConstant = 1024;

// "n" of "n4"; "" for words that are not letters and then digits.
std::string variantConstantIn(std::string_view word);

}  // namespace lacuna
