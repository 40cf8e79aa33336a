#pragma once
// What each pass took, against what its bytes would take at least: of `run --time` and `bench graph`.

#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "lacuna/lacuna.h"

namespace lacuna {

struct PassTime {
  std::string name;
  double ms = 0.0;                   // median over the frames
  double read = 0.0, written = 0.0;  // bytes: every pixel that it reads or writes once
  double floorMs = 0.0;              // those at the device's copy bandwidth; 0: none is known
  double share = 0.0;                // of the time of all passes
  bool isTransfer = false;  // between the host's memory and the device's: no part of all passes' time
};

struct PassTimes {
  std::vector<PassTime> passes;
  double ms = 0.0, read = 0.0, written = 0.0;  // of all passes but transfers
};

using FrameTimes = std::vector<std::vector<double>>;  // milliseconds of each pass, a frame each

// `frames`: at least one. `bandwidth`: bytes a second of a copy within the device's memory.
PassTimes passTimes(const std::vector<PassPlan>& passes, const FrameTimes& frames, double bandwidth);

void print(const PassTimes& times, double bandwidth, std::FILE* to = stdout);  // with the bandwidth
nlohmann::ordered_json timesJson(const PassTimes& times);

// Both, under the device's name.
void printTimes(const Device& device, const std::vector<PassPlan>& passes, const FrameTimes& frames,
                std::FILE* to = stdout);

}  // namespace lacuna
