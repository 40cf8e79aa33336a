#include "tools/bench/device/tensor_shader.h"

#include <fmt/format.h>

#include "graph/shader/generate/glsl_source.h"
#include "graph/shader/generate/prelude.h"

namespace lacuna {

std::string tensorShader(const TensorKernel& kernel, const MatrixUse& use, const std::string& folder,
                         const std::vector<std::string>& modules) {
  BodyRequest request;
  request.folder = folder;
  request.file = "tensor.glsl";
  request.includePath = modules;
  request.prefix = "tensor";
  // A body may not declare a layout alone.
  return fmt::format(
      "#version 450\n#extension GL_GOOGLE_cpp_style_line_directive : require\n"
      "#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n{}"
      "layout(local_size_x_id = 0) in;\n#define SUMS {}\n{}{}\nvoid main() {{\n  tensor_run();\n}}\n",
      matrixExtensions(use), kernel.sums, kernel.sumsInHalves ? "#define ACCUMULATE_F16 1\n" : "",
      loadBody(request).text);
}

}  // namespace lacuna
