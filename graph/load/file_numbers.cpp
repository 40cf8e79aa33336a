#include "graph/load/file_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "graph/files/file_name.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

// The parameter `first`, if the graph file or the command line sets it.
std::optional<int> givenFirst(const ModuleInstance& module) {
  if (module.description->parameter("first") == nullptr)
    return std::nullopt;
  const Parameter& first = module.parameter("first");
  const auto* value = std::get_if<int64_t>(&first.values.front());
  return !first.isSet || value == nullptr ? std::nullopt : std::optional(static_cast<int>(*value));
}

struct NumberedSource {
  ModuleInstance* module = nullptr;
  NumberedFiles files;
  std::optional<int> first;
};

NumberedFiles filesOf(const ModuleInstance& source, const std::string& graphFolder) {
  if (source.frameFiles.empty())
    return numberedFiles(fileFolder(source, graphFolder), filePattern(source));
  const FrameSet all = FrameSet::range(0, static_cast<int>(source.frameFiles.size()) - 1);
  return {all, all.without(framesThere(source, graphFolder)), {}, {}};
}

std::vector<NumberedSource> numberedSources(ModuleGraph& graph) {
  std::vector<NumberedSource> sources;
  for (ModuleInstance& module : graph.modules) {
    if (isNumberedSource(module)) {
      NumberedSource& source = sources.emplace_back();
      source.module = &module;
      source.files = filesOf(module, graph.folder);
      source.first = givenFirst(module);
      for (Parameter& parameter : module.parameters)
        if (parameter.description->name == "filename" && module.frameFiles.empty())
          parameter.values = {source.files.pattern};
    }
  }
  return sources;
}

int numberOfFrame0(const std::vector<NumberedSource>& sources) {
  std::optional<int> given, least;
  for (const NumberedSource& source : sources) {
    given = given ? given : source.first;
    if (!source.files.numbers.empty())
      least = std::min(least.value_or(source.files.numbers.front()), source.files.numbers.front());
  }
  return given.value_or(least.value_or(0));
}

// "those of i-exr:01 begin with 5 (shot_%04d.exr)"
std::string beginningOf(const NumberedSource& source) {
  return fmt::format("those of {} begin with {} ({})", source.module->name(), source.files.numbers.front(),
                     filePattern(*source.module));
}

// Sources without their own `first` must begin with the same number.
void checkBeginnings(const std::vector<NumberedSource>& sources, Diagnostics& diagnostics) {
  const NumberedSource* other = nullptr;
  for (const NumberedSource& source : sources) {
    if (source.files.numbers.empty())
      continue;
    if (other == nullptr) {
      other = &source;
      continue;
    }
    if (source.files.numbers.front() != other->files.numbers.front() && (!source.first || !other->first)) {
      diagnostics.error(
          filenameLocation(*source.module),
          fmt::format("the numbers of files differ: {}, {}", beginningOf(*other), beginningOf(source)),
          fmt::format("say which file of each belongs to frame 0: param:{}:first:{} and param:{}:first:{}",
                      other->module->name(), other->files.numbers.front(), source.module->name(),
                      source.files.numbers.front()));
      return;
    }
  }
}

}  // namespace

bool isNumberedSource(const ModuleInstance& module) {
  try {
    return module.description->isSource() && !module.connectedOutputs.empty() && hasFrameFiles(module);
  } catch (const FileError&) {
    return false;  // the pattern is wrong, which is reported elsewhere
  }
}

bool isAwaited(const ModuleGraph& graph, int frame, Awaited& awaited) {
  bool some = false;  // all are looked at, since each has its own time
  for (const ModuleInstance& module : graph.modules)
    some |= isNumberedSource(module) && awaited.contains(fileOf(module, graph.folder, frame));
  return some;
}

void numberFiles(ModuleGraph& graph, Diagnostics& diagnostics) {
  const std::vector<NumberedSource> sources = numberedSources(graph);
  graph.firstNumber = numberOfFrame0(sources);
  for (ModuleInstance& module : graph.modules)
    module.firstNumber = givenFirst(module).value_or(graph.firstNumber);
  for (const NumberedSource& source : sources) {
    if (!source.files.tooLarge.empty())
      diagnostics.error(filenameLocation(*source.module), tooLargeMistake(source.files.tooLarge));
    const FrameSet files = source.files.numbers.without(source.files.broken);
    source.module->there = files.shifted(-source.module->firstNumber).between(0, mostFrames - 1);
  }
  checkBeginnings(sources, diagnostics);
  for (const NumberedSource& source : sources) {
    if (graph.hasFrames || source.files.numbers.empty())
      continue;
    const int64_t frames = int64_t{source.files.numbers.back()} - source.module->firstNumber + 1;
    if (frames > mostFrames) {
      diagnostics.error(
          filenameLocation(*source.module),
          fmt::format("the files of {} have numbers from {} to {}: {} frames, and at most {} are possible",
                      source.module->name(), source.files.numbers.front(), source.files.numbers.back(),
                      frames, mostFrames),
          "--frames chooses some of them");
      return;
    }
    graph.frames = std::max(graph.frames, static_cast<int>(frames));
  }
}

