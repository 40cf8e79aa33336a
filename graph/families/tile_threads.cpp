#include "graph/families/tile_threads.h"

#include "graph/config/text.h"

namespace lacuna {

std::string fillTile(const StencilSchedule& schedule, uint32_t most) {
  const uint32_t threads = schedule.workgroup[0] * schedule.workgroup[1];
  std::string loads = "  const int i0 = int(gl_LocalInvocationIndex);\n  Words w0 = wordsAt(cellAt(i0));\n";
  std::string fills = "  fillCell(i0, w0);\n";
  for (uint32_t start = threads; start < most; start += threads) {
    const std::vector<std::pair<std::string, std::string>> values = {
        {"n", std::to_string(start / threads)},
        {"start", std::to_string(start)},
        {"before", std::to_string(start - threads)}};
    loads += fill(R"(  const int i$n = i0 + (i0 + $start < CELLS ? $start : $before);
  Words w$n;
  if ($start < CELLS) { w$n = wordsAt(cellAt(i$n)); }
)",
                  values);
    fills += fill("  if ($start < CELLS) { fillCell(i$n, w$n); }\n", values);
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
