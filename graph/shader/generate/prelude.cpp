#include "graph/shader/generate/prelude.h"

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/shader/generate/glsl_source.h"

namespace lacuna {
namespace {

constexpr const char* head = R"(#version 450
#extension GL_GOOGLE_cpp_style_line_directive : require
#extension GL_KHR_shader_subgroup_vote : enable
#extension GL_EXT_scalar_block_layout : enable
#extension GL_EXT_shader_explicit_arithmetic_types_float16 : enable
${extensions}layout(local_size_x = $x, local_size_y = $y) in;
layout(constant_id = 0) const int FIXED_LEVEL = 0;
layout(push_constant) uniform Push { ivec2 extent; int level; ${extents}${tile}int frameIndex; int frameFirst; $addresses} push;
#define LEVEL $level
struct Pixel { ivec2 position; ivec2 extent; int level; int dilation; };
struct Offset { ivec2 steps; ivec2 pixels; float weight; float log2Weight; };
struct Frame { int index; bool first; };
Frame frame = Frame(push.frameIndex, push.frameFirst != 0);
// A zero that the compiler can't know (pixel_view.cpp says why).
uint opaqueZero() { return uint(push.frameFirst) >> 1; }
bool inside(int x, int n) { return uint(x) < uint(n); }
$places)";

// Scalars, so that they need no alignment.
constexpr const char* tilePlaces = R"(ivec2 wholeExtent() { return ivec2(push.wholeX, push.wholeY); }
ivec2 partExtent() { return ivec2(push.tileX, push.tileY); }
ivec2 partOrigin() { return ivec2(push.originX, push.originY); }
bool inCore(ivec2 at) { return at.x >= push.coreX && at.y >= push.coreY && at.x < push.coreEndX && at.y < push.coreEndY; }
)";

const char* glslScalar(ParameterType type) {
  switch (type) {
    case ParameterType::boolean:
      return "bool";
    case ParameterType::integer:
    case ParameterType::choice:
      return "int";
    default:
      return "float";
  }
}

constexpr uint32_t std140Array = 16;  // std140 rounds array strides and structs up to this

}  // namespace

std::string shaderHead(const ShaderHead& wanted) {
  std::string members, extents;
  for (const std::string& name : wanted.addresses)
    members += fmt::format("uvec2 address_{}; ", name);
  for (const std::string& name : wanted.extents)
    extents += fmt::format("int width_{0}; int height_{0}; ", name);
  const char* references = wanted.addresses.empty() ? ""
                                                    : "#extension GL_EXT_buffer_reference : require\n"
                                                      "#extension GL_EXT_buffer_reference_uvec2 : require\n";
  return fill(head,
              {{"extensions", references + wanted.extensions},
               {"addresses", members},
               {"extents", extents},
               {"x", std::to_string(wanted.workgroupX)},
               {"y", std::to_string(wanted.workgroupY)},
               {"tile", wanted.inTiles ? "int wholeX; int wholeY; int tileX; int tileY; int originX; int "
                                         "originY; int coreX; int coreY; int coreEndX; int coreEndY; "
                                       : ""},
               {"places", wanted.inTiles ? tilePlaces : ""},
               {"level", wanted.fixedLevel ? "FIXED_LEVEL" : "push.level"}});
}

std::string shrunk(const std::string& extent, uint32_t shrink) {
  return shrink == 1 ? extent : fmt::format("(({} + {}) / {})", extent, shrink - 1, shrink);
}

std::string shrunkOrigin(uint32_t shrink) {
  return shrink == 1 ? "partOrigin()" : fmt::format("partOrigin() / {}", shrink);
}

std::string pixelText(bool inTiles, const std::string& at, const std::string& extent,
                      const std::string& level, const std::string& dilation, uint32_t shrink) {
  return inTiles ? fmt::format("Pixel({} + {}, {}, {}, {})", at, shrunkOrigin(shrink),
                               shrunk("wholeExtent()", shrink), level, dilation)
                 : fmt::format("Pixel({}, {}, {}, {})", at, extent, level, dilation);
}

ParamBlock makeParamBlock(const std::vector<ParamUser>& users) {
  ParamBlock block;
  std::string members;
  for (const ParamUser& user : users) {
    std::string fields;
    block.bytes = (block.bytes + std140Array - 1) / std140Array * std140Array;
    for (const ParameterDescription& p : user.description->parameters) {
      if (p.type == ParameterType::string || p.settled)
        continue;
      const bool array = p.count > 1;
      const uint32_t stride = array ? std140Array : 4;
      block.bytes = (block.bytes + stride - 1) / stride * stride;
      block.fields.push_back(
          {user.module, p.name, block.bytes, stride, p.count, p.type != ParameterType::floating});
      block.bytes += stride * p.count;
      fields += fmt::format("  {} {}{};\n", glslScalar(p.type), memberName(p.name),
                            array ? fmt::format("[{}]", p.count) : "");
    }
    if (!fields.empty()) {
      block.glsl += fmt::format("struct {0}_Params {{\n{1}}};\n", user.prefix, fields);
      members += fmt::format("  {0}_Params {0}_param;\n", user.prefix);
    }
  }
  if (!members.empty())
    block.glsl += fmt::format("layout(std140, binding = 0) uniform ParamBlock {{\n{}}};\n", members);
  block.bytes = members.empty() ? 0 : (block.bytes + std140Array - 1) / std140Array * std140Array;
  return block;
}

std::string matrixExtensions(const MatrixUse& use) {
  std::string text = "#extension GL_EXT_control_flow_attributes : require\n";
  if (use.float16)
    text += "#define MATRIX_FLOAT16 1\n";
  if (use.eight)
    text += "#define MATRIX_HOLDS_EIGHT 1\n";
  if (use.workgroup)
    text += "#define MATRIX_WORKGROUP 1\n";
  if (use.kind != MatrixKind::emulated || use.workgroup) {
    // Both extensions to SPIR-V are only for Vulkan's memory model.
    text +=
        "#extension GL_KHR_shader_subgroup_basic : require\n"
        "#extension GL_KHR_memory_scope_semantics : require\n"
        "#pragma use_vulkan_memory_model\n"
        "#extension GL_EXT_spirv_intrinsics : require\n";
  }
  switch (use.kind) {
    case MatrixKind::khr:
      return text + "#define MATRIX_KHR 1\n";
    case MatrixKind::nv:
      return text + "#extension GL_NV_cooperative_matrix : require\n#define MATRIX_NV 1\n";
    case MatrixKind::emulated:
      break;
  }
  return text;
}

const std::set<std::string>& matrixMacros() {
  static const std::set<std::string> names = {"MATRIX_KHR", "MATRIX_NV", "MATRIX_FLOAT16",
                                              "MATRIX_HOLDS_EIGHT", "MATRIX_WORKGROUP"};
  return names;
}

}  // namespace lacuna
