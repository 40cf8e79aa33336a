#pragma once
// Files that come with the program.

#include <string>

#include "tools/timing/result_table.h"

namespace lacuna {

std::string exampleScene(const std::string& name);  // "cornell" -> its file

// The folder of tools/bench. Throws FileError.
std::string benchFolder();
std::string benchText(const std::string& file);

// A paper's figures for a benchmark, by the benchmark's name: studies.json.
const Json& study(const std::string& name);

bool agree(const Json& a, const Json& b, std::initializer_list<const char*> keys);
// The first of `figures` that has these values of a row; null if there is none.
const Json* figureLike(const Json& figures, const Json& row, std::initializer_list<const char*> keys);

}  // namespace lacuna
