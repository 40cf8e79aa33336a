#include "graph/files/awaited.h"

#include <fmt/format.h>
#include <sys/stat.h>

namespace lacuna {
namespace {

using Clock = std::chrono::steady_clock;

// Far longer than a renderer takes to write a file, even over a network.
constexpr std::chrono::seconds writingTime{10};

// "" if it is missing.
std::string stateOf(const std::string& file) {
  struct stat found {};
  return stat(file.c_str(), &found) == 0 ? fmt::format("{} {} {}.{}", found.st_size, found.st_ino,
                                                       found.st_mtim.tv_sec, found.st_mtim.tv_nsec)
                                         : "";
}

}  // namespace

bool Awaited::contains(const std::string& file) {
  Seen now{stateOf(file), Clock::now()};
  const auto [seen, isNew] = seen_.try_emplace(file, now);
  if (seen->second.state != now.state) {
    seen->second = now;
  }
  return now.state.empty() || now.since - seen->second.since < writingTime;
}

}  // namespace lacuna
