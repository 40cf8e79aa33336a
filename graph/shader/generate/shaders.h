#pragma once
// Body + description + schedule -> GLSL. One function for each kind of pass.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/shader/generate/body_outline.h"
#include "graph/shader/generate/glsl_source.h"
#include "graph/shader/generate/prelude.h"
#include "graph/shader/generate/roles.h"

namespace lacuna {

struct GeneratedShader {
  std::string glsl;
  std::shared_ptr<const std::vector<uint32_t>> spirv = nullptr;  // instead of glsl
  ParamBlock block;
};

// The facts about a node that all generators need.
struct ShaderContext {
  const NodeGraph& graph;
  const Node& node;
  std::vector<std::string> includePath;
  std::string variant = {};         // the file of the node's own body, where that is not its description's
  bool matrices = false;            // the shader is one with matrices (ShaderSpec)
  std::optional<Extent> tile = {};  // its tile's, in a picture of tiles (Pass)
  bool checks = true;               // throw ShaderSourceError for mistakes that checkBody finds in bodies

  bool inTiles() const { return tile.has_value(); }
};

// One level of a stencil chain, or its fused first levels; or the rows or columns of one. Roles: `state`
// (read), `kernel` (weights that stencilWeightsShader has found), `kept` (the state before the rows),
// `feature_<name>` (read), `bound_<parameter>` (array); not last: `out_state`, and in permuted schedules
// `out_feature_<name>`; `sum` (not first) and `out_sum` (not last) if carried; `finer` (states 0 .. n-2,
// read) in the last level if gathered; `out_<output>` if the level writes outputs; `state<level>`: the state
// of an earlier fused level, if synthesis reads it later.
GeneratedShader stencilShader(const ShaderContext& context, const ShaderSpec& spec,
                              const std::vector<Role>& roles);

// The body's `float weight(int steps)` for each step of the window. Roles: `kernel` (written).
GeneratedShader stencilWeightsShader(const ShaderContext& context, const std::vector<Role>& roles);

// The body's `State init(Inputs, Pixel)`, or a change of format without one. Roles: `in_<input>` (read),
// `out_state`.
GeneratedShader initShader(const ShaderContext& context, const std::vector<Role>& roles);

// Synthesis as a pass. Roles: `levels` (states 0 .. n, read), `out_<output>`. In permuting schedules state l
// lies in layout l, except the last one, which is restored.
GeneratedShader synthesisShader(const ShaderContext& context, const StencilSchedule& schedule,
                                const std::vector<Role>& roles);

// Roles: `in_<value id>` (read), `out_<value id>` (write).
GeneratedShader pointwiseShader(const ShaderContext& context, const std::vector<Role>& roles);

// Reduce. Histogram: `histogramShader` counts into role `counters` (u32 array, cleared before);
// `histogramFinish` reads it. Otherwise `reduceShader` writes one partial value a workgroup into role
// `partials`, and `reduceFinish` combines them. Roles: `in_<input>`; `out_<output>` arrays in the finishing
// pass.
GeneratedShader histogramShader(const ShaderContext& context, const std::vector<Role>& roles);
GeneratedShader histogramFinish(const ShaderContext& context, const std::vector<Role>& roles);
GeneratedShader reduceShader(const ShaderContext& context, const std::vector<Role>& roles);
GeneratedShader reduceFinish(const ShaderContext& context, const std::vector<Role>& roles);

// Any compute shader over `dispatched` invocations, in one of its variants. Roles: `<input>` (read),
// `<output>` (write).
GeneratedShader kernelShader(const ShaderContext& context, const ShaderSpec& spec,
                             const std::vector<Role>& roles, Extent dispatched);

// A kernel whose shader is SPIR-V: binding 0 is the parameter block (std140), then come the roles. Throws
// ShaderSourceError if the file is not SPIR-V, has no entry point `main` for compute, another workgroup than
// the description's, or bindings that the node lacks.
GeneratedShader spirvKernel(const ShaderContext& context, const std::vector<Role>& roles);

// The passes of a frame with the GLSL of every dispatch, and with its SPIR-V once it is compiled.
struct Shaders : FrameGraph {
  Table<PassId, std::shared_ptr<const std::vector<uint32_t>>> spirv = {};  // null if a pass is not a dispatch
};
Shaders shade(FrameGraph passes, const std::vector<std::string>& includePath);
std::string print(const Shaders& shaders);  // the GLSL; of compiled ones the sizes of their SPIR-V

// Writes the text and the parameter block of every dispatch. Throws ShaderSourceError for bodies with
// mistakes, unless `checks` is false.
void generateShaders(Passes& passes, const std::vector<std::string>& includePath, bool checks = true);

}  // namespace lacuna
