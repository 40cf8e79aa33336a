#include <algorithm>

#include "shared/native.h"

using namespace lacuna::native;

namespace {

// Makes the node's outputs, in every frame and tile. Any library for the processor can be called here.
void compute(const Call& call, const Planes& inputs, const Planes& outputs) {
  const auto* from = static_cast<const float*>(inputs[0].data);  // rgba, rows from the top
  auto* to = static_cast<float*>(outputs[0].data);
  const auto width = static_cast<int>(inputs[0].type->width);
  const auto height = static_cast<int>(inputs[0].type->height);
  call.parallel(inputs[0].type->height, [&](uint32_t row) {
    for (int i = 0; i < 4 * width; ++i) {
      float nine[9];
      for (int k = 0; k < 9; ++k) {
        const int x = std::clamp(i / 4 + k % 3 - 1, 0, width - 1);
        const int y = std::clamp(static_cast<int>(row) + k / 3 - 1, 0, height - 1);
        nine[k] = from[4 * (y * width + x) + i % 4];
      }
      std::nth_element(nine, nine + 4, nine + 9);
      to[4 * static_cast<int>(row) * width + i] = nine[4];
    }
  });
}

}  // namespace

LACUNA_MODULE(Table("median").compute<compute>())
