#include "graph/frame/in_tiles.h"

#include <algorithm>

#include "graph/frame/sweeps.h"

namespace lacuna {

FramePasses inTiles(FramePasses passes, const Tiles& tiles) {
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
           {tiles.whole.width, tiles.whole.height, tiles.extent.width, tiles.extent.height}) {
        pass.pushConstants.push_back(static_cast<int32_t>(side));
      }
      pass.pushConstants.resize(pass.pushConstants.size() + tileWords);
    }
    for (Role& role : pass.roles) {
      role.whole = pass.inTiles && isOfPreviousFrame(role);
    }
    if (gathers(passes, pass) || isOfPicture(passes, pass)) {
      for (const Access& access : pass.accesses) {
        Resource& resource = passes.resources[access.resource];
        resource.persistent = resource.persistent || access.kind != AccessKind::read;
      }
    }
  }
  return passes;
}

}  // namespace lacuna
