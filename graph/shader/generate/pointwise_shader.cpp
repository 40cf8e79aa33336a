#include "graph/shader/generate/part_text.h"

namespace lacuna {

GeneratedShader pointwiseShader(const ShaderContext& context, const std::vector<Role>& roles) {
  const int parts = static_cast<int>(context.node.parts.size());
  GeneratedShader out;
  out.block = paramBlock(context, 0, parts);
  out.glsl = shaderHead({32, 8, context.inTiles()}) + out.block.glsl + declareRoles(roles) +
             declareCodecs(roundedTypes(context, 0, parts), roles) + declareParts(context, 0, parts) +
             "void main() {\n  ivec2 at = ivec2(gl_GlobalInvocationID.xy);\n"
             "  if (at.x >= push.extent.x || at.y >= push.extent.y) { return; }\n" +
             callParts(context, 0, parts) + "}\n";
  return out;
}

}  // namespace lacuna
