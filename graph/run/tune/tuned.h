#pragma once
// What a file of the tuning cache holds.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "graph/schedule/measured.h"

namespace lacuna {

struct Tuned {
  std::vector<TimedSchedule> measured;  // at...
  uint64_t pixels = 0;                  // ...images of so many
  std::string date;                     // "2026-11-20", of the last measurement
};

// nullopt: nothing that can be used.
std::optional<Tuned> parseTuned(std::span<const std::byte> content);

}  // namespace lacuna
