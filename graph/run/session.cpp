#include "graph/run/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <set>

#include "graph/files/standard_streams.h"
#include "graph/frame/stages.h"
#include "graph/load/files.h"
#include "graph/nodes/module_file.h"
#include "graph/parallel.h"
#include "graph/run/not_finite.h"
#include "graph/run/profile.h"
#include "graph/run/recorder.h"
#include "graph/run/tiled_frame.h"
#include "graph/vk/compile_ahead.h"
#include "graph/watched.h"

namespace lacuna {

struct Session::Impl {
  std::unique_ptr<vk::Executable> executable;
  std::unique_ptr<TiledFrames> tiled;   // null if pictures are computed as a whole
  std::vector<vk::Timings> tiledTimes;  // a slot each
  std::function<bool()> stops;
  std::vector<std::map<NodeId, FoundNotFinite>> notFiniteInRows;  // a slot each
  Profile* profile = nullptr;
  bool hasRun = false;
  std::vector<Profile::Clock::time_point> submitted;  // a slot each
  std::vector<int> frames;                            // that are or were in a slot
  Table<PassId, bool> forNextFrame;
  Warn warn = [](Severity, const std::string&) {};
  NotFinite notFinite;
  std::optional<Recorder> recorder;
  std::deque<HeldFiles> held;      // a slot each
  mutable ParameterBlocks blocks;  // what it looks up once

  const FrameGraph& schedule() const { return executable->schedule(); }

  vk::Frame frame(int index, bool first) const {
    vk::Frame f;
    f.index = index;
    f.first = first;
    f.fillBlock = [this, index](PassId pass, std::span<std::byte> block) {
      blocks.fill(schedule(), pass, index, block);
    };
    f.compute = [this, index](PassId pass, const Tile& tile,
                              const std::vector<std::span<std::byte>>& memory) {
      compute(schedule().passes[pass], index, tile, memory);
    };
    return f;
  }

  void compute(const Pass& pass, int frame, const Tile& tile,
               const std::vector<std::span<std::byte>>& memory) const {
    const Node& node = schedule().graph.nodes[pass.node];
    const Profile::Span span(profile, "compute " + node.name, frame);
    std::vector<FilePlane> inputs, outputs;
    for (size_t i = 0; i < pass.roles.size(); ++i) {
      const Role& role = pass.roles[i];
      (role.kind == AccessKind::read ? inputs : outputs).push_back({role.name, role.type, memory[i]});
    }
    const PixelPlace first = pass.inTiles ? PixelPlace{tile.column.origin, tile.row.origin} : PixelPlace();
    const Extent whole = schedule().tiles ? schedule().tiles->whole : Extent();
    computeNode(schedule().graph, node, frame, {inputs, outputs, first, whole}, warn);
  }

  PassId passCarrying(PassKind kind, const std::string& valueName) const {
    for (const PassId id : schedule().passes.ids()) {
      const Pass& pass = schedule().passes[id];
      if (pass.kind == kind && valueIn(pass) && valueOf(pass).name == valueName)
        return id;
    }
    return {};
  }

  // The value that a pass reads first; none if that carries a counter.
  ValueId valueIn(const Pass& pass) const {
    return schedule().resources[pass.accesses.front().resource].value;
  }

  const Value& valueOf(const Pass& pass) const { return schedule().graph.values[valueIn(pass)]; }

  int slotCount() const { return tiled ? tiled->slotCount() : executable->slotCount(); }

  // The index of a slot in the members that have an element for each slot.
  size_t indexOf(int slot) const {
    if (slot < 0 || slot >= slotCount())
      throw vk::DeviceError(fmt::format("there is no slot {}: {} are reserved", slot, slotCount()));
    return static_cast<size_t>(slot);
  }

  // Host memory of an upload or download pass, of the whole picture. Only uploads are written.
  std::span<std::byte> hostMemory(PassId id, int slot) const {
    if (tiled)
      return tiled->memory(id, slot);
    if (schedule().passes[id].kind == PassKind::upload)
      return executable->uploadMemory(id, slot);
    const std::span<const std::byte> read = executable->downloadMemory(id, slot);
    return {const_cast<std::byte*>(read.data()), read.size()};
  }

