// The kernel of `bench device` on tensor cores compiles for every device that has them: none does here.

#include <gtest/gtest.h>

#include <set>

#include "graph/shader/compile.h"
#include "tools/bench/device/tensor_shader.h"

namespace lacuna {
namespace {

TEST(DeviceTensor, CompilesForEveryKindOfMatrices) {
  const std::string folder = LACUNA_MODULE_FOLDER "/../tools/bench/device";
  std::set<SpirvWords> different;
  for (const MatrixKind kind : {MatrixKind::nv, MatrixKind::khr}) {
    for (const TensorKernel& kernel :
         {TensorKernel{"", false, 4}, {"", false, 1}, {"", true, 4}, {"", true, 1}}) {
      const std::string text = tensorShader(kernel, {kind, true, false}, folder, {LACUNA_MODULE_FOLDER});
      EXPECT_NO_THROW(different.insert(compileGlsl(text, "tensor"))) << text;
    }
  }
  EXPECT_EQ(different.size(), 8U);
}

}  // namespace
}  // namespace lacuna
