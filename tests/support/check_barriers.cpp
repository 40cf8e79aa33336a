// Interval by interval: memory is cut where any resource starts or ends, and each piece is followed
// through two frames on its own, comparing every access with all earlier ones.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <map>
#include <set>

#include "tests/support/check_barriers.h"

namespace lacuna {
namespace {

// One side of a conflict, as in Vulkan's stage and access masks.
struct Use {
  AccessPoint point = AccessPoint::storageBuffer;
  bool write = false;
  size_t bit() const { return 2 * static_cast<size_t>(point) + (write ? 1 : 0); }
};
using Uses = std::bitset<12>;

std::vector<Use> usesOf(AccessPoint point, AccessKind kind) {
  std::vector<Use> uses;
  if (kind != AccessKind::write)
    uses.push_back({point, false});
  if (kind != AccessKind::read)
    uses.push_back({point, true});
  return uses;
}

Uses setOf(AccessPoint point, AccessKind kind) {
  Uses uses;
  for (const Use& use : usesOf(point, kind))
    uses.set(use.bit());
  return uses;
}

struct Touch {
  int frame = 0;
  PassId pass;
  ResourceId resource;
  Use use;
  Uses happensBefore;  // every later use of these kinds comes after this access
};

std::string_view nameOf(AccessPoint point) {
  switch (point) {
    case AccessPoint::storageBuffer:
      return "storage buffer";
    case AccessPoint::sampledImage:
      return "sampled image";
    case AccessPoint::storageImage:
      return "storage image";
    case AccessPoint::transfer:
      return "transfer";
    case AccessPoint::uniformBuffer:
      return "uniform buffer";
    case AccessPoint::host:
      return "host";
  }
  return "?";
}

class Interval {
 public:
  Interval(const std::array<const FrameGraph*, 2>& frames, std::set<ResourceId> resources,
           std::vector<std::string>& violations)
      : frames_(frames), resources_(std::move(resources)), violations_(violations) {}

  void check() {
    for (frame_ = 0; frame_ < 2; ++frame_) {
      used_.clear();
      discarded_.clear();
      for (const PassId pass : schedule().passes.ids()) {
        waitBefore(pass);
        run(pass);
      }
      waitBefore(schedule().passes.next());
      orderFrames();
    }
  }

 private:
  void say(std::string line) {
    if (std::find(violations_.begin(), violations_.end(), line) == violations_.end())
      violations_.push_back(std::move(line));
  }
  const FrameGraph& schedule() const { return *frames_[static_cast<size_t>(frame_)]; }
  const std::string& passName(PassId pass) const { return schedule().passes[pass].name; }
  const std::string& name(ResourceId resource) const { return schedule().resources[resource].name; }
  std::string text(const Touch& a) const {
    return fmt::format("{} {} of '{}' in pass {} '{}'", nameOf(a.use.point), a.use.write ? "write" : "read",
                       name(a.resource), a.pass.index(), passName(a.pass));
  }

  void waitBefore(PassId pass) {
    for (const Barrier& barrier : schedule().barriers)
      if (barrier.before == pass)
        wait(barrier);
  }

  // The hazards of one barrier act at once, so none continues another.
  void wait(const Barrier& barrier) {
    std::vector<Touch> after = history_;
    for (const Hazard& hazard : barrier.hazards) {
      if (resources_.count(hazard.resource) == 0)
        continue;
      const Uses from = setOf(hazard.fromPoint, hazard.fromKind);
      const Uses to = setOf(hazard.toPoint, hazard.toKind);
      for (size_t i = 0; i < history_.size(); ++i)
        if (from[history_[i].use.bit()] || (history_[i].happensBefore & from).any())
          after[i].happensBefore |= to;
    }
    history_ = std::move(after);
    for (const Hazard& hazard : barrier.hazards)
      if (hazard.discard && resources_.count(hazard.resource) > 0)
        discard(hazard, barrier.before);
  }

  // A layout transition writes the memory, after the accesses that it waits for and before those that wait
  // for it.
  void discard(const Hazard& hazard, PassId before) {
    if (used_.count(hazard.resource) > 0)
      say(fmt::format("'{}' is discarded before pass {} but in use since before", name(hazard.resource),
                      before.index()));
    const Use transition{hazard.toPoint, true};
    for (const Touch& earlier : history_)
      if (!earlier.happensBefore[transition.bit()])
        say(fmt::format("the discard of '{}' before pass {} does not wait for the {}", name(hazard.resource),
                        before.index(), text(earlier)));
    discarded_[hazard.resource] |= setOf(hazard.toPoint, hazard.toKind);
  }

