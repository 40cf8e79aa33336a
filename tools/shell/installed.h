#pragma once
// What comes with the program.

#include <string>

namespace lacuna {

// A folder in the source tree, where the program lies in the tree that it was built in; else the one below
// share/lacuna of its installation.
std::string installedFolder(const std::string& inSources, const std::string& inShare);

}  // namespace lacuna
