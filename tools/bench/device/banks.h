#pragma once
// Loads from shared memory by 32 threads at once.

#include "tools/bench/device/device_bench.h"

namespace lacuna {

using BankStarts = std::vector<uint32_t>;  // the word where each thread starts

// Nanoseconds of a load by 32 threads; each continues with another word of the bank of its start.
double accessNs(DeviceBench& bench, const BankStarts& starts);

// The number of banks, a power of two up to 64: the least stride that takes as long as one bank for all
// threads. 0: strides cost nothing.
uint32_t measuredBanks(DeviceBench& bench);

}  // namespace lacuna
