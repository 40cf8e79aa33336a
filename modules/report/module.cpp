// A sink without a file: a warning in each frame that has such pixels.

#include <fmt/format.h>

#include <cstring>

#include "shared/native.h"

namespace {

using namespace lacuna::native;

void write(const Call& call, const Planes& planes, const std::string&) {
  uint32_t pixels = 0;
  std::memcpy(&pixels, planes[0].data, sizeof pixels);
  if (pixels > 0)
    call.warn(fmt::format("{} pixel{} {}", pixels, pixels == 1 ? "" : "s", call.word("text")));
}

}  // namespace

LACUNA_MODULE(Table("report").write<write>())
