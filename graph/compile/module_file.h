#pragma once
// The file that a module names with its parameter `filename`.

#include <string>

#include "graph/compile/module_graph.h"
#include "graph/files/file_name.h"

namespace lacuna {

// In a frame: with the frame plus `first` in the name, relative to the graph file; "-" as it is. Empty where
// the module has no such parameter or it is empty. Throws FileError.
std::string fileOf(const ModuleInstance& module, const std::string& graphFolder, int frame);

std::string filePattern(const ModuleInstance& module);  // as the user wrote it

}  // namespace lacuna
