#include "graph/run/made_from.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "graph/run/digest.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

// Structures are taken apart by structured bindings, which don't compile once a structure has another number
// of members: whoever adds one decides here whether pixels depend on it.

// Values by keyframes count frame by frame (FrameInputs).
std::string textOf(const Parameter& parameter) {
  const auto& [description, values, keyframes, where, isSet, isWrong, fromOption] = parameter;
  const std::string text = !keyframes.empty()         ? "by keyframes\n"
                           : description->namesFile() ? "a file\n"  // its content counts, and not its name
                                                      : wordsOf(values);
  return fmt::format("{} {}: {}", description->name, isSet, text);
}

std::string textOf(const ModuleGraph& graph, const std::string& input, const ModuleConnection& connection) {
  const auto& [producer, connector, feedback, where] = connection;
  return fmt::format("{} <- {}.{} {}\n", input, graph.modules[producer].name(), connector, feedback);
}

std::string textOf(const ModuleGraph& graph, const ModuleInstance& module) {
  // Names of files, and which of them exist, count as contents of frames, and so does `firstNumber`.
  const auto& [description, instance, where, parameters, inputs, connectedOutputs, inputChannels, native,
               frameFiles, there, holdsLast, firstNumber, alsoRead, builtFrom] = module;
  std::string text = fmt::format("module {}:{} {} {} {}\n", description->name, instance,
                                 fmt::join(connectedOutputs, ","), holdsLast, builtFrom);
  if (native != nullptr)
    text += fmt::format("native {}\n", asHex(contentDigest(native->file())));
  for (const Parameter& parameter : parameters)
    text += textOf(parameter);
  for (const auto& [input, connection] : inputs)
    text += textOf(graph, input, connection);
  return text;
}

std::string textOf(const RunMode& mode) {
  const auto& [warmUp, missing, skipsDamaged, isListed] = mode;
  // A frame that was waited for is made of the same files.
  const Missing without = missing == Missing::wait ? Missing::error : missing;
  return fmt::format("mode {} {} {} {}\n", warmUp, static_cast<int>(without), skipsDamaged, isListed);
}

std::string textOf(const std::optional<WarmUpLine>& line) {
  if (!line)
    return "warmup by modules\n";
  const auto& [frames, where] = *line;
  return fmt::format("warmup {}\n", frames.value_or(-1));
}

// Folders of modules in a graph, and those from which their GLSL includes.
class ModuleFolders {
 public:
  explicit ModuleFolders(const std::vector<std::string>& modulePath) : modulePath_(modulePath) {}

  void add(const fs::path& folder) {
    std::error_code failed;
    if (!fs::is_directory(folder, failed) || !found_.insert(folder).second)
      return;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, failed))
      if (entry.path().extension() == ".glsl")
        addIncluded(entry.path(), folder.parent_path());
  }

  // In an order that doesn't depend on where the folders are.
  std::string text() const {
    std::set<std::string> lines;
    for (const fs::path& folder : found_)
      lines.insert(fmt::format("folder {} {}\n", folder.filename().string(), asHex(folderDigest(folder))));
    return fmt::format("{}", fmt::join(lines, ""));
  }

 private:
  // `#include "shared/colour.glsl"`: a folder beside the module's, or of the modules' path.
  void addIncluded(const fs::path& file, const fs::path& beside) {
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      const size_t begin = line.find('"'), slash = line.find('/');
      if (line.starts_with("#include") && begin != std::string::npos && slash != std::string::npos &&
          slash > begin) {
        const std::string folder = line.substr(begin + 1, slash - begin - 1);
        add(beside / folder);
        for (const std::string& root : modulePath_)
          add(fs::path(root) / folder);
      }
    }
  }

  const std::vector<std::string>& modulePath_;
  std::set<fs::path> found_;
};

// The user's names for layers of OpenEXR files, by which modules find planes.
std::string layersText() {
  const char* file = std::getenv("LACUNA_LAYERS");
  return file != nullptr && *file != 0 ? fmt::format("layers {}\n", asHex(contentDigest(file))) : "";
}

}  // namespace

std::string wordsOf(const ParameterValues& values) {
  std::string text;
  for (const ParameterValue& value : values)
    text += std::visit([](const auto& v) { return fmt::format("{}\n", v); }, value);
  return text;
}

std::string keyText(const ModuleGraph& graph, const RunMode& mode,
                    const std::vector<std::string>& modulePath) {
  const auto& [modules, frames, hasFrames, writesLast, keepsOutputs, whole, firstFrame, firstNumber,
               framesPerSecond, warmUp, folder, files] = graph;
  // `firstNumber`: frames that kernels know by their index.
  std::string text = fmt::format("program {}\nfps {}\nfirst {}\n", asHex(programDigest()), framesPerSecond,
                                 mode.isListed ? 0 : firstNumber);
  text += textOf(warmUp) + textOf(mode) + layersText();
  ModuleFolders folders(modulePath);
  for (const ModuleInstance& module : modules) {
    text += textOf(graph, module);
    folders.add(module.description->folder);
  }
  return text + folders.text();
}

}  // namespace lacuna
