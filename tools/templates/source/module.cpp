// Reads an image from a file. graph/module/abi.h is the whole contract, shared/native.h the same for
// C++.

#include <filesystem>
#include <fstream>

#include "shared/native.h"

using namespace lacuna::native;

namespace {

// Called before anything is allocated: states the type of each plane. Planes are the outputs that the graph
// needs. Errors are thrown: Error("text", "parameter").
void probe(const Call& call, const Planes& planes) {
  const auto width = static_cast<uint32_t>(call.integer("width"));
  const auto height = static_cast<uint32_t>(call.integer("height"));
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(call.path(), failed);
  if (failed)
    throw Error(call.path() + ": " + failed.message(), "filename");
  if (bytes != uint64_t{4} * width * height)
    throw Error(call.path() + ": has " + std::to_string(bytes) + " bytes; width and height ask for " +
                    std::to_string(uint64_t{4} * width * height),
                "filename");
  setType(planes[0], imageType(lacuna_y, lacuna_f32, lacuna_data, width, height));
}

// A frame, into memory of the runtime; on any thread.
void read(const Call& call, const Planes& planes) {
  std::ifstream file(call.path(), std::ios::binary);
  if (!file.read(static_cast<char*>(planes[0].data), static_cast<std::streamsize>(planes[0].bytes)))
    throw Error(call.path() + ": can't be read whole", "filename");
}

}  // namespace

LACUNA_MODULE(Table("@NAME@").probe<probe>().read<read>())
