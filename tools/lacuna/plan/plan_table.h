#pragma once
// A plan on one screen: a line for each filter, a row for each node.

#include <string>

#include "lacuna/lacuna.h"

namespace lacuna {

std::string planTable(const GraphPlan& plan);

}  // namespace lacuna
