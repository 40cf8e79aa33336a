#pragma once
// The content of a file of the tuning cache.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/schedule/knowledge.h"

namespace lacuna {

struct Tuned {
  std::vector<TimedSchedule> measured;  // at...
  uint64_t pixels = 0;                  // ...images of so many pixels
  std::string date;                     // day of the last measurement, "2026-11-20"
};

// nullopt: nothing usable.
std::optional<Tuned> parseTuned(std::span<const std::byte> content);

}  // namespace lacuna
