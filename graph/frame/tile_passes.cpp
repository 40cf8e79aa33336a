#include "graph/frame/tile_passes.h"

#include <algorithm>

namespace lacuna {

FrameGraph inTiles(FrameGraph passes, const Tiles& tiles) {
  passes.tiles = tiles;
  for (Pass& pass : passes.passes) {
    const auto isOfPreviousFrame = [&](const Role& role) {
      const ValueId value = passes.resources[role.resources.front()].value;
      return value && passes.graph.values[value].feedback;
    };
    pass.inTiles = std::ranges::any_of(
        pass.roles, [&](const Role& role) { return !role.type.isArray() && !isOfPreviousFrame(role); });
    if (pass.inTiles) {
      pass.pushConstants.resize(3);
      for (const uint32_t side :
           {tiles.whole.width, tiles.whole.height, tiles.extent.width, tiles.extent.height})
        pass.pushConstants.push_back(static_cast<int32_t>(side));
      pass.pushConstants.resize(pass.pushConstants.size() + tileWords);
    }
    for (Role& role : pass.roles)
      role.whole = pass.inTiles && isOfPreviousFrame(role);
    if (gathers(passes, pass) || isOfPicture(passes, pass)) {
      for (const Access& access : pass.accesses) {
        Resource& resource = passes.resources[access.resource];
        resource.persistent = resource.persistent || access.kind != AccessKind::read;
      }
    }
  }
  return passes;
}

namespace {

bool writes(const Access& access) {
  return access.kind != AccessKind::read;
}

// Whether it is an array of the whole picture, or an image of the previous frame.
bool holdsPicture(const Passes& passes, const Role& role) {
  const ValueId value = passes.resources[role.resources.front()].value;
  return value ? passes.graph.values[value].feedback ||
                     (role.type.isArray() && !passes.graph.values[value].tile)
               : role.type.isArray();
}

class SweepFinder {
 public:
  explicit SweepFinder(const FrameGraph& schedule)
      : schedule_(schedule),
        known_(schedule.resources.size(), 0),
        gathered_(schedule.resources.size(), false),
        sweepOf_(schedule.passes.size(), 0),
        swapped_(schedule.resources.size(), false) {
    for (const Swap& swap : schedule.swaps)
      swapped_[swap.now] = true;
    for (const Pass& pass : schedule.passes) {
      for (const Access& access : pass.accesses)
        if (gathers(schedule, pass) && writes(access))
          gathered_[access.resource] = true;
    }
    for (const PassId id : schedule.passes.ids())
      findSweep(id);
  }

  std::vector<Sweep> sweeps(bool isWritten) const {
    const int last = *std::ranges::max_element(sweepOf_);
    std::vector<Sweep> all;
    for (int sweep = 0; sweep <= last; ++sweep)
      all.push_back(sweepAt(sweep, sweep == last, isWritten));
    return all;
  }

 private:
  // The first sweep in which a pass has all that it reads.
  void findSweep(PassId id) {
    const Pass& pass = schedule_.passes[id];
    int sweep = 0;
    for (const Access& access : pass.accesses) {
      const bool isOwn = access.kind == AccessKind::readWrite && gathers(schedule_, pass);
      sweep = std::max(sweep, access.kind == AccessKind::write || isOwn ? 0 : known_[access.resource]);
    }
    sweepOf_[id] = sweep;
    for (const Access& access : pass.accesses) {
      if (writes(access)) {
        known_[access.resource] =
            std::max(known_[access.resource], sweep + (gathers(schedule_, pass) ? 1 : 0));
      }
    }
  }

  bool clearsGathered(const Pass& pass) const {
    return pass.kind == PassKind::fill && gathered_[pass.accesses.front().resource];
  }

  // From the sweep's goals back to all passes that make their inputs.
  Sweep sweepAt(int number, bool isLast, bool isWritten) const {
    Sweep sweep(schedule_.passes.size(), InSweep::never);
    Table<ResourceId, bool> needed(schedule_.resources.size(), false);
    for (size_t i = schedule_.passes.size(); i-- > 0;) {
      const PassId id(i);
      const Pass& pass = schedule_.passes[id];
      const bool isEnd = pass.kind == PassKind::copy || (pass.kind == PassKind::download && isWritten) ||
                         std::ranges::any_of(pass.accesses, [&](const Access& access) {
                           return writes(access) && swapped_[access.resource];
                         });
      const bool isGoal = gathers(schedule_, pass) ? sweepOf_[id] == number : isLast && isEnd;
      const bool isNeeded = std::ranges::any_of(pass.accesses, [&](const Access& access) {
        return writes(access) && needed[access.resource] && !gathered_[access.resource];
      });
      const bool clears = clearsGathered(pass) && needed[pass.accesses.front().resource];
      if (clears) {
        sweep[id] = InSweep::firstTile;
      } else if (isGoal || isNeeded) {
        sweep[id] = isOfPicture(schedule_, pass) ? InSweep::firstTile : InSweep::everyTile;
        for (const Access& access : pass.accesses) {
          // A goal's own array is cleared before its sweep; other arrays are complete by then.
          const bool isOwn = isGoal && writes(access);
          needed[access.resource] = needed[access.resource] || !gathered_[access.resource] || isOwn;
        }
      }
    }
    return sweep;
  }

  const FrameGraph& schedule_;
  Table<ResourceId, int> known_;      // the first sweep that can read it
  Table<ResourceId, bool> gathered_;  // written by passes that gather
  Table<PassId, int> sweepOf_;
  Table<ResourceId, bool> swapped_;  // what the next frame reads
};

}  // namespace

bool isOfPicture(const Passes& passes, const Pass& pass) {
  return passes.tiles &&
         (pass.kind == PassKind::fill ? passes.resources[pass.accesses.front().resource].persistent
                                      : (pass.kind == PassKind::dispatch || pass.kind == PassKind::host) &&
                                            std::ranges::all_of(pass.roles, [&](const Role& role) {
                                              return holdsPicture(passes, role);
                                            }));
}

bool gathers(const Passes& passes, const Pass& pass) {
  const bool isFilter =
      pass.shader.kind == ShaderKind::histogramCount || pass.shader.kind == ShaderKind::kernel;
  return passes.tiles && pass.kind == PassKind::dispatch && pass.inTiles && isFilter &&
         std::ranges::any_of(pass.roles, [&](const Role& role) {
           return role.kind != AccessKind::read && holdsPicture(passes, role);
         });
}

std::vector<Sweep> sweepsOf(const FrameGraph& schedule, bool isWritten) {
  return SweepFinder(schedule).sweeps(isWritten);
}

}  // namespace lacuna