  // The planes of a source or sink: the node's own name for each value that its transfer passes carry.
  std::vector<FilePlane> planes(NodeId node, int slot) const {
    std::vector<FilePlane> found;
    const Node& n = schedule().graph.nodes[node];
    const bool isSource = n.kind == NodeKind::source;
    const PassKind kind = isSource ? PassKind::upload : PassKind::download;
    const auto& ends = isSource ? n.outputs : n.inputs;
    for (const PassId id : schedule().passes.ids()) {
      const Pass& pass = schedule().passes[id];
      if (pass.node != node || pass.kind != kind || !valueIn(pass))
        continue;
      for (const NamedValue& end : ends)
        if (end.value == valueIn(pass) && pass.name.ends_with("." + end.name))
          found.push_back({end.name, wholeType(schedule(), valueIn(pass)), hostMemory(id, slot)});
    }
    return found;
  }

  bool isInRows(NodeId node, int slot) const { return tiled && tiled->inRows(node, slot); }

  // NaN and infinities of a source or sink; if it passed in rows, they are already counted.
  FoundNotFinite notFiniteOf(NodeId node, int slot) const {
    const auto& counted = notFiniteInRows[static_cast<size_t>(slot)];
    if (const auto found = counted.find(node); found != counted.end())
      return found->second;
    FoundNotFinite found;
    findNotFinite(planes(node, slot), 0, found);
    return found;
  }

  // Counts NaN and infinities in the rows that are in memory now.
  void countInRows(NodeId node, int slot, uint32_t first, uint32_t end) {
    FoundNotFinite& found = notFiniteInRows[static_cast<size_t>(slot)][node];
    if (first == 0)
      found = {};  // a sweep may be repeated
    findNotFinite(rowsOf(planes(node, slot), first, end), first, found);
  }

  std::vector<NodeId> nodesOf(NodeKind kind) const {
    std::vector<NodeId> nodes;
    for (const NodeId id : schedule().graph.nodes.ids())
      if (schedule().graph.nodes[id].kind == kind)
        nodes.push_back(id);
    return nodes;
  }

  // Values that are NaN or infinite in what sources have read.
  uint64_t notFiniteRead(int slot) const {
    uint64_t count = 0;
    for (const NodeId source : nodesOf(NodeKind::source))
      count += notFiniteOf(source, slot).values;
    return count;
  }

  std::string fileOfNode(NodeId node, int frame) const {
    const NodeGraph& graph = schedule().graph;
    const ModuleInstance& module = graph.modules.modules[graph.nodes[node].module];
    const std::string file = fileOf(module, graph.modules.folder, frame);
    return file == standardStream
               ? fmt::format("standard {}", module.description->isSink() ? "output" : "input")
           : file.empty() ? module.name()
                          : file;
  }

  // The device's count for a sink's plane (pass_builder.h); nullopt if it has no counter, and in tiles, where
  // halos would count, too.
  std::optional<NotFinite::Counted> countedIn(const FilePlane& plane, NodeId sink, int slot) const {
    if (tiled)
      return std::nullopt;
    for (const PassId id : schedule().passes.ids()) {
      const Pass& pass = schedule().passes[id];
      if (pass.node == sink && pass.kind == PassKind::download && !valueIn(pass) &&
          pass.name.ends_with("." + plane.name + ".notFinite")) {
        std::array<uint32_t, 2> words{};
        std::memcpy(words.data(), executable->downloadMemory(id, slot).data(), sizeof words);
        const uint32_t first = ~words[1];
        return NotFinite::Counted{words[0], first % plane.type.extent.width, first / plane.type.extent.width};
      }
    }
    return std::nullopt;
  }

  // NaN and infinities in a sink's images; for integers the device's count. If there are none, those in the
  // frame's inputs, in whose place a filter has made numbers.
  void lookAt(NodeId sink, int frame, int slot) {
    const std::vector<FilePlane> written = planes(sink, slot);
    if (std::ranges::all_of(written, [](const FilePlane& plane) { return plane.type.isArray(); }))
      return;
    const std::string file = fileOfNode(sink, frame);
    const auto countRead = [&] { return notFiniteRead(slot); };
    const FoundNotFinite found = notFiniteOf(sink, slot);
    notFinite.look(file, frame, found, countRead);
    bool hasSome = found.values > 0;
    for (const FilePlane& plane : written) {
      if (const auto counted = countedIn(plane, sink, slot)) {
        notFinite.lookAtCounted(file, frame, *counted, countRead);
        hasSome = hasSome || counted->values > 0;
      }
    }
    if (!hasSome)
      for (const NodeId source : nodesOf(NodeKind::source))
        notFinite.lookAtRead(fileOfNode(source, frame), frame, notFiniteOf(source, slot), file);
  }

