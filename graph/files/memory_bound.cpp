#include "graph/files/memory_bound.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>

#include "graph/config/text.h"
#include "graph/files/file_name.h"

namespace lacuna {
namespace {

constexpr const char* variable = "LACUNA_READ_MEMORY";

uint64_t inMib(uint64_t bytes) {
  return (bytes + (1U << 20U) - 1) >> 20U;
}

}  // namespace

uint64_t readMemory() {
  constexpr int64_t mostMib = int64_t{1} << 40;
  const char* text = std::getenv(variable);
  const auto mib = text == nullptr ? std::nullopt : parseInteger(text);
  if (text != nullptr && (!mib || *mib < 1 || *mib > mostMib))
    throw FileError(fmt::format("{} is '{}', but must be a number of MiB from 1 on", variable, text));
  if (mib)
    return static_cast<uint64_t>(*mib) << 20U;
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

void checkMemory(const std::string& what, uint64_t bytes) {
  const uint64_t bound = readMemory();
  if (bytes > bound)
    throw FileError(
        fmt::format("{}: takes {} MiB of memory, but at most {} MiB are allowed ({}); {}=MIB sets "
                    "another bound",
                    what, inMib(bytes), inMib(bound),
                    std::getenv(variable) ? variable : "half of this machine's memory", variable));
}

}  // namespace lacuna
