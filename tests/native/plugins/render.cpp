// Kernels without image inputs that native code builds; the array's length is a number in what it builds.

#include "shared/native.h"

namespace {

using namespace lacuna::native;

constexpr const char* trace = R"(
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int at = p.position.y * p.extent.x + p.position.x;
  store_output(p.position, vec4(p.position, 1.0, wanted_histogram ? 1.0 : 0.0));
  store_id(p.position, uint(at) + 4000000000u);
  if (wanted_histogram) {
    int step = p.extent.x * p.extent.y;
    for (int i = at; i < count_histogram; i += step) { array_histogram.data[i] = float(i & 0xffffff) + 0.5; }
  }
}
)";
constexpr const char* show = R"(
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  float sum = 0.0;
  for (int i = 0; i < count_offsets; ++i) { sum += array_offsets.data[2 * i + 1]; }
  store_samples(p.position, sum + array_histogram.data[count_histogram - 1 - p.position.x * (count_histogram / 32)]);
}
)";

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  if (inputs.size() > 1 || (inputs.size() == 1 && inputs[0].type->count == 0))
    throw Error("expected an array or nothing");
  builder.nodes(R"(
[[node]]
name = "trace"
kind = "kernel"
shader = "trace.glsl"
outputs = [
  { name = "output", extent = { width = "width", height = "height" }, connector = "output" },
  { name = "id", extent = { width = "width", height = "height" }, connector = "id" },
  { name = "histogram", format = "f32", array = )" +
                std::to_string(call.integer("count")) + R"(, connector = "histogram" },
]

[[node]]
name = "show"
kind = "kernel"
shader = "show.glsl"
inputs = [{ name = "histogram", source = "trace.histogram" }, { name = "offsets", source = "offsets" }]
outputs = [{ name = "samples", extent = { width = 32, height = 1 }, connector = "samples" }]
)");
  builder.shader("trace.glsl", trace);
  builder.shader("show.glsl", show);
}

}  // namespace

LACUNA_MODULE(Table("render").build<build>())
