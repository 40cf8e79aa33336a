#pragma once
// Text files that appear complete or not at all.

#include <string>

namespace lacuna {

// An earlier file's permissions stay, and of a symbolic link the target is replaced. Throws FileError.
void writeTextFile(const std::string& path, const std::string& text);

}  // namespace lacuna
