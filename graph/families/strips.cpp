// Windows whose taps have patches (non-local means). A thread filters n neighbours in a row, and for each
// offset adds up its own row of the patches; those of the rows above and below come from its neighbours,
// through shared memory. So the threads of `patch` rows at either end of a workgroup add up, but filter
// nothing. Ours.

#include <algorithm>

#include "graph/config/text.h"
#include "graph/families/family.h"
#include "graph/families/threads.h"
#include "graph/values/image_type.h"

namespace lacuna {
namespace {

class Strips : public StencilFamily {
 public:
  std::string_view name() const override { return "strips"; }
  std::span<const FamilyShape> shapes() const override {
    static constexpr std::array<FamilyShape, 1> all = {{{"strips8", 8, 1, 1, {64, 2}, {32, 4}, true}}};
    return all;
  }
  bool shares() const override { return true; }
  bool sharesPatches() const override { return true; }
  bool maySplitBorders() const override { return false; }

  std::array<uint32_t, 3> groups(const StencilUse& use, Extent extent, int) const override {
    return {divideUp(extent.width, columns(use)), divideUp(extent.height, std::max(1U, lines(use))), 1};
  }
  // An odd number of cells a row: a subgroup's threads, which lie in a column, then read from different
  // banks.
  SharedTile tile(const StencilUse& use) const override {
    return sharedTile(use, (columns(use) + 2U * static_cast<uint32_t>(use.haloX())) | 1U,
                      use.schedule.workgroup[0] + 2U * static_cast<uint32_t>(use.radiusY()));
  }
  uint32_t sharedBytes(const StencilUse& use) const override {
    const uint32_t sums = 2 * columns(use) * use.schedule.workgroup[0];
    return tile(use).bytes + sums * static_cast<uint32_t>(sizeof(float));
  }
  double differences(const StencilUse& use) const override {
    const double pixels = use.schedule.columns;
    return (pixels + 2.0 * use.node.patch) / pixels * use.schedule.workgroup[0] / std::max(1U, lines(use));
  }
  LevelCost cost(const StencilUse& use, const LevelWork& work) const override {
    const SharedTile cells = tile(use);
    const double taps = use.width() * use.height();
    LevelCost cost;
    cost.loads = static_cast<double>(cells.width) * cells.height / (columns(use) * std::max(1U, lines(use)));
    cost.sharedReads = taps * (differences(use) * work.tapWords + 2.0 * use.node.patch + 1.0);
    cost.sharedWrites = cost.loads * work.tapWords + taps;
    cost.barriers = 1.0 + taps / use.schedule.columns;
    return cost;
  }
  ThreadMapping threads(const StencilUse& use, int) const override;

 private:
  // The columns of a workgroup's pixels.
  static uint32_t columns(const StencilUse& use) {
    return use.schedule.workgroup[1] * static_cast<uint32_t>(use.schedule.columns);
  }
  static uint32_t lines(const StencilUse& use) {
    const auto ends = static_cast<uint32_t>(2 * use.node.patch);
    return use.schedule.workgroup[0] > ends ? use.schedule.workgroup[0] - ends : 0;
  }
};

ThreadMapping Strips::threads(const StencilUse& use, int) const {
  const SharedTile cells = tile(use);
  ThreadMapping m;
  m.includes = {"wordsAt", "fillCell", "tapAt"};
  declareTile(use, cells, columns(use), lines(use), m);
  const std::vector<std::pair<std::string, std::string>> values = {
      {"rx", std::to_string(use.haloX())},
      {"radius", std::to_string(use.radiusY())},
      {"patch", std::to_string(use.node.patch)},
      {"pixels", std::to_string(use.schedule.columns)},
      {"strips", std::to_string(use.schedule.workgroup[1])},
      {"threads", std::to_string(use.schedule.workgroup[0])}};
  m.declarations += fill("shared float patchSums[2][$pixels][$strips][$threads];\n", values);
  m.main = "  ivec2 origin = tileOrigin();\n" + fillTile(use.schedule, cells.width * cells.height) +
           fill(R"(  int line = int(gl_LocalInvocationID.x);
  int strip = int(gl_LocalInvocationID.y);
  int vx = origin.x + strip * $pixels;
  int vy = origin.y + line - $patch;
  bool filters = line >= $patch && line < $threads - $patch && vx < e.x && vy < e.y;
  int x = min(vx, e.x - 1);
  int y0 = clamp(vy, 0, e.y - 1);
  int column = strip * $pixels + $rx;
  int row = (line + $radius) * TILE;
)",
                values);
  return m;
}

}  // namespace

const StencilFamily& stripsFamily() {
  static const Strips family;
  return family;
}

}  // namespace lacuna
