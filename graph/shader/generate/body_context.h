#pragma once
// What generators share: the body of a node's shader with its parameters, and the structs that bodies see.

#include "graph/shader/generate/shaders.h"

namespace lacuna {

// `n0`, `n1`, ...: prefix of the part of a node.
std::string partPrefix(size_t part);

// The body of a node (its first part), with bound parameters reading `array_bound_<parameter>`.
Body nodeBody(const ShaderContext& context, const NodeDescription& description, int module,
              const std::string& prefix);

// `struct n0_Inputs { vec4 input_; ... };`, and for each a `const bool n0_has_<name>` and the number of its
// colour tag, `const int n0_colour_<name>`.
struct Member {
  std::string name;
  ValueType type;
  bool connected = true;
};
std::string declareStruct(const std::string& prefix, const std::string& kind,
                          const std::vector<Member>& members);

// What a body sees of an optional input that is not connected: zeros of the first type that its connector
// takes.
ValueType absentType(const ModuleDescription& module, const NodeDescription& node, const std::string& input);

std::vector<Member> inputMembers(const ShaderContext& context);
std::vector<Member> outputMembers(const ShaderContext& context);

// Type of the stencil's state, at the extent of its input.
ValueType stateType(const ShaderContext& context);

// "0.0625" for 0.0625F: a GLSL literal that reads back as the same float.
std::string literal(double value);

}  // namespace lacuna
