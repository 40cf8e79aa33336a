#pragma once
// A plan on one screen: a line a filter, a row a node.

#include <string>

#include "lacuna/lacuna.h"

namespace lacuna {

std::string planTable(const GraphPlan& plan);

}  // namespace lacuna
