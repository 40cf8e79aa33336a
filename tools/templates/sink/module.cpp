// Writes an image to a file. graph/module/abi.h is the whole contract, shared/native.h the same for
// C++.

#include <fstream>

#include "shared/native.h"

using namespace lacuna::native;

namespace {

// A frame, on any thread, into `part`, which the runtime renames to the file afterwards, or removes. Errors
// are thrown: Error("text", "parameter").
void write(const Call& call, const Planes& planes, const std::string& part) {
  std::ofstream file(part, std::ios::binary);
  file.write(static_cast<const char*>(planes[0].data), static_cast<std::streamsize>(planes[0].bytes));
  file.close();
  if (!file)
    throw Error(call.path() + ": can't be written", "filename");
}

}  // namespace

LACUNA_MODULE(Table("@NAME@").write<write>())
