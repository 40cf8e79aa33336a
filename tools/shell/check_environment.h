#pragma once
// Checks folders that variables name, and warns of mistakes once a process.

namespace lacuna {

void warnOfModuleFolders();  // LACUNA_MODULES
void warnOfCacheFolder();    // LACUNA_CACHE

}  // namespace lacuna
