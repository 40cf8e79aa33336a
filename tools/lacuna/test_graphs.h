#pragma once

#include <string>
#include <vector>

namespace lacuna {

// The graphs in test/ of a module's folder, sorted.
std::vector<std::string> testGraphs(const std::string& folder);

}  // namespace lacuna
