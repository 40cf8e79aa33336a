#pragma once
// Common parts of generators: the body of a node's shader with its parameters, and structs for bodies.

#include "graph/shader/generate/shaders.h"

namespace lacuna {

// Prefix of a part of a node: `n0` for its own, `b1` for the one before it, `n1` for the one behind it.
std::string partPrefix(const Node& node, int part);
constexpr const char* ownPrefix = "n0";

// The files that the body of a part consists of.
BodyRequest bodyRequest(const ShaderContext& context, int part);

// The body of a part, with bound parameters reading `array_bound_<part>_<parameter>`.
Body partBody(const ShaderContext& context, int part);
inline Body ownBody(const ShaderContext& context) {
  return partBody(context, context.node.own);
}

// The parameters of the parts from first to before end.
ParamBlock paramBlock(const ShaderContext& context, int first, int end);
inline ParamBlock ownParamBlock(const ShaderContext& context) {
  return paramBlock(context, context.node.own, context.node.own + 1);
}

struct Member {
  std::string name;
  ValueType type;
  bool connected = true;  // an output that something reads
  bool isInput = false;
};
// `struct n0_Inputs { vec4 input_; ... };`, and for each a `const bool n0_has_<name>` and the number of its
// colour tag, `const int n0_colour_<name>`. For a mosaic also `int n0_colourAt_<name>(ivec2)`: 0 R, 1 G, 2 B.
std::string declareInputs(const std::string& prefix, const std::vector<Member>& members);
// `struct n0_Outputs { vec4 output_; ... };`, and what `declareWanted` gives.
std::string declareOutputs(const std::string& prefix, const std::vector<Member>& members);
// A `const bool n0_wanted_<name>` each, and of a mosaic `int n0_colourAt_<name>(ivec2)`.
std::string declareWanted(const std::string& prefix, const std::vector<Member>& outputs);

// The inputs and outputs of a part; the own part's if none is named. An optional input that is not connected
// has the first type that its connector takes.
std::vector<Member> inputMembers(const ShaderContext& context, const NodePart& part);
std::vector<Member> outputMembers(const ShaderContext& context, const NodePart& part);

// Whether a later part of the node reads an output of this one.
bool isReadInside(const Node& node, const NodePart& part, const std::string& output);

inline std::vector<Member> inputMembers(const ShaderContext& context) {
  return inputMembers(context, ownPart(context.node));
}
inline std::vector<Member> outputMembers(const ShaderContext& context) {
  return outputMembers(context, ownPart(context.node));
}

// An image with a shorter side is small: bodies may treat it another way (small_NAME).
constexpr uint32_t smallSide = 64;

// For #if: format_u8 and so on.
std::string declareFormats();
// For #if, of an image: channels_NAME (0: not connected), format_NAME among those above, small_NAME (a side
// has fewer than 64 pixels), pattern_NAME (after so many pixels a mosaic's pattern repeats: 2 or 6; 0: none).
std::string typeMacros(const Member& member);
// Everything that a stencil's body sees for #if, and its constants. `state`: the type that the pass filters;
// format_initial is that of the first level.
std::string stencilMacros(const ShaderContext& context, const ValueType& state);

// Type of the stencil's state, at the extent of its input.
ValueType stateType(const ShaderContext& context);

// "0.0625" for 0.0625F: a GLSL literal that reads back as the same float.
std::string literal(double value);

}  // namespace lacuna
