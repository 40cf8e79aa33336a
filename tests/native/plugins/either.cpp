// A native node whose input is an image or an array: it adds halves, uploaded in a shape, to each row.

#include "shared/native.h"

namespace {

using namespace lacuna::native;

constexpr const char* body = R"(
void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  int column = p.position.x, i = p.position.y * shape_sum.w + column;
  array_sum.data[i] = READ + float(array_bias.data[column]) + float(shape_bias.z);
}
)";
constexpr const char* toml = R"(
[[node]]
name = "add"
kind = "kernel"
shader = "add.glsl"
inputs = [{ name = "a", source = "a" }, { name = "bias", source = "upload.bias" }]
outputs = [{ name = "sum", format = "f32", shape = ["shape_a.y", "shape_a.z", "shape_bias.w"], connector = "sum" }]
)";

// Column c gets 2^(c % 8), whose bits as a half are plain.
void build(const Call&, const Planes& inputs, const Builder& builder) {
  const lacuna_type& type = *inputs[0].type;
  const std::vector<uint32_t> sizes = shapeOf(type);
  if (sizes.size() < 2 || sizes.size() > 3)
    throw Error("'a' has " + std::to_string(sizes.size()) + " sizes; expected (n, p) or (b, n, p)");
  std::vector<uint16_t> halves;
  for (uint32_t c = 0; c < sizes.back(); ++c)
    halves.push_back(uint16_t((c % 8 + 15) << 10));
  builder.upload("bias", arrayType(lacuna_y, lacuna_f16, {1, sizes.back()}), halves.data(),
                 2 * halves.size());
  std::string glsl = body;
  glsl.replace(glsl.find("READ"), 4, type.count == 0 ? "load_a(p.position)" : "float(array_a.data[i])");
  builder.shader("add.glsl", glsl);
  builder.nodes(toml);
}

}  // namespace

LACUNA_MODULE(Table("either").build<build>())
