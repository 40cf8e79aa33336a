#include "graph/shader/generate/matrix_text.h"

namespace lacuna {

std::string matrixExtensions(const MatrixUse& use) {
  std::string text = "#extension GL_EXT_control_flow_attributes : require\n";
  if (use.float16) {
    text += "#define MATRIX_FLOAT16 1\n";
  }
  if (use.eight) {
    text += "#define MATRIX_HOLDS_EIGHT 1\n";
  }
  if (use.workgroup) {
    text += "#define MATRIX_WORKGROUP 1\n";
  }
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
