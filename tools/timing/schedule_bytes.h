#pragma once
// The bytes that a schedule's passes move, every pixel once.

#include <cstdint>

#include "graph/frame/schedule.h"

namespace lacuna {

// To or from host memory, which is not the device's work.
bool isTransfer(const Pass& pass);

// Every source read once, every sink written once.
uint64_t floorBytes(const Schedule& schedule);

}  // namespace lacuna
