#pragma once
// Checks the process's environment, and warns of mistakes once.

#include <string>

namespace lacuna {

// What hinders the use of a folder as one of modules, or "". A module itself is none: it lies in such a
// folder.
std::string mistakeInModules(const std::string& folder);
void warnOfModuleFolders();  // LACUNA_MODULES
void warnOfCacheFolder();    // LACUNA_CACHE
void warnOfAddressSpace();   // ulimit -v, before a device is opened

}  // namespace lacuna