  void read(NodeId id, int frame, int slot, const PassRows& rows) {
    const NodeGraph& graph = schedule().graph;
    const Node& node = graph.nodes[id];
    const Profile::Span span(profile, "read " + node.name, frame);
    readFrame(graph, node, frame, planes(id, slot), warn, held[static_cast<size_t>(slot)], rows);
  }

  void write(NodeId id, int frame, int slot, const PassRows& rows) {
    const NodeGraph& graph = schedule().graph;
    const Node& node = graph.nodes[id];
    const Profile::Span span(profile, "write " + node.name, frame);
    const ModuleInstance& sink = graph.modules.modules[node.module];
    HeldFiles& inputs = held[static_cast<size_t>(slot)];
    writeFrame(graph, node, frame, planes(id, slot), warn, inputs, rows);
    if (recorder)
      recorder->hasWritten(sink, frame, inputs, warn);
  }

  // A frame in tiles, with all files that pass in rows.
  vk::Timings runTiles(const vk::Frame& frame, int slot, vk::Timed timed) {
    notFiniteInRows[static_cast<size_t>(slot)].clear();
    TiledFrames::Calls calls;
    calls.ran = [&](const vk::Timings& timings) { profileFrame(static_cast<size_t>(slot), timings); };
    calls.stops = stops;
    calls.complete = [&](NodeId node, uint32_t first, uint32_t end) { countInRows(node, slot, first, end); };
    calls.transfer = [&](NodeId node, const PassRows& rows) {
      const bool isSource = schedule().graph.nodes[node].kind == NodeKind::source;
      isSource ? read(node, frame.index, slot, rows) : write(node, frame.index, slot, rows);
    };
    return tiled->run(frame, slot, timed, calls);
  }

  void profileFrame(size_t slot, const vk::Timings& timings) const {
    if (profile != nullptr)
      profile->addFrame(schedule(), frames[slot], submitted[slot], timings);
  }

  // Whether the next frame depends on a value that the node makes in this one.
  bool isForNextFrame(NodeId node) const {
    for (const PassId pass : forNextFrame.ids())
      if (forNextFrame[pass] && schedule().passes[pass].node == node)
        return true;
    return false;
  }

