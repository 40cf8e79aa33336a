// The dilated lattice of a workgroup in shared memory, in the original layout: groups of neighbouring
// columns, one dilation apart. Ours.

#include <algorithm>

#include "graph/config/text.h"
#include "graph/families/family.h"
#include "graph/families/threads.h"
#include "graph/values/image_type.h"

namespace lacuna {
namespace {

int logGroup(const StencilUse& use, int level) {
  return use.dilated() ? std::min(level, latticeColumns) : 0;
}

class Lattice : public StencilFamily {
 public:
  std::string_view name() const override { return "lattice"; }
  std::span<const FamilyShape> shapes() const override {
    static constexpr std::array<FamilyShape, 1> all = {{{"lattice"}}};
    return all;
  }
  bool shares() const override { return true; }
  bool fixesLevel() const override { return true; }
  std::array<uint32_t, 3> groups(const StencilUse& use, Extent extent, int level) const override {
    const auto group = static_cast<uint32_t>(logGroup(use, level));
    extent.width = divideUp(extent.width, 1U << group) << group;
    return StencilFamily::groups(use, extent, level);
  }
  // Its columns and rows are looked up in shared memory, too.
  SharedTile tile(const StencilUse& use) const override {
    SharedTile tile = sharedTile(use, 1U << logGroup(use, use.node.levels - 1));
    tile.bytes += 4 * (tile.width + tile.height);
    return tile;
  }
  LevelCost cost(const StencilUse& use, const LevelWork& work) const override {
    const double width = use.schedule.workgroup[0], height = use.schedule.workgroup[1];
    const double columns = 1 << logGroup(use, work.level);
    const double cells = (width + columns * (use.width() - 1.0)) * (height + use.height() - 1.0);
    // The tile is looked up first, and then waited for.
    return tileCost(work, cells / (width * height), 2.0);
  }
  // The tile's columns and rows are looked up once a workgroup; -1 is outside the image.
  ThreadMapping threads(const StencilUse& use, int) const override {
    const StencilSchedule& schedule = use.schedule;
    const uint32_t width = schedule.workgroup[0] + (static_cast<uint32_t>(use.width() - 1) << latticeColumns);
    const uint32_t height = schedule.workgroup[1] + static_cast<uint32_t>(use.height() - 1);
    ThreadMapping m;
    m.includes = {"inside", "pixelAt", "wordsAt", "fillCell", "tapAt"};
    const std::vector<std::pair<std::string, std::string>> values = {
        {"w", std::to_string(schedule.workgroup[0])},
        {"h", std::to_string(schedule.workgroup[1])},
        {"threads", std::to_string(schedule.workgroup[0] * schedule.workgroup[1])},
        {"rx", std::to_string(use.radiusX())},
        {"ry", std::to_string(use.radiusY())},
        {"log", std::to_string(latticeColumns)},
        {"height", std::to_string(height)}};
    m.declarations = fill(R"(const int LOG_GROUP = LOG_DILATION < $log ? LOG_DILATION : $log;
const int GROUP = 1 << LOG_GROUP;
const int TILE = $w + 2 * $rx * GROUP;
const int CELLS = TILE * $height;
shared int latticeX[TILE];
shared int latticeY[$height];
int columnOf(int v, int n) {
  int groups = (n + GROUP - 1) >> LOG_GROUP;
  if (!inside(v >> LOG_GROUP, groups)) { return -1; }
  int column = (pixelAt(v >> LOG_GROUP, groups, LOG_DILATION - LOG_GROUP) << LOG_GROUP) | (v & (GROUP - 1));
  return column < n ? column : -1;
}
ivec2 cellAt(int cell) {
  int row = cell / TILE;
  return max(ivec2(latticeX[cell - row * TILE], latticeY[row]), ivec2(0));
}
)",
                          values);
    m.main = fill(R"(  ivec2 origin = ivec2(gl_WorkGroupID.xy) * ivec2($w, $h);
  for (int i = int(gl_LocalInvocationIndex); i < TILE + $height; i += $threads) {
    if (i < TILE) {
      latticeX[i] = columnOf(origin.x + i - $rx * GROUP, e.x);
    } else {
      int v = origin.y + i - TILE - $ry;
      latticeY[i - TILE] = inside(v, e.y) ? pixelAt(v, e.y, LOG_DILATION) : -1;
    }
  }
  barrier();
)",
                  values) +
             fillTile(schedule, width * height) +
             fill(R"(  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  int column = local.x + $rx * GROUP;
  int row = (local.y + $ry) * TILE;
  int x = latticeX[column];
  int y0 = latticeY[local.y + $ry];
  if ((x | y0) < 0) { return; }
  int vx = x;
  int vy = y0;
)",
                  values);
    m.columnCentre = "column";
    m.columnStep = "GROUP";
    m.rowCentre = "row";
    m.rowStep = "TILE";
    m.tapCall = "tapAt($c + $q)";
    return m;
  }
};

}  // namespace

const StencilFamily& latticeFamily() {
  static const Lattice family;
  return family;
}

}  // namespace lacuna
