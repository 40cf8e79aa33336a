#include "graph/frame/barriers.h"

#include <algorithm>
#include <set>

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

std::vector<AccessKind> partsOf(AccessKind kind) {
  return kind == AccessKind::readWrite ? std::vector<AccessKind>{AccessKind::read, AccessKind::write}
                                       : std::vector<AccessKind>{kind};
}

// A read or a write that later accesses may have to wait for.
struct Event {
  PassId pass;
  AccessPoint point = AccessPoint::storageBuffer;
  AccessKind kind = AccessKind::read;
  AccessMask ordered = 0;        // later accesses that are ordered after it already
  AccessMask orderedBefore = 0;  // the same before barrier `stamp`, whose hazards don't chain
  int stamp = -1;
};

// A run of bytes that is used by the same resources throughout. Relevant accesses: the last write and the
// reads since; everything older is ordered before those.
using Segment = std::vector<Event>;

std::vector<Access> distinctAccesses(const Pass& pass) {
  std::vector<Access> result;
  for (const Access& access : pass.accesses) {
    auto same = std::ranges::find_if(
        result, [&](const Access& a) { return a.resource == access.resource && a.point == access.point; });
    if (same == result.end())
      result.push_back(access);
    else
      same->kind = join(same->kind, access.kind);
  }
  return result;
}

// The order that passes and hazards make.
class Tracker {
 public:
  explicit Tracker(const FrameGraph& schedule)
      : schedule_(schedule), touched_(schedule.resources.size(), false) {
    makeSegments();
  }

  // The latest access to the resource's bytes that `wanted` must wait for and does not yet.
  const Event* latestUnordered(ResourceId resource, AccessMask wanted) const {
    const Event* latest = nullptr;
    const bool isWrite = (wanted & allWrites) != 0;
    for (int segment : segmentsOf_[resource])
      for (const Event& event : segments_[segment])
        if ((isWrite || writes(event.kind)) && (event.ordered & wanted) == 0 &&
            (latest == nullptr || event.pass > latest->pass))
          latest = &event;
    return latest;
  }

  // A hazard of the barrier with this index, before pass `before`.
  void apply(const Hazard& hazard, PassId before, int index) {
    const AccessMask from = maskOf(hazard.fromPoint, hazard.fromKind);
    const AccessMask to = maskOf(hazard.toPoint, hazard.toKind);
    for (int segment : segmentsOf_[hazard.resource]) {
      for (Event& event : segments_[segment]) {
        if (event.pass >= before)
          continue;
        if (event.stamp != index) {
          event.stamp = index;
          event.orderedBefore = event.ordered;
        }
        if (((maskOf(event.point, event.kind) | event.orderedBefore) & from) != 0)
          event.ordered |= to;
      }
    }
  }

  void record(PassId pass, const Access& access) {
    for (int index : segmentsOf_[access.resource]) {
      Segment& segment = segments_[index];
      if (writes(access.kind))
        segment.erase(std::remove_if(segment.begin(), segment.end(),
                                     [&](const Event& event) { return event.pass != pass; }),
                      segment.end());
      for (AccessKind part : partsOf(access.kind))
        segment.push_back({pass, access.point, part, 0, 0, -1});
    }
  }

  // Whether this is an image's first use in the frame, which is reported once.
  bool startsImage(const Access& access) {
    const Resource& resource = schedule_.resources[access.resource];
    const bool isLasting = resource.persistent || !resource.given.empty();
    if (resource.kind != ResourceKind::image || isLasting || touched_[access.resource])
      return false;
    touched_[access.resource] = true;
    return true;
  }

 private:
  // One segment a resource, for itself, and one for each run of bytes that several share.
  void makeSegments() {
    const size_t count = schedule_.resources.size();
    segmentsOf_.resize(count);
    for (const ResourceId r : segmentsOf_.ids())
      segmentsOf_[r].push_back(static_cast<int>(r.index()));
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
    std::vector<ResourceId> users;
    for (const ResourceId r : schedule_.placements.ids()) {
      const Placement& p = schedule_.placements[r];
      if (p.arena == arena && p.offset <= offset && offset < p.offset + p.bytes)
        users.push_back(r);
    }
    if (users.size() < 2)
      return;
    for (const ResourceId r : users)
      segmentsOf_[r].push_back(static_cast<int>(segments_.size()));
    segments_.emplace_back();
  }

  const FrameGraph& schedule_;
  std::vector<Segment> segments_;
  Table<ResourceId, std::vector<int>> segmentsOf_;
  Table<ResourceId, bool> touched_;  // in this frame
};

class Placer {
 public:
  explicit Placer(FrameGraph& schedule) : schedule_(schedule), tracker_(schedule) {}

