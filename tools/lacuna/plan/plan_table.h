#pragma once
// A schedule on one screen: a line a filter, a row a node.

#include <string>

#include "graph/frame/schedule.h"

namespace lacuna {

std::string planTable(const Schedule& schedule);

}  // namespace lacuna
