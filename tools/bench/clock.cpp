#include "tools/bench/clock.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>

namespace lacuna {

std::optional<GpuClock> clockOf(const std::string& uuid) {
  const auto part = [&](size_t begin, size_t count) { return uuid.substr(begin, count); };
  const std::string command = fmt::format(
      "nvidia-smi -i GPU-{}-{}-{}-{}-{} --query-gpu=clocks.sm,clocks.max.sm "
      "--format=csv,noheader,nounits 2>/dev/null",
      part(0, 8), part(8, 4), part(12, 4), part(16, 4), part(20, 12));
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) {
    return std::nullopt;
  }
  GpuClock clock;
  const int numbers = std::fscanf(pipe, "%d, %d", &clock.now, &clock.most);
  return pclose(pipe) == 0 && numbers == 2 ? std::optional(clock) : std::nullopt;
}

}  // namespace lacuna
