#pragma once
// Images for benchmarks: smooth shapes with noise, and the planes that would lie behind them.

#include <map>

#include "graph/run/session.h"

namespace lacuna {

std::map<std::string, ValueType> benchTypes(Extent extent);  // of i-memory:colour, :normal and :depth
void fillBenchImages(Session& session, Extent extent);

}  // namespace lacuna