  void run(PassId pass) {
    std::vector<Touch> now;
    for (const Access& access : schedule().passes[pass].accesses)
      if (resources_.count(access.resource) > 0)
        for (const Use& use : usesOf(access.point, access.kind))
          now.push_back({frame_, pass, access.resource, use, {}});
    for (const Touch& access : now) {
      checkOrdered(access);
      if (!access.use.write)
        checkWritten(access);
      checkDiscarded(access);
      for (const Touch& other : now)
        if (other.resource < access.resource && (other.use.write || access.use.write))
          say(fmt::format("pass {} '{}' uses '{}' and '{}', which share memory", pass.index(), passName(pass),
                          name(other.resource), name(access.resource)));
    }
    for (const Touch& access : now) {
      used_.insert(access.resource);
      history_.push_back(access);
    }
  }

  void checkOrdered(const Touch& access) {
    for (const Touch& earlier : history_)
      if ((earlier.use.write || access.use.write) && !earlier.happensBefore[access.use.bit()])
        say(fmt::format("the {} does not wait for the {}", text(access), text(earlier)));
  }

  void checkWritten(const Touch& read) {
    const bool persistent = schedule().resources[read.resource].persistent;
    auto write = std::find_if(history_.rbegin(), history_.rend(), [](const Touch& a) { return a.use.write; });
    if (write == history_.rend()
            ? persistent
            : write->resource == read.resource && (persistent || write->frame == read.frame))
      return;
    say(fmt::format("the {} finds what {} wrote", text(read),
                    write == history_.rend() || write->frame != read.frame
                        ? std::string("nobody")
                        : "'" + name(write->resource) + "'"));
  }

  void checkDiscarded(const Touch& access) {
    const Resource& resource = schedule().resources[access.resource];
    if (resource.kind != ResourceKind::image || resource.persistent || used_.count(access.resource) > 0)
      return;
    auto uses = discarded_.find(access.resource);
    if (uses == discarded_.end() || !uses->second[access.use.bit()])
      say(fmt::format("the {} comes without a discard", text(access)));
  }

  // The recorder's promise between frames.
  void orderFrames() {
    for (Touch& access : history_)
      access.happensBefore.set();
  }

  std::array<const FrameGraph*, 2> frames_;
  std::set<ResourceId> resources_;  // that hold these bytes
  std::vector<std::string>& violations_;
  int frame_ = 0;
  std::vector<Touch> history_;
  std::set<ResourceId> used_;             // in this frame
  std::map<ResourceId, Uses> discarded_;  // in this frame: first uses that wait for the transition
};

// Sets of resources that share bytes; each set once.
std::set<std::set<ResourceId>> intervals(const FrameGraph& schedule) {
  std::map<int, std::set<uint64_t>> starts;
  for (const Placement& placement : schedule.placements)
    starts[placement.arena].insert({placement.offset, placement.offset + placement.bytes});
  std::set<std::set<ResourceId>> result;
  for (const auto& [arena, offsets] : starts) {
    for (uint64_t offset : offsets) {
      std::set<ResourceId> resources;
      for (const ResourceId r : schedule.placements.ids()) {
        const Placement& p = schedule.placements[r];
        if (p.arena == arena && offset >= p.offset && offset - p.offset < p.bytes)
          resources.insert(r);
      }
      if (!resources.empty())
        result.insert(std::move(resources));
    }
  }
  return result;
}

}  // namespace

std::vector<std::string> checkBarriers(const FrameGraph& schedule) {
  return checkBarriers(schedule, schedule);
}

std::vector<std::string> checkBarriers(const FrameGraph& first, const FrameGraph& second) {
  std::vector<std::string> violations;
  std::set<ResourceId> missing;
  for (const FrameGraph* frame : {&first, &second})
    for (const Pass& pass : frame->passes)
      for (const Access& access : pass.accesses)
        if (access.resource.index() >= first.placements.size() ||
            first.placements[access.resource].bytes == 0)
          missing.insert(access.resource);
  for (const ResourceId resource : missing)
    violations.push_back(fmt::format("'{}' is used but has no memory", first.resources[resource].name));
  for (const std::set<ResourceId>& resources : intervals(first))
    Interval({&first, &second}, resources, violations).check();
  return violations;
}

}  // namespace lacuna
