#include "graph/load/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>

#include "graph/files/file_kind.h"
#include "graph/files/output_file.h"
#include "graph/files/standard_streams.h"
#include "graph/load/file_numbers.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

constexpr size_t mostCompared = 1'000'000;  // some 100 MB

struct Reader {
  std::string text;    // "is read by i-png:01 (graph.cfg:3)"
  int lastFrame = -1;  // the last frame that reads it; -1: read before all frames
};

bool writesFile(const ModuleInstance& module) {
  return module.description->isSink() && !filePattern(module).empty() &&
         filePattern(module) != standardStream;
}

// Files are looked for when the first existing output is found.
class InputFiles {
 public:
  InputFiles(const ModuleGraph& graph, int lastFrame, const Diagnostics& diagnostics)
      : graph_(graph), lastFrame_(lastFrame), diagnostics_(diagnostics) {}

  const Reader* readerOf(const std::string& path) {
    const std::optional<FileId> id = fileIdOf(path);
    if (!id)
      return nullptr;
    if (!readers_) {
      readers_.emplace();
      addAll();
    }
    const auto found = readers_->find(*id);
    return found == readers_->end() ? nullptr : &found->second;
  }

 private:
  void addAll() {
    for (const std::string& file : diagnostics_.fileNames())
      add(file, {"is the graph itself", -1});
    for (const ModuleInstance& module : graph_.modules) {
      if (module.description->isSink())
        continue;
      if (!filePattern(module).empty() && filePattern(module) != standardStream)
        addFramesOf(module);
      for (const std::string& file : filesBeside(module, graph_.folder))
        add(file, {readBy(module, module.where), lastFrame_});
    }
  }

  void addFramesOf(const ModuleInstance& module) {
    const std::string text = readBy(module, filenameLocation(module));
    if (!isNumberedSource(module)) {
      add(fileOf(module, graph_.folder, 0), {text, lastFrame_});
      return;
    }
    for (const int frame : module.there.between(0, lastFrame_))
      add(fileOf(module, graph_.folder, frame), {text, frame});
  }

  std::string readBy(const ModuleInstance& module, const Location& where) const {
    return fmt::format("is read by {} ({})", module.name(), diagnostics_.place(where));
  }

  void add(const std::string& path, Reader reader) {
    if (const std::optional<FileId> id = fileIdOf(path)) {
      const auto [at, fresh] = readers_->emplace(*id, reader);
      if (!fresh && at->second.lastFrame < reader.lastFrame)
        at->second = std::move(reader);
    }
  }

  const ModuleGraph& graph_;
  const int lastFrame_;
  const Diagnostics& diagnostics_;
  std::optional<std::map<FileId, Reader>> readers_;
};

// Frames whose file of the sink may already exist.
FrameSet framesThereOf(const ModuleGraph& graph, const ModuleInstance& sink, const FrameSet& frames) {
  return hasFrameFiles(sink) ? frames.within(framesThere(sink, graph.folder)) : frames.first(1);
}

// Once a sink.
void checkReplaced(const ModuleGraph& graph, const ModuleInstance& sink, const FrameSet& frames,
                   InputFiles& inputs, const OutputRules& rules, Diagnostics& diagnostics) {
  for (const int frame : framesThereOf(graph, sink, frames)) {
    const std::string path = fileOf(sink, graph.folder, frame);
    const Reader* reader = inputs.readerOf(path);
    if (reader == nullptr || (rules.overwriteInput && reader->lastFrame <= frame)) {
      if (const auto reason = irreplaceable(path, kindOfName(path))) {
        diagnostics.error(filenameLocation(sink), *reason);
        return;
      }
      continue;
    }
    const std::string text = fmt::format("{} would overwrite {}, which {}", sink.name(), path, reader->text);
    if (rules.overwriteInput) {
      diagnostics.error(filenameLocation(sink),
                        fmt::format("{} in frame {}, after frame {}", text,
                                    reader->lastFrame + graph.firstNumber, frame + graph.firstNumber),
                        "a file can be overwritten by the last frame that reads it, or by a later one");
    } else {
      diagnostics.error(filenameLocation(sink), text,
                        fmt::format("write to another file; {} allows to replace inputs", rules.permission));
    }
    return;
  }
}

void checkOther(const OtherOutput& other, InputFiles& inputs, Diagnostics& diagnostics) {
  const Location where{diagnostics.addOption(other.option)};
  if (const Reader* reader = inputs.readerOf(other.path)) {
    diagnostics.error(where,
                      fmt::format("{} would overwrite {}, which {}", other.what, other.path, reader->text),
                      "write to another file");
  } else if (const auto reason = unwritable(other.path, other.kind)) {
    diagnostics.error(where, *reason);
  } else if (!other.replacesOlder && fileIdOf(other.path)) {
    diagnostics.error(where, fmt::format("{}: already exists, and holds {}", other.path, wordsOf(other.kind)),
                      "choose another name; --overwrite-input allows to replace it");
  } else if (const FileKind named = kindOfName(other.path);
             named >= FileKind::png && named <= FileKind::npy) {
    diagnostics.error(where, fmt::format("{}: the name is that of {}, but {} would be written", other.path,
                                         wordsOf(named), wordsOf(other.kind)));
  }
}

