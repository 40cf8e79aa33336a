#pragma once
// The end of the stages: the passes of a frame in their order, with their memory and barriers, as plain data,
// which graph/vk records.

#include <cstdint>
#include <string>
#include <vector>

#include "graph/passes/pass.h"
#include "graph/schedule/candidate.h"

namespace lacuna {

struct Lifetime {
  PassId first, last;  // inclusive; none if never used
};

struct Placement {
  uint64_t offset = 0, bytes = 0, alignment = 1;
  int arena = 0;  // buffers and images may need different memory types
};

// Memory that is allocated together.
struct ArenaKind {
  uint32_t memoryTypes = ~0U;  // of the device, a bit each: those that all of its resources may use
  uint64_t chunk = 0;          // bytes of one allocation: nothing crosses a multiple of it. 0: one holds all
  bool isHost = false;         // of the machine, mapped (Resource::isHost)
};

// Between two passes: the accesses to wait for before `before` runs.
struct Hazard {
  ResourceId resource;
  PassId from;  // the pass to wait for; none if no pass of this frame
  AccessKind fromKind = AccessKind::write, toKind = AccessKind::read;
  AccessPoint fromPoint = AccessPoint::storageBuffer, toPoint = AccessPoint::storageBuffer;
  bool discard = false;  // an image's first use in its memory: contents undefined before
};

struct Barrier {
  PassId before;  // passes.next(): at the end of the frame
  std::vector<Hazard> hazards;
};

// layout() makes the passes and order() arranges them; place() adds their memory and what they wait for.
// graph/vk records them.
struct FrameGraph : Passes {
  std::vector<FilterChoice> choices = {};
  Table<ResourceId, Lifetime> lifetimes = {};
  Table<ResourceId, Placement> placements = {};
  std::vector<ArenaKind> arenas = {};  // by Placement::arena
  uint64_t arenaBytes = 0, unaliasedBytes = 0;
  uint64_t largestLiveBytes = 0;  // of all passes: no plan can take less
  PassId largestLivePass = {};
  std::vector<Barrier> barriers = {};  // ascending
};

std::string print(const FrameGraph& graph);
std::string printPasses(const FrameGraph& graph);  // the same without the choices

}  // namespace lacuna
