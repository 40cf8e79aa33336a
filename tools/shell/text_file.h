#pragma once
// Text files that appear complete or not at all.

#include <string>

namespace lacuna {

// As PartFile puts them in place. Throws FileError.
void writeTextFile(const std::string& path, const std::string& text);

}  // namespace lacuna
