#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "graph/door/errors.h"
#include "graph/door/load_graph.h"
#include "graph/door/state.h"
#include "graph/run/tune/quiet_tuning.h"
#include "graph/shader/generate/body_mistake.h"

namespace lacuna {
namespace {

using door::PipelineState;

// The sources and sinks that an image passes through.
std::vector<std::string> portNames(const PipelineState& state, bool isSource) {
  std::vector<std::string> names;
  for (const auto& [name, port] : state.ports)
    if (port.isSource == isSource && !port.valueName.empty())
      names.push_back(name);
  return names;
}

struct Scheduling {
  PipelineState& state;
  const PipelineOptions& options;
  GivenPlaces given = {};

  door::ScheduleTarget target() const {
    door::ScheduleTarget target = door::targetOn(state.device, state.graph->modulePath);
    target.given = given;
    return target;
  }

  // `frames`: their number, if compile time counts.
  FrameGraph passes(int frames = 0) const {
    const Profile::Span span(door::Access::of(state.trace), "compile");
    Diagnostics diagnostics = state.graph->loaded.diagnostics;
    auto made = door::scheduleGraph(state.graph->loaded.graph, options, target(), diagnostics, frames);
    if (!made)
      throw Error(ErrorKind::graph, diagnostics.messages());
    return std::move(*made);
  }

  // Whether an earlier run compiled the filters' shaders. On a CPU the driver takes most of that time, and an
  // installation's SPIR-V doesn't save that part.
  bool areCompiled(const FrameGraph& passes) const {
    const ShaderCache cache(state.device->cacheFolder);
    const auto holders = state.device->device.info().isCpu() ? ShaderCache::Holders::user
                                                             : ShaderCache::Holders::userOrInstallation;
    const Shaders shaded = shade(passes, state.graph->modulePath);
    return std::all_of(shaded.passes.begin(), shaded.passes.end(), [&](const Pass& pass) {
      return pass.shader.kind != ShaderKind::stencilLevel || cache.holds(pass.glsl, holders);
    });
  }