void checkStills(const ModuleGraph& graph, const FrameSet& written, Diagnostics& diagnostics) {
  const size_t frames = std::max(written.size(), static_cast<size_t>(graph.writesLast ? graph.frames : 0));
  const bool isOneFrame = !graph.hasFrames && std::ranges::none_of(graph.modules, isNumberedSource);
  const bool isBeyond = isOneFrame && !written.empty() && written.back() > 0;
  for (const ModuleInstance& module : graph.modules) {
    const ModuleDescription& description = *module.description;
    if (!description.isSource() || description.parameter("first") == nullptr ||
        description.parameter("still") == nullptr || module.connectedOutputs.empty() ||
        filePattern(module).empty())
      continue;
    const bool isStill = std::get<bool>(module.parameter("still").values.front());
    if (isStill && isNumberedSource(module)) {
      diagnostics.error(filenameLocation(module),
                        fmt::format("{} has 'still' set, but a number in its file name: {}", module.name(),
                                    filePattern(module)),
                        "leave out 'still', or name one file");
    } else if (!isStill && frames > 1 && !isNumberedSource(module)) {
      diagnostics.error(
          filenameLocation(module),
          fmt::format("{} would read one file, {}, in each of {} frames", module.name(), filePattern(module),
                      frames),
          fmt::format(
              "put the frame's number into the name, as %04d or ####; if the same picture is meant for "
              "all frames: param:{}:still:true",
              module.name()));
    } else if (!isStill && isBeyond) {
      diagnostics.error(
          filenameLocation(module),
          fmt::format("there is no frame {}: {} reads one file, {}, so the graph has one frame, "
                      "number 0",
                      written.back(), module.name(), filePattern(module)),
          fmt::format("leave out --frames; if the picture is meant for all frames: "
                      "param:{}:still:true",
                      module.name()));
    }
  }
}

namespace {

// "; there are in/0000.png to in/0011.png"
std::string whatIsThere(const ModuleInstance& source, const std::string& folder) {
  if (!source.frameFiles.empty())
    return {};
  const NumberedFiles files = numberedFiles(fileFolder(source, folder), filePattern(source));
  const FrameSet numbers = files.numbers.without(files.broken);
  if (numbers.empty()) {
    const std::string like = numberedLike(fileFolder(source, folder), filePattern(source));
    return !like.empty()
               ? like
               : "; " + unlisted(fileFolder(source, folder), filePattern(source)).value_or("none is there");
  }
  const auto nameOf = [&](int number) { return fileOf(source, folder, number - source.firstNumber); };
  return numbers.size() == 1 ? fmt::format("; there is {}", nameOf(numbers.front()))
                             : fmt::format("; there are {} files from {} to {}", numbers.size(),
                                           nameOf(numbers.front()), nameOf(numbers.back()));
}

void report(const ModuleInstance& source, const ModuleGraph& graph, const FrameSet& lacking, size_t frames,
            Missing missing, Diagnostics& diagnostics) {
  const Location where = filenameLocation(source);
  const std::string text = lacksFiles(source.name(), lacking, frames,
                                      [&](int frame) { return fileOf(source, graph.folder, frame); }) +
                           whatIsThere(source, graph.folder);
  if (skipsFrames(missing))
    diagnostics.warn(where, text + "; these frames are left out");
  else if (missing == Missing::hold && framesWithFile(source).contains(lacking.front()))
    diagnostics.warn(where, text + "; the last file before them is used instead");
  else if (missing == Missing::hold)
    diagnostics.error(where, text, "there is no earlier file that could be repeated");
  else
    diagnostics.error(where, text, helpsMissing);
}

}  // namespace

FrameSet framesWithFile(const ModuleInstance& module) {
  if (!isNumberedSource(module)) {
    // Frames before the first file of another source count, too: that source reports them.
    return FrameSet::range(std::numeric_limits<int>::min(), mostFrames - 1);
  }
  return module.holdsLast && !module.there.empty() ? FrameSet::range(module.there.front(), mostFrames - 1)
                                                   : module.there;
}

FrameSet framesWithFiles(const ModuleGraph& graph) {
  FrameSet frames = FrameSet::range(0, mostFrames - 1);
  for (const ModuleInstance& module : graph.modules)
    frames = frames.within(framesWithFile(module));
  return frames;
}

FrameSet findFiles(ModuleGraph& graph, const FrameSet& frames, Missing missing, Diagnostics& diagnostics) {
  FrameSet runnable = frames;
  for (ModuleInstance& module : graph.modules) {
    if (!isNumberedSource(module))
      continue;
    module.holdsLast = missing == Missing::hold;
    if (missing == Missing::wait)
      module.there = module.there.with(frames);
    const FrameSet lacking = frames.without(module.there);
    if (lacking.empty())
      continue;
    report(module, graph, lacking, frames.size(), missing, diagnostics);
    if (skipsFrames(missing)) {
      runnable = runnable.without(lacking);
      if (runnable.empty()) {
        diagnostics.error(module.where, fmt::format("no frame can run: {} has no files", module.name()));
        return runnable;
      }
    }
  }
  return runnable;
}

}  // namespace lacuna
