#pragma once
// Text files that appear complete or not at all.

#include <string>

namespace lacuna {

// Written by PartFile. Throws FileError.
void writeTextFile(const std::string& path, const std::string& text);

}  // namespace lacuna
