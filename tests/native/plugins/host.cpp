// Host nodes: right ones, with a place in tiles, kept memory and uploads, and those with each possible
// mistake.

#include <chrono>
#include <cmath>
#include <thread>

#include "shared/native.h"

namespace {

using namespace lacuna::native;

void build(const Call&, const Planes&, const Builder& builder) {
  const float weights[2] = {3, 0.5};
  builder.upload("weights", arrayType(lacuna_y, lacuna_f32, 2), weights, sizeof weights);
  builder.nodes(R"(
[[node]]
name = "weigh"
kind = "host"
footprint = "local"
inputs = [{ name = "image", source = "input" }, { name = "weights", source = "upload.weights" }]
outputs = [{ name = "weighed", channels = "y", format = "f32" }]

[[node]]
name = "end"
kind = "pointwise"
shader = "out.glsl"
inputs = [{ name = "image", source = "weigh.weighed" }]
outputs = [{ name = "output", connector = "output" }])");
  builder.shader("out.glsl", "void apply(Inputs i, inout Outputs o, Pixel p) { o.output = i.image; }\n");
}

const float* read(const Planes& inputs, const char* name) {
  return static_cast<const float*>(inputs.find(name)->data);
}

void mistake(const Call& call, const Planes& outputs, const std::string& how) {
  auto* to = static_cast<float*>(outputs[0].data);
  if (how == "error")
    throw Error("the cat sat on it", "gain");
  if (how == "throw")
    throw std::runtime_error("thrown at you");
  if (how == "thread")
    call.parallel(8, [](uint32_t i) { i == 5 ? throw std::runtime_error("thrown by a thread") : void(); });
  if (how == "nan")
    to[1] = std::nanf("");
  if (how == "size")
    outputs[0].type->width += 1;
  while (how == "hang")
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

void compute(const Call& call, const Planes& inputs, const Planes& outputs) {
  auto* to = static_cast<float*>(outputs[0].data);
  const float* from = read(inputs, "image");
  const uint32_t width = inputs[0].type->width;
  if (call.node() == "count") {
    to[0] += 1;
    to[1] += from[0];
    return;
  }
  const auto gain = static_cast<float>(call.number("gain"));
  call.parallel(inputs[0].type->height, [&](uint32_t y) {
    for (uint32_t x = 0; x < width; ++x) {
      const size_t row = size_t{y} * width;
      if (call.node() == "weigh")
        to[row + x] = from[row + x] * read(inputs, "weights")[0] + read(inputs, "weights")[1];
      else if (call.node() == "double_here")
        to[row + x] = 2 * from[row + x];
      else
        to[row + x] = gain * (from[row + (x == 0 ? 0 : x - 1)] + from[row + std::min(x + 1, width - 1)]) +
                      static_cast<float>(call.firstPixel().first + x) +
                      10000 * static_cast<float>(call.firstPixel().second + y);
    }
  });
  if (call.node() == "sides")
    mistake(call, outputs, call.word("how"));
}

int silent(const lacuna_call* call, const lacuna_plane* const* inputs, uint32_t inputCount,
           const lacuna_plane* const* outputs, uint32_t outputCount) {
  if (Call(*call).word("how") == "silent")
    return 7;
  return detail::compute<compute>(call, inputs, inputCount, outputs, outputCount);
}

struct Host : Table {
  Host() : Table("host") { build<::build>(); }
  lacuna_module get() const {
    lacuna_module table = Table::get();
    table.compute = silent;
    return table;
  }
};

}  // namespace

LACUNA_MODULE(Host())
