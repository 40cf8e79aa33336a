#pragma once
// The time of each pass, and the least time of its bytes: for `run --time` and `bench graph`.

#include <cstdio>
#include <vector>

#include "lacuna/lacuna.h"
#include "tools/timing/result_table.h"

namespace lacuna {

// The bytes of transfers (every source read once, every sink written once), or of all other passes.
uint64_t bytesOf(const std::vector<PassReport>& passes, bool ofTransfers);

using FrameTimes = std::vector<std::vector<double>>;  // milliseconds of each pass, for each frame

// A row for each pass: "name", "ms" (median over the frames), "bytesRead", "bytesWritten" (every pixel that
// it reads or writes once), "floorMs" (those at the device's copy bandwidth, bytes a second; 0: none is
// known), "share" of all passes' time, "isTransfer" (between the host's memory and the device's: no part of
// that time). Facts: the sums of all passes except transfers. `frames`: at least one.
ResultTable timeTable(const std::vector<PassReport>& passes, const FrameTimes& frames, double bandwidth);

// For timeTable(): bytes a second.
double bandwidthOf(const Device& device);

// Prints the times, with the device's name.
void printTimes(const Device& device, const std::vector<PassReport>& passes, const FrameTimes& frames,
                std::FILE* to = stdout);

}  // namespace lacuna
