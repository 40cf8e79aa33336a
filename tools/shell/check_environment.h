#pragma once
// Folders that variables name: what is wrong with them is a warning, once a process.

namespace lacuna {

void warnOfModuleFolders();  // LACUNA_MODULES
void warnOfCacheFolder();    // LACUNA_CACHE

}  // namespace lacuna
