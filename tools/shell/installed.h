#pragma once
// Files that come with the program.

#include <string>

namespace lacuna {

// A folder in the source tree, if the program is in its build tree; else the one below share/lacuna of its
// installation.
std::string installedFolder(const std::string& inSources, const std::string& inShare);

}  // namespace lacuna
