#pragma once
// The file that a module names with its parameter `filename`.

#include <optional>
#include <string>

#include "graph/files/file_name.h"
#include "graph/nodes/module_graph.h"

namespace lacuna {

// The folder that the file's name is relative to: the graph file's for its inputs; "", the current folder,
// for outputs, for names from the command line, and for absolute names. Needs the parameter.
std::string fileFolder(const ModuleInstance& module, const std::string& graphFolder);

// In a frame: with the frame plus ModuleInstance::firstNumber in the name, or that of frameFiles; "-" is
// unchanged. Empty if the module has no such parameter or it is empty. Throws FileError.
std::string fileOf(const ModuleInstance& module, const std::string& graphFolder, int frame);

// Whether each frame has a file of its own: by a number in the name, or by frameFiles. Throws FileError.
bool hasFrameFiles(const ModuleInstance& module);

// The frames with existing files, if each has its own. Throws FileError.
FrameSet framesThere(const ModuleInstance& module, const std::string& graphFolder);

std::string filePattern(const ModuleInstance& module);    // as the user wrote it
Location filenameLocation(const ModuleInstance& module);  // of the line that set it, else of the module

// Further files that parameters name. Names relative to the current folder.
std::vector<std::string> namedFiles(const ModuleInstance& module, const std::string& graphFolder);

// These, and those that native code has reported.
std::vector<std::string> filesBeside(const ModuleInstance& module, const std::string& graphFolder);

// The origin of the picture that a sink writes.
struct SinkOrigin {
  const ModuleInstance* source = nullptr;
  std::string output;  // its output connector
};

// The source with a file from which the main input of a module comes: `input`, or else the first one that is
// connected, through all modules in between, but not through feedback. None if the path ends elsewhere.
std::optional<SinkOrigin> originOf(const ModuleGraph& graph, const ModuleInstance& module);

}  // namespace lacuna
