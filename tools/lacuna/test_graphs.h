#pragma once

#include <string>
#include <vector>

namespace lacuna {

// The folder of the module that a word means: a folder, its module.toml, or the name of one in these folders;
// "" if it is none of these.
std::string moduleFolder(const std::string& word, const std::vector<std::string>& folders);

// The graphs in test/ of a module's folder, sorted.
std::vector<std::string> testGraphs(const std::string& folder);

}  // namespace lacuna
