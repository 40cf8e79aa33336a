#pragma once
// Where this code was installed, found by its own place, so that an installation can be moved.

#include <string>

namespace lacuna {

// The program's own file; empty where the system doesn't tell.
std::string programFile();

// The folder of the library that this code is part of, or of the program.
std::string ownFolder();

// The folder above bin/, for the program, or above lib/, for a program that embeds liblacuna.so.
std::string installPrefix();

// Whether the program lies in the tree that it was built in; only then does it look into the source tree.
bool runsWhereBuilt();

}  // namespace lacuna
