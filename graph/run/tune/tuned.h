#pragma once
// What measuring found on a device, as JSON: the file that the cache keeps, that `lacuna tune --export`
// writes and --import reads, and of which devices/ has one for each known device.

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "graph/schedule/knowledge.h"

namespace lacuna {

// The measurements of a filter on pictures of one class of sizes.
struct Tuned {
  std::string filter;  // module:node
  std::string work;    // its levels, class of sizes and types; other filters of the same name differ here
  std::string shader;  // hash of its shaders' text
  std::string date;    // day of the last measurement, "2026-11-20"
  bool imported = false;
  uint64_t pixels = 0;                  // of the pictures that were...
  std::vector<TimedSchedule> measured;  // ...timed
};

struct TunedDevice {
  std::string program;  // the version that exported it; "" in the cache
  std::string device, driver;
  double bandwidth = 0.0;  // bytes a second of a copy (run/bandwidth.h); 0: not known
  std::vector<Tuned> filters;
};

class TunedMistake : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws TunedMistake: what was expected, where, and what was found.
TunedDevice parseTuned(std::string_view json);
std::string print(const TunedDevice& tuned);

// A device's name without what its driver adds in parentheses: "llvmpipe" of "llvmpipe (LLVM 19.1.7, 256
// bits)". Measurements of devices of one kind hold for each other.
std::string deviceKind(std::string_view name);

}  // namespace lacuna
