#include "graph/families/tile_threads.h"

#include "graph/config/text.h"

namespace lacuna {

void declareTile(const StencilUse& use, const SharedTile& tile, uint32_t width, uint32_t height,
                 ThreadMapping& m) {
  std::string inside = "clamp(p, ivec2(0), push.extent - 1)";
  if (use.mirrors() || use.mapsBorder()) {
    const std::string name = use.mirrors() ? "reflected" : "borderAt";
    m.includes.push_back(name);
    inside = fill("ivec2($f(p.x, push.extent.x), $f(p.y, push.extent.y))", {{"f", name}});
  }
  m.declarations += fill(R"(const int TILE = $tile;
const int CELLS = $cells;
ivec2 tileOrigin() { return ivec2(gl_WorkGroupID.xy) * ivec2($w, $h); }
ivec2 cellAt(int cell) {
  int row = cell / $columns;
  ivec2 p = tileOrigin() + ivec2(cell - row * $columns, row) - ivec2($rx, $ry);
  return $inside;
}
)",
                         {{"w", std::to_string(width)},
                          {"h", std::to_string(height)},
                          {"tile", std::to_string(tile.stride())},
                          {"columns", tile.padding > 0 ? std::to_string(tile.width) : "TILE"},
                          {"cells", std::to_string(tile.stride() * tile.height)},
                          {"rx", std::to_string(use.haloX())},
                          {"ry", std::to_string(use.haloY())},
                          {"inside", inside}});
}

std::string fillTile(const StencilSchedule& schedule, uint32_t most, uint32_t paddedWidth) {
  const uint32_t threads = schedule.workgroup[0] * schedule.workgroup[1];
  const std::string count = paddedWidth > 0 ? std::to_string(most) : "CELLS";
  const auto placeOf = [&](const std::string& cell) {
    return paddedWidth > 0 ? fill("$i / $width * TILE + $i % $width",
                                  {{"i", cell}, {"width", std::to_string(paddedWidth)}})
                           : cell;
  };
  std::string loads = "  const int i0 = int(gl_LocalInvocationIndex);\n  Words w0 = wordsAt(cellAt(i0));\n";
  std::string fills = "  fillCell(" + placeOf("i0") + ", w0);\n";
  for (uint32_t start = threads; start < most; start += threads) {
    const std::vector<std::pair<std::string, std::string>> values = {
        {"n", std::to_string(start / threads)},
        {"start", std::to_string(start)},
        {"count", count},
        {"place", placeOf("i" + std::to_string(start / threads))},
        {"before", std::to_string(start - threads)}};
    loads += fill(R"(  const int i$n = i0 + (i0 + $start < $count ? $start : $before);
  Words w$n;
  if ($start < $count) { w$n = wordsAt(cellAt(i$n)); }
)",
                  values);
    fills += fill("  if ($start < $count) { fillCell($place, w$n); }\n", values);
  }
  return loads + fills + "  barrier();\n";
}

LevelCost tileCost(const LevelWork& work, double loads, double barriers) {
  LevelCost cost;
  cost.loads = loads;
  cost.sharedReads = (work.taps + 1.0) * work.tapWords;
  cost.sharedWrites = loads * work.tapWords;
  cost.barriers = barriers;
  return cost;
}

}  // namespace lacuna
