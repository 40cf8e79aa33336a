#pragma once
// Warnings of mistakes around a graph: in the process's environment, and in its sources' files.

#include <string>

#include "graph/config/diagnostics.h"
#include "graph/files/frame_set.h"

namespace lacuna {

// What hinders the use of a folder as one of modules, or "". A module itself is none: it lies in such a
// folder.
std::string mistakeInModules(const std::string& folder);
void warnOfModuleFolders();  // LACUNA_MODULES
void warnOfCacheFolder();    // LACUNA_CACHE
void warnOfAddressSpace();   // ulimit -v, before a device is opened

struct ModuleGraph;

// Warns, for sources of EXR files with connected motion, if it is read in a convention other than the
// files' own, or fits none. Compares two neighbouring files; does nothing if that can't be done. `frames`:
// the frames to run, ascending.
void checkMotion(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics);

// Reports --missing if no source has a frame's number in its file name.
void checkMissing(const ModuleGraph& graph, Missing missing, Diagnostics& diagnostics);

}  // namespace lacuna
