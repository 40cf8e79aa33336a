#include <fmt/format.h>

#include "graph/config/word_list.h"
#include "graph/frame/schedule.h"
#include "graph/schedule/select.h"

namespace lacuna {
namespace {

const std::string& word(PassKind kind) {
  static const WordList<PassKind> words{{"dispatch", PassKind::dispatch},
                                        {"fill", PassKind::fill},
                                        {"upload", PassKind::upload},
                                        {"download", PassKind::download},
                                        {"copy", PassKind::copy}};
  return wordOf(words, kind);
}

const std::string& word(AccessKind kind) {
  static const WordList<AccessKind> words{
      {"read", AccessKind::read}, {"write", AccessKind::write}, {"read/write", AccessKind::readWrite}};
  return wordOf(words, kind);
}

const std::string& word(AccessPoint point) {
  static const WordList<AccessPoint> words{{"buffer", AccessPoint::storageBuffer},
                                           {"sampled", AccessPoint::sampledImage},
                                           {"image", AccessPoint::storageImage},
                                           {"transfer", AccessPoint::transfer},
                                           {"uniform", AccessPoint::uniformBuffer}};
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
  return line;
}

std::string memoryOf(const Schedule& schedule, ResourceId r) {
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

std::string barrierLines(const Schedule& schedule, const Barrier& barrier) {
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

std::string barriersBefore(const Schedule& schedule, PassId pass) {
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

// `placed`: the same passes with their memory and barriers; null if they have none yet.
std::string lines(const Passes& passes, const Schedule* placed) {
  std::string text;
  for (const ResourceId r : passes.resources.ids())
    text += resourceLine(passes.resources[r], r) + (placed ? memoryOf(*placed, r) : "") + "\n";
  for (const PassId pass : passes.passes.ids())
    text += (placed ? barriersBefore(*placed, pass) : "") + passLines(passes, pass);
  text += placed ? barriersBefore(*placed, passes.passes.next()) : "";
  for (const Swap& swap : passes.swaps)
    text += swapLine(passes, swap);
  return text;
}

}  // namespace

std::string print(const FramePasses& passes) {
  return lines(passes, nullptr);
}

std::string printPasses(const Schedule& schedule) {
  return lines(schedule, &schedule) + fmt::format("memory {} in arenas, {} without aliasing\n",
                                                  size(schedule.arenaBytes), size(schedule.unaliasedBytes));
}

std::string print(const Schedule& schedule) {
  return print(schedule.choices) + printPasses(schedule);
}

}  // namespace lacuna
