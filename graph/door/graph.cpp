#include <fmt/format.h>

#include "graph/compile/compile.h"
#include "graph/door/errors.h"
#include "graph/door/load_graph.h"
#include "graph/door/state.h"
#include "graph/load/file_numbers.h"
#include "graph/load/load.h"
#include "graph/module/registry.h"
#include "graph/nodes/module_file.h"
#include "graph/run/digest.h"
#include "graph/run/made_from.h"
#include "graph/run/resume.h"
#include "graph/shader/check_shaders.h"
#include "graph/shader/compile.h"

namespace lacuna {
namespace {

using door::GraphState;

// The requested frames; `mistakes` gets the mistakes in the words.
FrameList frameList(const Frames& frames, Diagnostics& mistakes) {
  if (!frames.numbers.empty() && frames.numbers.front() < -largestFrameNumber) {
    mistakes.error({}, fmt::format("frames: {}; expected numbers from -{} on", frames.numbers.front(),
                                   largestFrameNumber));
    return {};
  }
  if (!frames.numbers.empty())
    return {FrameList::Kind::numbers, frames.numbers};
  return parseFrameList(frames.text, mistakes).value_or(FrameList());
}

// The frames of `all` that must run. The record of outputs uses the graph at this point, before native code
// sets what follows from files.
FrameSet framesLeft(const GraphOptions& options, const ModuleGraph& graph, const FrameSet& all,
                    GraphState& state) {
  if (options.keepOutputs)
    return unwrittenFrames(graph, all);
  if (options.resume || options.records || all.size() > 1) {
    const RunMode mode{options.warmUp, state.missing, options.skipDamaged, state.isListed};
    state.recording =
        Recording{digestOf(keyText(graph, mode, state.modulePath)), 0, false, namedStills(graph), {}};
  }
  if (!options.resume)
    return all;
  const Unfinished unfinished = unfinishedFrames(graph, all, state.missing, *state.recording);
  state.outputs = unfinished.counts;
  state.damagedRecords = unfinished.damaged;
  return unfinished.frames;
}

LoadOptions loadOptions(const GraphOptions& options, GraphState& state, Diagnostics& mistakes) {
  LoadOptions made;
  made.modulePath = state.modulePath;
  made.includeRoots = options.includeRoots;
  made.missing = state.missing;
  made.outputs = {options.overwriteInput, options.keepOutputs};
  made.skipDamaged = options.skipDamaged || state.isListed;
  made.frameFiles = options.files;
  for (const auto& [name, type] : options.images)
    made.memory[name] = door::valueTypeOf(type, name);
  if (!options.frames.areNone) {
    made.frames = [&, list = frameList(options.frames, mistakes)](const ModuleGraph& graph) {
      const FrameSet asked = framesOf(graph, list, state.missing);
      const int most = options.frames.most;
      const FrameSet all = most > 0 ? asked.first(static_cast<size_t>(most)) : asked;
      const FrameSet left = framesLeft(options, graph, all, state);
      state.askedFrames = static_cast<int>(all.size());
      state.finished = all.without(left).shifted(graph.firstNumber);
      // If all others are finished, those without files are no reason to fail.
      const bool isDone = left.size() < all.size() && skipsFrames(state.missing) &&
                          left.within(framesWithFiles(graph)).empty();
      return isDone ? FrameSet() : left;
    };
  }
  addWords({options.parameters, options.inputs, options.outputs}, made, mistakes);
  return made;
}

// A repeated file's motion doesn't lead to the frame before, nor does that of the next file.
void cutAtHeld(const FrameSet& computed, const ModuleGraph& graph, GraphState& state) {
  for (const ModuleInstance& module : graph.modules) {
    const FrameSet held = isNumberedSource(module) ? computed.without(module.there) : FrameSet();
    if (!held.empty()) {
      state.plan.starts = state.plan.starts.with(held).with(held.shifted(1).within(computed));
      state.loaded.diagnostics.warn(
          {}, fmt::format("{} has no file for frame {}: history begins again in it and after it",
                          module.name(), held.back() + graph.firstNumber));
    }
  }
}

void addFramesToRun(const GraphOptions& options, GraphState& state) {
  state.warmUp = warmUpOf(state.loaded.graph);
  if (options.warmUp > 0 && state.warmUp.reason.empty()) {
    state.loaded.diagnostics.warn({},
                                  "--warm-up changes nothing: no module reads a value of the previous frame");
  }
  if (options.warmUp >= 0)
    state.warmUp.frames = options.warmUp;
  if (state.isListed)
    state.warmUp = {};
  if (state.missing == Missing::span)
    state.warmUp.cutsAtGaps = false;
  const ModuleGraph& modules = state.loaded.graph.modules;
  if (state.recording) {
    state.recording->history = state.warmUp.frames;
    state.recording->cutsAtGaps = state.warmUp.cutsAtGaps;
    state.recording->beside = stillsBeside(modules);
  }
  state.plan = framesToRun(state.loaded.frames, state.warmUp, state.missing, framesWithFiles(modules));
  const FrameSet computed = state.plan.frames.with(state.plan.warmUp);
  if (state.isListed)
    state.plan.starts = computed;
  else if (state.warmUp.cutsAtGaps && state.missing == Missing::hold)
    cutAtHeld(computed, modules, state);
  if (state.plan.stoppedBy >= 0) {
    state.loaded.diagnostics.warn({},
                                  fmt::format("frame {} has no input files: history begins again after it",
                                              state.plan.stoppedBy + modules.firstNumber));
  }
  state.frames = state.plan.frames.shifted(modules.firstNumber);
}

std::vector<Message> checked(const door::GraphOrigin& origin, const GraphOptions& options) {
  const std::shared_ptr<GraphState> state = door::loadGraph(origin, options);
  door::reportShaders(state->loaded.graph, state->loaded.descriptions, state->modulePath,
                      state->loaded.diagnostics);
  return state->loaded.diagnostics.messages();
}

}  // namespace

namespace door {

std::shared_ptr<GraphState> loadGraph(const GraphOrigin& origin, const GraphOptions& options,
                                      const std::vector<OtherOutput>& others) {
  auto state = std::make_shared<GraphState>();
  state->name = origin.name;
  if (origin.text != nullptr)
    state->text = *origin.text;
  state->options = options;
  state->modulePath = moduleSearchPath(options.modules);
  state->missing = options.missing;
  state->skipDamaged = options.skipDamaged;
  state->isListed = !options.files.empty();
  Diagnostics mistakes;
  LoadOptions load = loadOptions(options, *state, mistakes);
  load.outputs.others = others;
  if (!origin.overwriting.empty())
    load.outputs.permission = origin.overwriting;
  load.see = origin.see;
  state->loaded = origin.text == nullptr ? loadGraphFile(origin.name, load)
                                         : loadGraphText(*origin.text, origin.name, load);
  if (!state->damagedRecords.empty()) {
    const size_t more = state->damagedRecords.size() - 1;
    state->loaded.diagnostics.warn(
        {}, state->damagedRecords.front() + (more == 0 ? "" : fmt::format(", and {} more", more)));
  }
  for (const Diagnostic& mistake : mistakes.sorted())
    state->loaded.diagnostics.error({}, mistake.message);
  if (state->loaded.ok())
    addFramesToRun(options, *state);
  return state;
}
std::vector<std::string> outputFiles(const GraphState& state, int frame) {
  const ModuleGraph& graph = state.loaded.graph.modules;
  std::vector<std::string> files;
  for (const ModuleInstance& module : graph.modules)
    if (module.description->isSink() && !filePattern(module).empty())
      files.push_back(fileOf(module, graph.folder, frame - graph.firstNumber));
  return files;
}

Graph openGraph(std::shared_ptr<GraphState> state) {
  state->messages = state->loaded.diagnostics.messages();
  if (!state->loaded.ok())
    throw Error(ErrorKind::graph, state->messages);
  return Access::graph(std::move(state));
}

void reportShaders(const NodeGraph& graph,
                   const std::vector<std::shared_ptr<const ModuleDescription>>& modules,
                   const std::vector<std::string>& modulePath, Diagnostics& diagnostics) {
  ShaderCheck shaders(modulePath, ShaderCache::defaultFolder());
  shaders.add(graph);
  for (const auto& description : modules) {
    Diagnostics ofOthers;  // dropped: a module alone may have mistakes that don't occur in this graph
    for (const NodeGraph& alone : loneGraphs(description, ofOthers))
      shaders.add(alone);
  }
  shaders.report(diagnostics);
}

}  // namespace door

Graph::Graph(std::shared_ptr<const GraphState> state) : state_(std::move(state)) {}

Graph Graph::fromFile(const std::string& path, const GraphOptions& options) {
  return door::guarded([&] { return door::openGraph(door::loadGraph({path}, options)); });
}

Graph Graph::fromText(const std::string& text, const GraphOptions& options, const std::string& name) {
  return door::guarded([&] { return door::openGraph(door::loadGraph({name, &text}, options)); });
}

const std::vector<Message>& Graph::warnings() const {
  return state_->messages;
}

const FrameSet& Graph::frames() const {
  return state_->frames;
}

int Graph::firstNumber() const {
  return state_->loaded.graph.modules.firstNumber;
}

int Graph::finishedBefore() const {
  return static_cast<int>(state_->finished.size());
}

std::vector<std::string> Graph::outputFiles(int frame) const {
  return door::guarded([&] { return door::outputFiles(*state_, frame); });
}

std::vector<Message> checkFile(const std::string& path, const GraphOptions& options) {
  return door::guarded([&] { return checked({path}, options); });
}

std::vector<Message> checkText(const std::string& text, const GraphOptions& options,
                               const std::string& name) {
  return door::guarded([&] { return checked({name, &text}, options); });
}

}  // namespace lacuna
