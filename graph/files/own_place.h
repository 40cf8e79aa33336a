#pragma once
// The installation that contains this code, found by its own place, so that an installation can be moved.

#include <string>

namespace lacuna {

// The program's own file; empty if the system doesn't know it.
std::string programFile();

// The folder of the library or program that contains this code.
std::string ownFolder();

// The folder above bin/, for the program, or above lib/, for a program that embeds liblacuna.so.
std::string installPrefix();

// Whether the program lies in the tree that it was built in; only then does it look into the source tree.
bool runsWhereBuilt();

// The place of the modules of the source tree that this build came from.
std::string sourceModules();  // the folder of their folders
// Modules that only benchmarks and tests need, in the source tree or installed: `lacuna bench` finds them,
// graphs with --modules.
std::string benchModules();
// A folder of the source tree, or the same one below share/lacuna of the installation.
std::string sharedFolder(const std::string& inSources);
std::string buildFolder();
std::string builtModuleFolder(const std::string& name);  // where the build puts the native code of one

}  // namespace lacuna
