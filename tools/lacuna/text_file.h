#pragma once
// Text files that appear complete or not at all.

#include <string>

namespace lacuna {

// Writes FILE.part-<pid> beside the file and renames it; an earlier file's permissions stay, and a symbolic
// link's target is what is replaced. Throws FileError.
void writeTextFile(const std::string& path, const std::string& text);

}  // namespace lacuna
