// Makes the kernel that fills the histograms: how many numbers they have depends on the frame's size.

#include <fmt/format.h>

#include "shared/native.h"

namespace {

using namespace lacuna::native;

constexpr const char* nodesText = R"(
[[node]]
name = "fill"
kind = "kernel"
shader = "fill.glsl"
inputs = [{{ name = "input", source = "input" }}]
outputs = [{{ name = "histogram", format = "f32", array = {}, kept = true, connector = "histogram" }}]
[node.kernel]
workgroup = [32, 8]
extent_of = "input"
)";

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  const auto values = static_cast<uint64_t>(3 * call.integer("bins") + 1);
  const lacuna_type& frame = *inputs[0].type;
  const uint64_t count = values * frame.width * frame.height;
  constexpr uint64_t most = (uint64_t{1} << 31U) - 1;
  if (count > most) {
    throw Error(fmt::format("{} numbers for each of {} x {} pixels are {}, but an array holds at most {}",
                            values, frame.width, frame.height, count, most),
                "bins");
  }
  builder.nodes(fmt::format(nodesText, count));
}

}  // namespace

LACUNA_MODULE(Table("ray-histogram").build<build>())
