#include <fmt/format.h>

#include "graph/config/word_list.h"
#include "graph/frame/frame_graph.h"
#include "graph/schedule/select.h"

namespace lacuna {
namespace {

const std::string& word(PassKind kind) {
  static const WordList<PassKind> words{{"dispatch", PassKind::dispatch}, {"fill", PassKind::fill},
                                        {"upload", PassKind::upload},     {"download", PassKind::download},
                                        {"copy", PassKind::copy},         {"handover", PassKind::handover},
                                        {"host", PassKind::host}};
  return wordOf(words, kind);
}

const std::string& word(AccessKind kind) {
  static const WordList<AccessKind> words{
      {"read", AccessKind::read}, {"write", AccessKind::write}, {"read/write", AccessKind::readWrite}};
  return wordOf(words, kind);
}

const std::string& word(AccessPoint point) {
  static const WordList<AccessPoint> words{
      {"buffer", AccessPoint::storageBuffer},  {"sampled", AccessPoint::sampledImage},
      {"image", AccessPoint::storageImage},    {"transfer", AccessPoint::transfer},
      {"uniform", AccessPoint::uniformBuffer}, {"host", AccessPoint::host}};
  return wordOf(words, point);
}

std::string size(uint64_t bytes) {
  return bytes < 10UL * 1024 ? fmt::format("{} B", bytes)
                             : fmt::format("{:.1f} KiB", static_cast<double>(bytes) / 1024.0);
}

std::string resourceLine(const Resource& resource, ResourceId r) {
  std::string line = fmt::format("resource {} '{}'", r.index(), resource.name);
  if (resource.kind == ResourceKind::image)
    line += fmt::format(" image {} {}x{}", name(resource.imageFormat), resource.width, resource.height);
  else
    line += " buffer";
  line += " " + size(resource.bytes);
  if (resource.permutation > 0)
    line += fmt::format(" permuted {}{}{}", resource.permutation,
                        resource.embedding.order == SubimageOrder::localSubdivision ? " local" : "",
                        resource.embedding.mirrored ? " mirrored" : "");
  if (resource.persistent)
    line += " persistent";
  if (resource.byAddress)
    line += " by address";
  if (resource.isHost)
    line += " of the host";
  return line;
}

std::string memoryOf(const FrameGraph& schedule, ResourceId r) {
  const Lifetime life = schedule.lifetimes[r];
  std::string text =
      life.first ? fmt::format(" passes {}-{}", life.first.index(), life.last.index()) : " unused";
  if (schedule.placements[r].bytes > 0)
    text += fmt::format(" at {} of arena {}", schedule.placements[r].offset, schedule.placements[r].arena);
  return text;
}

std::string swapLine(const Passes& passes, const Swap& swap) {
  return fmt::format("'{}' and '{}' change places after the frame\n", passes.resources[swap.now].name,
                     passes.resources[swap.last].name);
}

std::string barrierLines(const FrameGraph& schedule, const Barrier& barrier) {
  std::string text = fmt::format("  barrier: {}\n", barrier.hazards.size() == 1
                                                        ? std::string("1 hazard")
                                                        : fmt::format("{} hazards", barrier.hazards.size()));
  for (const Hazard& hazard : barrier.hazards)
    text += fmt::format("    '{}' {} {} of {} -> {} {}{}\n", schedule.resources[hazard.resource].name,
                        word(hazard.fromPoint), word(hazard.fromKind),
                        hazard.from ? fmt::format("pass {}", hazard.from.index()) : "nothing",
                        word(hazard.toPoint), word(hazard.toKind), hazard.discard ? ", discard" : "");
  return text;
}

std::string barriersBefore(const FrameGraph& schedule, PassId pass) {
  std::string text;
  for (const Barrier& barrier : schedule.barriers)
    if (barrier.before == pass)
      text += barrierLines(schedule, barrier);
  return text;
}

std::string passLines(const Passes& passes, PassId id) {
  const Pass& pass = passes.passes[id];
  std::string text = fmt::format("pass {} '{}' {}", id.index(), pass.name, word(pass.kind));
  if (pass.kind == PassKind::dispatch)
    text += fmt::format(" {}x{}x{}", pass.groups[0], pass.groups[1], pass.groups[2]);
  if (pass.bytesRead + pass.bytesWritten > 0)
    text += fmt::format(", reads {}, writes {}", size(pass.bytesRead), size(pass.bytesWritten));
  if (pass.sharedBytes > 0)
    text += fmt::format(", shared {}", size(pass.sharedBytes));
  text += "\n";
  for (const Access& access : pass.accesses)
    text += fmt::format("    {} {} '{}'\n", word(access.point), word(access.kind),
                        passes.resources[access.resource].name);
  return text;
}

}  // namespace

std::string printPasses(const FrameGraph& graph) {
  const bool isPlaced = !graph.arenas.empty();
  std::string text;
  for (const ResourceId r : graph.resources.ids())
    text += resourceLine(graph.resources[r], r) + (isPlaced ? memoryOf(graph, r) : "") + "\n";
  for (const PassId pass : graph.passes.ids())
    text += barriersBefore(graph, pass) + passLines(graph, pass);
  text += barriersBefore(graph, graph.passes.next());
  for (const Swap& swap : graph.swaps)
    text += swapLine(graph, swap);
  return !isPlaced ? text
                   : text + fmt::format("memory {} in arenas, {} without aliasing\n", size(graph.arenaBytes),
                                        size(graph.unaliasedBytes));
}

std::string print(const FrameGraph& graph) {
  return (graph.arenas.empty() ? "" : print(graph.choices)) + printPasses(graph);
}

}  // namespace lacuna