  void run() {
    for (const PassId pass : schedule_.passes.ids()) {
      const std::vector<Access> accesses = distinctAccesses(schedule_.passes[pass]);
      for (const Access& access : accesses)
        if (tracker_.startsImage(access))
          startImage(pass, access);
      // Reads first: a write to the same place then needs at most the rest.
      for (AccessKind part : {AccessKind::read, AccessKind::write})
        for (const Access& access : accesses)
          if (part == AccessKind::read ? reads(access.kind) : writes(access.kind))
            waitFor(pass, access, part);
      for (const Access& access : accesses)
        tracker_.record(pass, access);
    }
  }

 private:
  void waitFor(PassId pass, const Access& access, AccessKind part) {
    const AccessMask wanted = maskOf(access.point, part);
    while (const Event* event = tracker_.latestUnordered(access.resource, wanted))
      emit({access.resource, event->pass, event->kind, part, event->point, access.point, false},
           barrierAfter(event->pass, pass));
  }

  // An image's first use waits, and changes its layout, at one place.
  void startImage(PassId pass, const Access& access) {
    const AccessMask wanted = maskOf(access.point, AccessKind::write);
    const Event* latest = tracker_.latestUnordered(access.resource, wanted);
    Barrier& barrier = barrierAfter(latest == nullptr ? PassId{} : latest->pass, pass);
    if (latest == nullptr)
      emit({access.resource, {}, AccessKind::write, access.kind, access.point, access.point, true}, barrier);
    while (const Event* event = tracker_.latestUnordered(access.resource, wanted))
      emit({access.resource, event->pass, event->kind,
            access.kind == AccessKind::read ? AccessKind::readWrite : access.kind, event->point, access.point,
            true},
           barrier);
  }

  // The last barrier where it comes after pass `from`, else a new one before pass `to`.
  Barrier& barrierAfter(PassId from, PassId to) {
    std::vector<Barrier>& barriers = schedule_.barriers;
    if (barriers.empty() || barriers.back().before <= from)
      barriers.push_back({to, {}});
    return barriers.back();
  }

  void emit(const Hazard& hazard, Barrier& barrier) {
    tracker_.apply(hazard, barrier.before, static_cast<int>(schedule_.barriers.size()) - 1);
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

  FrameGraph& schedule_;
  Tracker tracker_;
};

// Whether the barriers order all that must be ordered.
bool suffices(const FrameGraph& schedule) {
  Tracker tracker(schedule);
  size_t next = 0;
  for (const PassId pass : schedule.passes.ids()) {
    for (; next < schedule.barriers.size() && schedule.barriers[next].before == pass; ++next)
      for (const Hazard& hazard : schedule.barriers[next].hazards)
        tracker.apply(hazard, pass, static_cast<int>(next));
    const std::vector<Access> accesses = distinctAccesses(schedule.passes[pass]);
    for (const Access& access : accesses) {
      if (tracker.startsImage(access) &&
          tracker.latestUnordered(access.resource, maskOf(access.point, AccessKind::write)) != nullptr)
        return false;
      for (AccessKind part : partsOf(access.kind))
        if (tracker.latestUnordered(access.resource, maskOf(access.point, part)) != nullptr)
          return false;
    }
    for (const Access& access : accesses)
      tracker.record(pass, access);
  }
  return true;
}

bool shareMemory(const FrameGraph& schedule, ResourceId a, ResourceId b) {
  const Placement& p = schedule.placements[a];
  const Placement& q = schedule.placements[b];
  return a == b || (p.arena == q.arena && p.offset < q.offset + q.bytes && q.offset < p.offset + p.bytes);
}

// Drops waits that follow from the other waits of their barrier. Only waits for the same kind of access to
// the same memory can be merged.
void dropImplied(FrameGraph& schedule) {
  for (Barrier& barrier : schedule.barriers) {
    for (size_t h = 0; h < barrier.hazards.size();) {
      const Hazard hazard = barrier.hazards[h];
      const auto alike = std::ranges::count_if(barrier.hazards, [&](const Hazard& other) {
        return other.toPoint == hazard.toPoint && shareMemory(schedule, other.resource, hazard.resource) &&
               (!hazard.discard || (other.discard && other.resource == hazard.resource));
      });
      const auto place = barrier.hazards.begin() + static_cast<std::ptrdiff_t>(h);
      if (alike > 1) {
        barrier.hazards.erase(place);
        if (suffices(schedule))
          continue;
        barrier.hazards.insert(barrier.hazards.begin() + static_cast<std::ptrdiff_t>(h), hazard);
      }
      ++h;
    }
  }
}

}  // namespace

FrameGraph placeBarriers(FrameGraph schedule) {
  schedule.barriers.clear();
  Placer(schedule).run();
  dropImplied(schedule);
  return schedule;
}

}  // namespace lacuna
