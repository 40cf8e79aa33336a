#pragma once
// The file that a module names with its parameter `filename`.

#include <optional>
#include <string>

#include "graph/files/file_name.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// Where the file's name starts: at the graph file for inputs that it names; "", the current folder, for
// outputs and for what the command line names, and of absolute names. Needs the parameter.
std::string fileFolder(const ModuleInstance& module, const std::string& graphFolder);

// In a frame: with the frame plus ModuleInstance::firstNumber in the name; "-" as it is. Empty where the
// module has no such parameter or it is empty. Throws FileError.
std::string fileOf(const ModuleInstance& module, const std::string& graphFolder, int frame);

// The frames whose files are there, where it has a number in the name; as the folder says. Throws FileError.
FrameSet framesThere(const ModuleInstance& module, const std::string& graphFolder);

std::string filePattern(const ModuleInstance& module);    // as the user wrote it
Location filenameLocation(const ModuleInstance& module);  // of what set it, else of the module

// Beside that one: what parameters name that are files, and what native code has said that it reads. Names
// that the current folder decides.
std::vector<std::string> filesBeside(const ModuleInstance& module, const std::string& graphFolder);

// Where the picture that a sink writes comes from.
struct SinkOrigin {
  const ModuleInstance* source = nullptr;
  std::string output;  // its output connector
};

// The source with a file that the main input of a module leads to: `input`, or else the first one that is
// connected, through all modules in between, but not through feedback. None where that ends elsewhere.
std::optional<SinkOrigin> originOf(const ModuleGraph& graph, const ModuleInstance& module);

}  // namespace lacuna
