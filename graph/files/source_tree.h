#pragma once
// The place of the modules of the source tree that this build came from.

#include <string>

namespace lacuna {

std::string sourceModules();  // the folder of their folders
std::string buildFolder();
std::string builtModuleFolder(const std::string& name);  // where the build puts the native code of one

}  // namespace lacuna
