#pragma once
// Files for readers that take a name: in memory, since each input is one.

#include <string>
#include <string_view>

namespace lacuna::fuzz {

// A folder of this process, which is removed at its end.
const std::string& scratchFolder();

// Writes a file in it, and returns its path. `name` may lie in folders, which are made.
std::string scratchFile(const std::string& name, std::string_view content);

}  // namespace lacuna::fuzz
