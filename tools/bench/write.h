#pragma once
// How benchmarks end: what they measured as JSON, on stdout or in a file.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "tools/bench/benches.h"

namespace lacuna {

// Now, UTC: "2026-11-22T07:15:00Z".
std::string benchDate();

// To stdout where --json asks for it, and to the file of --output. Throws FileError.
void writeReport(const BenchArguments& arguments, const nlohmann::ordered_json& report);

}  // namespace lacuna
