// Code for tasks that shaders can't do: files, devices, nodes that depend on data. This one generates an
// image. graph/module/abi.h is the whole contract, shared/native.h the same for C++.

#include "shared/native.h"

using namespace lacuna::native;

namespace {

// Called before anything is allocated: states the type of each plane. Planes are the outputs that the graph
// needs.
void probe(const Call& call, const Planes& planes) {
  const auto width = static_cast<uint32_t>(call.integer("width"));
  const auto height = static_cast<uint32_t>(call.integer("height"));
  setType(planes[0], imageType(lacuna_y, lacuna_f32, lacuna_data, width, height));
}

// A frame, into memory of the runtime; on any thread. Errors are thrown: throw Error("text",
// "parameter").
void read(const Call& call, const Planes& planes) {
  const int64_t width = call.integer("width");
  const int64_t height = call.integer("height");
  const int64_t square = call.integer("square");
  auto* pixels = static_cast<float*>(planes[0].data);
  for (int64_t y = 0; y < height; ++y)
    for (int64_t x = 0; x < width; ++x)
      *pixels++ = (x / square + y / square) % 2 == 0 ? 0.0F : 1.0F;
}

}  // namespace

LACUNA_MODULE(Table("@NAME@").probe<probe>().read<read>())
