#include "graph/load/overwriting.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>
#include <optional>

#include "graph/files/file_id.h"
#include "graph/files/standard_streams.h"
#include "graph/load/file_numbers.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

struct Reader {
  std::string text;    // "is read by i-png:01 (graph.cfg:3)"
  int lastFrame = -1;  // that reads it; -1: read before all frames
};

bool writesFile(const ModuleInstance& module) {
  return module.description->isSink() && !filePattern(module).empty() &&
         filePattern(module) != standardStream;
}

class Inputs {
 public:
  Inputs(const ModuleGraph& graph, int lastFrame, const Diagnostics& diagnostics) {
    for (const std::string& file : diagnostics.fileNames()) {
      add(file, {"is the graph itself", -1});
    }
    for (const ModuleInstance& module : graph.modules) {
      if (module.description->isSink() || filePattern(module).empty() ||
          filePattern(module) == standardStream) {
        continue;
      }
      const std::string place = diagnostics.place(filenameLocation(module));
      const std::string text = fmt::format("is read by {} ({})", module.name(), place);
      if (!isNumberedSource(module)) {
        add(fileOf(module, graph.folder, 0), {text, lastFrame});
        continue;
      }
      for (int frame = 0; frame <= lastFrame; ++frame) {
        add(fileOf(module, graph.folder, frame), {text, frame});
      }
    }
  }

  const Reader* readerOf(const std::string& path) const {
    const std::optional<FileId> id = fileIdOf(path);
    const auto found = id ? readers_.find(*id) : readers_.end();
    return found == readers_.end() ? nullptr : &found->second;
  }

 private:
  void add(const std::string& path, Reader reader) {
    if (const std::optional<FileId> id = fileIdOf(path)) {
      const auto [at, fresh] = readers_.emplace(*id, reader);
      if (!fresh && at->second.lastFrame < reader.lastFrame) {
        at->second = std::move(reader);
      }
    }
  }

  std::map<FileId, Reader> readers_;
};

// Once a sink.
void checkInputs(const ModuleGraph& graph, const ModuleInstance& sink, const std::vector<int>& frames,
                 const Inputs& inputs, bool mayOverwrite, Diagnostics& diagnostics) {
  for (const int frame : frames) {
    const std::string path = fileOf(sink, graph.folder, frame);
    const Reader* reader = inputs.readerOf(path);
    if (reader == nullptr || (mayOverwrite && reader->lastFrame <= frame)) {
      continue;
    }
    const std::string text = fmt::format("{} would overwrite {}, which {}", sink.name(), path, reader->text);
    if (mayOverwrite) {
      diagnostics.error(filenameLocation(sink),
                        fmt::format("{} in frame {}, after frame {}", text,
                                    reader->lastFrame + graph.firstNumber, frame + graph.firstNumber),
                        "a file can be overwritten by the last frame that reads it, or by a later one");
    } else {
      diagnostics.error(filenameLocation(sink), text,
                        "write to another file; --overwrite-input allows to replace inputs");
    }
    return;
  }
}

void checkStandardOutput(const ModuleGraph& graph, Diagnostics& diagnostics) {
  const ModuleInstance* other = nullptr;
  for (const ModuleInstance& sink : graph.modules) {
    if (!sink.description->isSink() || filePattern(sink) != standardStream) {
      continue;
    }
    if (other != nullptr) {
      diagnostics.error(filenameLocation(sink),
                        fmt::format("{} and {} both write standard output", other->name(), sink.name()));
    }
    other = &sink;
  }
}

// Two files of one name; the first pair of two sinks.
void checkTwice(const ModuleGraph& graph, const std::vector<int>& frames, Diagnostics& diagnostics) {
  std::map<fs::path, const ModuleInstance*> writers;
  for (const ModuleInstance& sink : graph.modules) {
    if (!writesFile(sink)) {
      continue;
    }
    const size_t count = namesFrames(filePattern(sink)) ? frames.size() : std::min<size_t>(frames.size(), 1);
    for (size_t i = 0; i < count; ++i) {
      const std::string path = fileOf(sink, graph.folder, frames[i]);
      std::error_code failed;
      fs::path name = fs::weakly_canonical(fs::absolute(path), failed);
      const auto [other, fresh] = writers.emplace(failed ? fs::path(path) : std::move(name), &sink);
      if (!fresh) {
        diagnostics.error(
            filenameLocation(sink),
            fmt::format("{} and {} write the same file, {}{}", other->second->name(), sink.name(), path,
                        frames.size() > 1 ? fmt::format(" (frame {})", frames[i] + graph.firstNumber) : ""));
        break;
      }
    }
  }
}

}  // namespace

void checkOverwriting(const ModuleGraph& graph, const std::vector<int>& frames, bool mayOverwrite,
                      Diagnostics& diagnostics) {
  if (frames.empty()) {
    return;
  }
  try {
    const Inputs inputs(graph, frames.back(), diagnostics);
    for (const ModuleInstance& module : graph.modules) {
      if (writesFile(module)) {
        checkInputs(graph, module, frames, inputs, mayOverwrite, diagnostics);
      }
    }
    checkStandardOutput(graph, diagnostics);
    if (std::count_if(graph.modules.begin(), graph.modules.end(), writesFile) > 1) {
      checkTwice(graph, frames, diagnostics);
    }
  } catch (const FileError&) {
    return;  // a pattern is wrong, which is reported of its module
  }
}

}  // namespace lacuna
