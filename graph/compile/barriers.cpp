#include "graph/compile/barriers.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace lacuna {
namespace {

// A set of (point, read or write), two bits a point.
using AccessMask = uint32_t;
constexpr AccessMask allWrites = 0xAAAAAAAAU;

bool reads(AccessKind kind) {
  return kind != AccessKind::write;
}
bool writes(AccessKind kind) {
  return kind != AccessKind::read;
}

AccessMask maskOf(AccessPoint point, AccessKind kind) {
  const auto shift = 2U * static_cast<unsigned>(point);
  return ((reads(kind) ? 1U : 0U) | (writes(kind) ? 2U : 0U)) << shift;
}

AccessKind join(AccessKind a, AccessKind b) {
  return a == b ? a : AccessKind::readWrite;
}

// An access that later ones may have to wait for.
struct Event {
  int pass = -1;
  AccessPoint point = AccessPoint::storageBuffer;
  AccessKind kind = AccessKind::read;
  AccessMask ordered = 0;        // later accesses that are ordered after it already
  AccessMask orderedBefore = 0;  // the same before barrier `stamp`, whose hazards don't chain
  int stamp = -1;
};

// A run of bytes that is used by the same resources throughout. What matters of its past: the last
// write and the reads since; everything older is ordered before those.
using Segment = std::vector<Event>;

class Placer {
 public:
  explicit Placer(Schedule& schedule) : schedule_(schedule), touched_(schedule.resources.size(), false) {
    makeSegments();
  }

  void run() {
    for (size_t pass = 0; pass < schedule_.passes.size(); ++pass) {
      const std::vector<Access> accesses = distinctAccesses(schedule_.passes[pass]);
      for (const Access& access : accesses)
        startImage(static_cast<int>(pass), access);
      // Reads first: a write to the same place then needs at most the rest.
      for (AccessKind part : {AccessKind::read, AccessKind::write})
        for (const Access& access : accesses)
          if (part == AccessKind::read ? reads(access.kind) : writes(access.kind))
            waitFor(static_cast<int>(pass), access, part);
      for (const Access& access : accesses)
        record(static_cast<int>(pass), access);
    }
  }

 private:
  static std::vector<Access> distinctAccesses(const Pass& pass) {
    std::vector<Access> result;
    for (const Access& access : pass.accesses) {
      auto same = std::find_if(result.begin(), result.end(), [&](const Access& a) {
        return a.resource == access.resource && a.point == access.point;
      });
      if (same == result.end())
        result.push_back(access);
      else
        same->kind = join(same->kind, access.kind);
    }
    return result;
  }

  // One segment a resource, for itself, and one for each run of bytes that several share.
  void makeSegments() {
    const size_t count = schedule_.resources.size();
    segmentsOf_.resize(count);
    for (size_t r = 0; r < count; ++r)
      segmentsOf_[r].push_back(static_cast<int>(r));
    segments_.resize(count);
    std::map<int, std::set<uint64_t>> cuts;  // by arena
    for (const Placement& p : schedule_.placements)
      if (p.bytes > 0)
        cuts[p.arena].insert({p.offset, p.offset + p.bytes});
    for (const auto& [arena, offsets] : cuts)
      for (uint64_t offset : offsets)
        addSharedSegment(arena, offset);
  }

  void addSharedSegment(int arena, uint64_t offset) {
    std::vector<int> users;
    for (size_t r = 0; r < schedule_.placements.size(); ++r) {
      const Placement& p = schedule_.placements[r];
      if (p.arena == arena && p.offset <= offset && offset < p.offset + p.bytes)
        users.push_back(static_cast<int>(r));
    }
    if (users.size() < 2)
      return;
    for (int r : users)
      segmentsOf_[r].push_back(static_cast<int>(segments_.size()));
    segments_.emplace_back();
  }