void checkStandardOutput(const ModuleGraph& graph, Diagnostics& diagnostics) {
  const ModuleInstance* other = nullptr;
  for (const ModuleInstance& sink : graph.modules) {
    if (!sink.description->isSink() || filePattern(sink) != standardStream)
      continue;
    if (other != nullptr) {
      diagnostics.error(filenameLocation(sink),
                        fmt::format("{} and {} both write standard output", other->name(), sink.name()));
    }
    other = &sink;
  }
}

// The common part of a sink's file names, whatever their numbers.
struct NameParts {
  fs::path folder;    // empty: not one
  std::string other;  // the rest without digits and minus signs

  bool mayMeet(const NameParts& others) const {
    return folder.empty() || others.folder.empty() || (folder == others.folder && other == others.other);
  }
};

NameParts partsOf(const std::string& file) {
  std::error_code failed;
  const fs::path path = fs::absolute(file);
  NameParts parts = {fs::weakly_canonical(path.parent_path(), failed), path.filename().string()};
  std::erase_if(parts.other, [](char c) { return (c >= '0' && c <= '9') || c == '-'; });
  return failed ? NameParts() : parts;
}

NameParts partsOf(const ModuleGraph& graph, const ModuleInstance& sink) {
  if (!sink.frameFiles.empty() || namesFrames(fs::path(filePattern(sink)).parent_path().string()))
    return {};
  return partsOf(fileOf(sink, graph.folder, 0));
}

// Sinks whose files another sink may also write: even if names can't be equal, existing files may be links to
// each other.
FrameSet framesToCompare(const ModuleGraph& graph, const ModuleInstance& sink, const FrameSet& frames,
                         const std::vector<OtherOutput>& others) {
  const NameParts parts = partsOf(graph, sink);
  const bool mayMeet = !sink.frameFiles.empty() || std::ranges::any_of(others, [&](const OtherOutput& other) {
    return parts.mayMeet(partsOf(other.path));
  }) || std::ranges::any_of(graph.modules, [&](const ModuleInstance& other) {
    return &other != &sink && writesFile(other) && parts.mayMeet(partsOf(graph, other));
  });
  return mayMeet && hasFrameFiles(sink) ? frames : framesThereOf(graph, sink, frames);
}

fs::path wholeName(const std::string& path) {
  std::error_code failed;
  fs::path name = fs::weakly_canonical(fs::absolute(path), failed);
  return failed ? fs::path(path) : name;
}

// Two files of one name; the first pair of two writers.
void checkTwice(const ModuleGraph& graph, const FrameSet& frames, const std::vector<OtherOutput>& others,
                Diagnostics& diagnostics) {
  std::map<fs::path, std::string> writers;
  for (const OtherOutput& other : others) {
    const auto [first, fresh] = writers.emplace(wholeName(other.path), other.what);
    if (!fresh) {
      diagnostics.error(
          {diagnostics.addOption(other.option)},
          fmt::format("{} and {} write the same file, {}", first->second, other.what, other.path));
    }
  }
  for (const ModuleInstance& sink : graph.modules) {
    if (!writesFile(sink))
      continue;
    const FrameSet compared = framesToCompare(graph, sink, frames, others);
    if (compared.size() > mostCompared) {
      diagnostics.error(filenameLocation(sink),
                        fmt::format("{} writes {} files, whose names may be those of another sink, too; such "
                                    "sinks write at most {} files",
                                    sink.name(), compared.size(), mostCompared),
                        "write into a folder of its own, or begin the names with another word");
      return;
    }
    for (const int frame : compared) {
      const std::string path = fileOf(sink, graph.folder, frame);
      const auto [other, fresh] = writers.emplace(wholeName(path), sink.name());
      if (!fresh) {
        diagnostics.error(
            filenameLocation(sink),
            fmt::format("{} and {} write the same file, {}{}", other->second, sink.name(), path,
                        frames.size() > 1 ? fmt::format(" (frame {})", frame + graph.firstNumber) : ""));
        break;
      }
    }
  }
}

}  // namespace

void checkOverwriting(const ModuleGraph& graph, const FrameSet& frames, const OutputRules& rules,
                      Diagnostics& diagnostics) {
  if (frames.empty())
    return;
  try {
    InputFiles inputs(graph, frames.back(), diagnostics);
    for (const ModuleInstance& module : graph.modules)
      if (writesFile(module) && !rules.keepOutputs)
        checkReplaced(graph, module, frames, inputs, rules, diagnostics);
    for (const OtherOutput& other : rules.others)
      checkOther(other, inputs, diagnostics);
    checkStandardOutput(graph, diagnostics);
    const auto sinks = std::ranges::count_if(graph.modules, writesFile);
    if (static_cast<size_t>(sinks) + rules.others.size() > 1)
      checkTwice(graph, frames, rules.others, diagnostics);
  } catch (const FileError&) {
    return;  // a pattern is wrong, which is reported for its module
  }
}

}  // namespace lacuna
