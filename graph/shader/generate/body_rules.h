#pragma once
// What a node's body must define, may use and may do: modules/README.md as data.

#include "graph/shader/generate/shaders.h"

namespace lacuna {

struct EntryPoint {
  std::string head;  // "void gather(inout Acc a, Centre c, Tap t, Offset o)"
  bool isRequired = true;
  std::string neverCalled;  // not empty: the reason why nothing calls it here

  std::string name() const;
};

struct BodyRules {
  NodeKind kind = NodeKind::pointwise;
  std::string node;  // its name
  std::vector<EntryPoint> entries;
  std::vector<std::string> structs;          // that it must define: Centre, Acc
  std::map<std::string, std::string> stand;  // types by another name: State -> vec4
  std::set<std::string> types;               // that the generator declares: Inputs
  std::vector<std::string> parameters;       // of `param`
  std::vector<std::string> inputs, outputs;
  std::set<std::string> planes;           // inputs and outputs that are planes
  std::map<std::string, int> components;  // of outputs that are images
  std::vector<std::string> unset;         // outputs that the body need not set
  std::set<std::string> macros;           // that #if may use
  bool matrices = false;                  // it may include shared/matrix.glsl
  bool negativeWeights = false;           // of a stencil: they have no logarithm

  const EntryPoint* entry(const std::string& name) const;
};

BodyRules rulesOf(const ShaderContext& context, const NodePart& part);

}  // namespace lacuna