  // The latest access to the resource's bytes that `wanted` must wait for and does not yet.
  const Event* latestUnordered(int resource, AccessMask wanted) const {
    const Event* latest = nullptr;
    const bool isWrite = (wanted & allWrites) != 0;
    for (int segment : segmentsOf_[resource])
      for (const Event& event : segments_[segment])
        if ((isWrite || writes(event.kind)) && (event.ordered & wanted) == 0 &&
            (latest == nullptr || event.pass > latest->pass))
          latest = &event;
    return latest;
  }

  void waitFor(int pass, const Access& access, AccessKind part) {
    const AccessMask wanted = maskOf(access.point, part);
    while (const Event* event = latestUnordered(access.resource, wanted))
      emit({access.resource, event->pass, event->kind, part, event->point, access.point, false},
           barrierAfter(event->pass, pass));
  }

  // An image's first use in a frame: what it waits for and its transition stand at one place.
  void startImage(int pass, const Access& access) {
    const Resource& resource = schedule_.resources[access.resource];
    if (resource.kind != ResourceKind::image || resource.persistent || touched_[access.resource])
      return;
    touched_[access.resource] = true;
    const AccessMask wanted = maskOf(access.point, AccessKind::write);
    const Event* latest = latestUnordered(access.resource, wanted);
    Barrier& barrier = barrierAfter(latest == nullptr ? -1 : latest->pass, pass);
    if (latest == nullptr)
      emit({access.resource, -1, AccessKind::write, access.kind, access.point, access.point, true}, barrier);
    while (const Event* event = latestUnordered(access.resource, wanted))
      emit({access.resource, event->pass, event->kind,
            access.kind == AccessKind::read ? AccessKind::readWrite : access.kind, event->point, access.point,
            true},
           barrier);
  }

  // The last barrier where it comes after pass `from`, else a new one before pass `to`.
  Barrier& barrierAfter(int from, int to) {
    std::vector<Barrier>& barriers = schedule_.barriers;
    if (barriers.empty() || barriers.back().before <= from)
      barriers.push_back({to, {}});
    return barriers.back();
  }

  void emit(const Hazard& hazard, Barrier& barrier) {
    apply(hazard, barrier);
    for (Hazard& other : barrier.hazards) {
      if (other.resource == hazard.resource && other.fromPoint == hazard.fromPoint &&
          other.toPoint == hazard.toPoint && other.discard == hazard.discard) {
        other.from = std::max(other.from, hazard.from);
        other.fromKind = join(other.fromKind, hazard.fromKind);
        other.toKind = join(other.toKind, hazard.toKind);
        return;
      }
    }
    barrier.hazards.push_back(hazard);
  }

  void apply(const Hazard& hazard, const Barrier& barrier) {
    const AccessMask from = maskOf(hazard.fromPoint, hazard.fromKind);
    const AccessMask to = maskOf(hazard.toPoint, hazard.toKind);
    const int index = static_cast<int>(schedule_.barriers.size()) - 1;
    for (int segment : segmentsOf_[hazard.resource]) {
      for (Event& event : segments_[segment]) {
        if (event.pass >= barrier.before)
          continue;
        if (event.stamp != index) {
          event.stamp = index;
          event.orderedBefore = event.ordered;
        }
        const AccessMask own = maskOf(event.point, event.kind);
        if ((own & ~from) == 0 || (event.orderedBefore & from) != 0)
          event.ordered |= to;
      }
    }
  }

  void record(int pass, const Access& access) {
    for (int index : segmentsOf_[access.resource]) {
      Segment& segment = segments_[index];
      if (writes(access.kind))
        segment.erase(std::remove_if(segment.begin(), segment.end(),
                                     [&](const Event& event) { return event.pass != pass; }),
                      segment.end());
      segment.push_back({pass, access.point, access.kind, 0, 0, -1});
    }
  }

  Schedule& schedule_;
  std::vector<Segment> segments_;
  std::vector<std::vector<int>> segmentsOf_;  // by resource
  std::vector<bool> touched_;                 // by resource, in this frame
};

}  // namespace

Schedule placeBarriers(Schedule schedule) {
  schedule.barriers.clear();
  Placer(schedule).run();
  return schedule;
}

}  // namespace lacuna
