#pragma once
// Checks the process's environment, and warns of mistakes once.

namespace lacuna {

void warnOfModuleFolders();  // LACUNA_MODULES
void warnOfCacheFolder();    // LACUNA_CACHE
void warnOfAddressSpace();   // ulimit -v, before a device is opened

}  // namespace lacuna
