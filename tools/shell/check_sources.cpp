#include "tools/shell/check_environment.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/load/file_numbers.h"
#include "graph/nodes/module_file.h"
#include "tools/metrics/motion_guess.h"

namespace lacuna {
namespace {

bool readsMotion(const ModuleInstance& module) {
  const std::vector<std::string>& outputs = module.connectedOutputs;
  return isNumberedSource(module) && module.description->parameter("motion_scale") != nullptr &&
         std::find(outputs.begin(), outputs.end(), "motion") != outputs.end();
}

// The options that read motion in the module's own convention.
ReadOptions readOptions(const ModuleInstance& module) {
  const auto number = [&](const char* name, size_t index) {
    const ParameterValues& values = module.parameter(name).values;
    return static_cast<float>(std::get<double>(values.at(index)));
  };
  const auto word = [&](const std::string& name) {
    return std::get<std::string>(module.parameter(name).values.front());
  };
  ReadOptions options;
  options.motion = motionConventionFromName(word("motion"));
  options.motionScale = {number("motion_scale", 0), number("motion_scale", 1)};
  for (const auto& [plane, parameter] : {std::pair("motion", "motion_layer"), std::pair("albedo", "albedo"),
                                         std::pair("normal", "normal"), std::pair("depth", "depth")})
    if (!word(parameter).empty())
      options.layers[plane] = word(parameter);
  return options;
}

// Compares the first two consecutive frames with files.
std::optional<MotionGuess> measure(const ModuleInstance& module, const std::string& folder,
                                   const FrameSet& frames) {
  for (const FrameSet::Run& run : frames.within(module.there).runs())
    if (run.first < run.last)
      return guessMotion({fileOf(module, folder, run.first)}, {fileOf(module, folder, run.first + 1)},
                         readOptions(module));
  return std::nullopt;
}

}  // namespace

void checkMotion(const ModuleGraph& graph, const FrameSet& frames, Diagnostics& diagnostics) {
  for (const ModuleInstance& module : graph.modules) {
    if (!readsMotion(module))
      continue;
    try {
      const auto guess = measure(module, graph.folder, frames);
      if (guess && !guess->asUsed)
        diagnostics.warn(filenameLocation(module),
                         fmt::format("the motion of {} has another convention: {:.0f}% of it doesn't fit; "
                                     "with another one, {:.0f}%",
                                     module.name(), 100 * guess->mismatchAsUsed, 100 * guess->mismatch),
                         "set " + asParameters(guess->convention, guess->scale));
      else if (guess && !guess->fits)
        diagnostics.warn(filenameLocation(module),
                         fmt::format("the motion of {} fits no convention: there will be hardly any history",
                                     module.name()));
    } catch (const FileError&) {
      // Damaged files are reported when they are read.
    }
  }
}

void checkMissing(const ModuleGraph& graph, Missing missing, Diagnostics& diagnostics) {
  // Pictures of a folder are listed, so none is missing.
  const auto mayLack = [](const ModuleInstance& module) {
    return isNumberedSource(module) && module.frameFiles.empty();
  };
  if (missing != Missing::error && std::ranges::none_of(graph.modules, mayLack))
    diagnostics.error({}, "--missing is for names with a frame's number, but no source has one");
}

}  // namespace lacuna