  // Whether anything was measured. A failure here doesn't stop the pipeline, so it is a warning.
  bool measures(const FrameGraph& passes) const {
    // Filters are measured on whole pictures.
    if (!options.tunes || options.frames <= 0 || passes.tiles || !given.empty())
      return false;
    const std::vector<FilterChoice>& planned = passes.choices;
    const door::GraphState& graph = *state.graph;
    const QuietRun run{options.frames, graph.plan.frames.empty() ? 0 : graph.plan.frames.front(),
                       graph.modulePath, state.device->cacheFolder};
    const auto start = std::chrono::steady_clock::now();
    try {
      state.measured = tuneQuietly(state.device->device, graph.loaded.graph, planned,
                                   door::compileOptions(options, target()), run);
    } catch (const std::exception& error) {
      Diagnostics diagnostics;
      diagnostics.warn({}, fmt::format("schedules were not measured: {}", error.what()));
      state.warnings = diagnostics.messages();
    }
    state.measuringSeconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return !state.measured.empty();
  }
};

// All mistakes in the graph's shaders, if there are any; else the error itself.
[[noreturn]] void throwShaderMistakes(const door::GraphState& graph) {
  Diagnostics diagnostics;
  door::reportShaders(graph.loaded.graph, {}, graph.modulePath, diagnostics);
  if (diagnostics.hasErrors())
    throw Error(ErrorKind::graph, diagnostics.messages());
  throw;
}

}  // namespace

namespace door {

MemoryPorts portsOf(const Passes& passes) {
  const NodeGraph& graph = passes.graph;
  MemoryPorts ports;
  for (const ModuleInstance& module : graph.modules.modules) {
    const bool isMemory = std::ranges::any_of(module.description->nodes,
                                              [](const NodeDescription& node) { return node.memory; });
    if (isMemory)
      ports[module.name()].isSource = module.description->isSource();
  }
  for (const Node& node : graph.nodes) {
    const auto port = ports.find(instanceOf(graph, node).name());
    const auto& ends = node.kind == NodeKind::source ? node.outputs : node.inputs;
    if (port != ports.end() && !ends.empty() && ends.front().value) {
      port->second.valueName = graph.values[ends.front().value].name;
      port->second.type = wholeType(passes, ends.front().value);
    }
  }
  return ports;
}

void reportUnrecordable(const FrameGraph& passes, Diagnostics& diagnostics) {
  for (const Pass& pass : passes.passes) {
    const bool isHost = pass.kind == PassKind::host;
    if (!isHost && pass.kind != PassKind::upload && pass.kind != PassKind::download)
      continue;
    const Node& node = passes.graph.nodes[pass.node];
    diagnostics.error(
        passes.graph.modules.modules[node.module].where,
        fmt::format("{} {}, so the graph can't be recorded", node.name,
                    isHost ? "is native code that runs on the host" : "reads or writes a file"),
        isHost ? "use another module" : "a renderer's graph has sources i-memory and sinks o-memory alone");
  }
}

std::unique_ptr<PipelineState> openPipeline(std::shared_ptr<DeviceState> device,
                                            std::shared_ptr<const GraphState> graph,
                                            const PipelineOptions& options, GivenPlaces given) {
  auto state = std::make_unique<PipelineState>();
  state->device = std::move(device);
  state->graph = std::move(graph);
  state->trace = options.trace;
  const Scheduling scheduling{*state, options, std::move(given)};
  FrameGraph passes = scheduling.passes();
  if (scheduling.measures(passes))
    passes = scheduling.passes();
  if (!scheduling.given.empty()) {
    Diagnostics diagnostics = state->graph->loaded.diagnostics;
    reportUnrecordable(passes, diagnostics);
    if (diagnostics.hasErrors())
      throw Error(ErrorKind::graph, diagnostics.messages());
  }
  try {
    if (options.startsFast && options.frames > 0 && !scheduling.areCompiled(passes))
      passes = scheduling.passes(options.frames);
    state->session = std::make_shared<Session>(
        state->device->device, std::move(passes), state->graph->modulePath, state->device->cacheFolder,
        door::Access::of(options.trace), options.debugShaders ? DebugInfo::sources : DebugInfo::none);
  } catch (const ShaderError&) {
    throwShaderMistakes(*state->graph);
  }
  if (state->graph->recording)
    state->session->record(*state->graph->recording);
  state->plan = door::planOf(state->session->schedule(), state->graph->loaded.graph);
  state->ports = portsOf(state->session->schedule());
  return state;
}

}  // namespace door

Pipeline::Pipeline(Device& device, const Graph& graph, const PipelineOptions& options)
    : state_(door::guarded(
          [&] { return door::openPipeline(door::Access::of(device), door::Access::of(graph), options); })) {}
Pipeline::Pipeline(std::unique_ptr<PipelineState> state) : state_(std::move(state)) {}

Pipeline::~Pipeline() = default;
Pipeline::Pipeline(Pipeline&&) noexcept = default;
Pipeline& Pipeline::operator=(Pipeline&&) noexcept = default;

const PlanReport& Pipeline::plan() const {
  return state_->plan;
}

const std::vector<Message>& Pipeline::warnings() const {
  return state_->warnings;
}

const std::vector<FilterTimes>& Pipeline::measured() const {
  return state_->measured;
}

std::vector<std::string> Pipeline::sources() const {
  return portNames(*state_, true);
}

std::vector<std::string> Pipeline::sinks() const {
  return portNames(*state_, false);
}

ImageType Pipeline::imageType(const std::string& name) const {
  const MemoryPort& port = door::portNamed(*state_, name);
  if (port.valueName.empty())
    door::refuse("{}: no sink needs this source, so it has no image", name);
  return door::imageTypeOf(port.type, name);
}

Trace::Trace() : state_(std::make_unique<door::TraceState>()) {
  state_->profile.nameThread("main");
}

Trace::~Trace() = default;

std::string Trace::json() const {
  return state_->profile.json();
}

void Trace::write(const std::string& path) const {
  door::guarded([&] { state_->profile.write(path); });
}

}  // namespace lacuna