  // Calls work(node) for each source or sink with a file that no frame in tiles transfers. On several threads
  // only if no other frame is in flight: otherwise other frames keep the cores busy.
  template <class Work>
  void forFiles(NodeKind kind, int slot, const Work& work) const {
    std::vector<NodeId> nodes = nodesOf(kind);
    std::erase_if(nodes, [&](NodeId id) {
      return schedule().graph.nodes[id].description->memory || isInRows(id, slot);
    });
    if (slotCount() == 1)
      inParallel(nodes.size(), [&](size_t i) { work(nodes[i]); });
    else
      std::ranges::for_each(nodes, work);
  }
};

Session::Session(vk::Device& device, FrameGraph passes, const std::vector<std::string>& includePath,
                 const std::string& cacheFolder, Profile* profile, DebugInfo debug)
    : impl_(std::make_unique<Impl>()) {
  impl_->profile = profile;
  const CompilingGraph work("the graph");
  Shaders compiled = [&] {
    const Profile::Span span(profile, "shaders");
    return shadersOf(std::move(passes), includePath, ShaderCache(cacheFolder, debug));
  }();
  const Profile::Span span(profile, "memory and pipelines");
  const vk::Code spirv = compiled.spirv;
  impl_->executable = commandsOf(device, std::move(compiled), cacheFolder);
  if (impl_->schedule().tiles)
    impl_->tiled = std::make_unique<TiledFrames>(*impl_->executable);
  impl_->forNextFrame = passesForNextFrame(impl_->schedule());
  reserveSlots(1);
  const bool isRecorded = std::ranges::any_of(
      schedule().resources, [](const Resource& resource) { return !resource.given.empty(); });
  if (device.info().isCpu() && !isRecorded) {
    vk::Frame empty = impl_->frame(schedule().graph.modules.firstFrame, true);
    empty.onlyCompiles = true;
    const vk::CompileAhead ahead(device.info(), schedule(), spirv);
    impl_->executable->run(empty);
  }
}

Session::~Session() = default;

void Session::onWarning(Warn warn) {
  // Most frames of a sequence cause the same warnings, so each is printed once.
  const auto told = std::make_shared<std::pair<std::mutex, std::set<std::string>>>();
  impl_->warn = [told, warn = std::move(warn)](Severity severity, const std::string& text) {
    bool isNew = false;
    {
      const std::scoped_lock lock(told->first);
      isNew = told->second.insert(text).second;
    }
    if (isNew)
      warn(severity, text);
  };
}

void Session::stopWhen(std::function<bool()> stops) {
  impl_->stops = std::move(stops);
}

void Session::record(const Recording& recording) {
  impl_->recorder.emplace(schedule().graph.modules, recording);
}

void Session::reserveSlots(int count) {
  if (count > slotCount()) {
    const Profile::Span span(impl_->profile, "staging memory");
    if (impl_->tiled)
      impl_->tiled->reserveSlots(count);
    else
      impl_->executable->reserveSlots(count);
  }
  impl_->tiledTimes.resize(static_cast<size_t>(slotCount()));
  impl_->notFiniteInRows.resize(static_cast<size_t>(slotCount()));
  impl_->submitted.resize(static_cast<size_t>(slotCount()));
  impl_->frames.resize(static_cast<size_t>(slotCount()));
  impl_->held.resize(static_cast<size_t>(slotCount()));
}

int Session::slotCount() const {
  return impl_->slotCount();
}

void Session::upload(int frame, int slot, bool isWritten) {
  HeldFiles& held = impl_->held[impl_->indexOf(slot)];
  held.close();
  impl_->forFiles(NodeKind::source, slot, [&](NodeId id) {
    if (isWritten || impl_->isForNextFrame(id))
      impl_->read(id, frame, slot, {});
  });
  checkOrigins(schedule().graph, frame, held);
  if (impl_->recorder)
    impl_->recorder->hasRead(frame, held);
}

void Session::submit(int frame, int slot, bool first, vk::Timed timed, bool isWritten) {
  const Profile::Span span(impl_->profile, "submit", frame);
  const auto now = Profile::Clock::now();
  vk::Frame submitted = impl_->frame(frame, first);
  submitted.isWritten = isWritten;
  const size_t index = impl_->indexOf(slot);
  impl_->submitted[index] = now;
  impl_->frames[index] = frame;
  if (impl_->tiled)
    impl_->tiledTimes[index] = impl_->runTiles(submitted, slot, timed);
  else
    impl_->executable->submit(submitted, slot, timed);
  impl_->hasRun = true;
}

vk::Timings Session::wait(int slot) {
  const size_t index = impl_->indexOf(slot);
  const Profile::Span span(impl_->profile, "wait", impl_->frames[index]);
  if (impl_->tiled)
    return std::move(impl_->tiledTimes[index]);
  vk::Timings timings = impl_->executable->wait(slot);
  impl_->profileFrame(index, timings);
  return timings;
}

vk::Executable& Session::executable() {
  return *impl_->executable;
}

ParameterBlocks& Session::blocks() {
  return impl_->blocks;
}

void Session::writeSinks(int frame, int slot) {
  if (impl_->tiled && impl_->tiled->hasStopped(slot))
    return;
  impl_->forFiles(NodeKind::sink, slot, [&](NodeId id) {
    impl_->write(id, frame, slot, {});
    impl_->lookAt(id, frame, slot);
  });
  for (const NodeId id : impl_->nodesOf(NodeKind::sink))
    if (impl_->isInRows(id, slot))
      impl_->lookAt(id, frame, slot);
  impl_->held[impl_->indexOf(slot)].close();
}

void Session::warnOfValues() {
  if (const std::string text = impl_->notFinite.text(); !text.empty())
    impl_->warn(Severity::warning, text);
}

void Session::compute(int frame) {
  submit(frame, 0, !impl_->hasRun, vk::Timed::no);
  wait(0);
}

vk::Timings Session::time(int frame, bool perPass) {
  submit(frame, 0, !impl_->hasRun, perPass ? vk::Timed::perPass : vk::Timed::total);
  return wait(0);
}

void Session::run(int frame) {
  upload(frame);
  compute(frame);
  writeSinks(frame);
  warnOfValues();
}

Table<PassId, std::vector<vk::ShaderStatistic>> Session::shaderStatistics() const {
  return impl_->executable->shaderStatistics();
}

const FrameGraph& Session::schedule() const {
  return impl_->schedule();
}

Profile* Session::profile() const {
  return impl_->profile;
}

std::span<std::byte> Session::uploadMemory(const std::string& valueName, int slot) {
  const PassId pass = impl_->passCarrying(PassKind::upload, valueName);
  return pass ? impl_->hostMemory(pass, slot) : std::span<std::byte>();
}

std::span<const std::byte> Session::downloadMemory(const std::string& valueName, int slot) {
  const PassId pass = impl_->passCarrying(PassKind::download, valueName);
  return pass ? impl_->hostMemory(pass, slot) : std::span<std::byte>();
}

}  // namespace lacuna
