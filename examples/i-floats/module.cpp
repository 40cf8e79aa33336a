#include <fstream>

#include "shared/native.h"

using namespace lacuna::native;

namespace {

// Called before anything is allocated, for the first frame: states the type of each plane. Planes are the
// outputs of the source node that the graph needs.
void probe(const Call& call, const Planes& planes) {
  const auto width = static_cast<uint32_t>(call.integer("width"));
  const auto height = static_cast<uint32_t>(call.integer("height"));
  setType(planes[0], imageType(lacuna_y, lacuna_f32, lacuna_data, width, height));
}

// A frame, into memory of the runtime; on any thread.
void read(const Call& call, const Planes& planes) {
  std::ifstream file(call.path(), std::ios::binary);
  if (!file.read(static_cast<char*>(planes[0].data), static_cast<std::streamsize>(planes[0].bytes)))
    throw Error(call.path() + ": expected " + std::to_string(planes[0].bytes) + " bytes", "filename");
}

}  // namespace

LACUNA_MODULE(Table("i-floats").probe<probe>().read<read>())
