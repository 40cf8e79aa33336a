// The first levels in one dispatch: a workgroup first filters the pixels that its pixels' taps need
// (shared_tile.h), with states between levels in shared memory. The other levels run as `rows`. Original
// layout. Ours.

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/families/family.h"
#include "graph/values/image_type.h"

namespace lacuna {
namespace {

class Fused : public StencilFamily {
 public:
  std::string_view name() const override { return "fused"; }
  std::span<const FamilyShape> shapes() const override {
    static constexpr std::array<FamilyShape, 2> all = {{
        {"fused2", 1, 4, 2, {32, 8}, {32, 8}},
        {"fused3", 1, 4, 3, {32, 8}, {32, 8}, true},
    }};
    return all;
  }
  bool mayUseQuads() const override { return true; }  // its later levels
  StencilSchedule laterLevels(const StencilSchedule& schedule) const override {
    for (const FamilyShape& shape : rowsFamily().shapes()) {
      if (shape.rows == schedule.rows) {
        StencilSchedule later = scheduleOf(rowsFamily(), shape, schedule.storage);
        later.synthesis = schedule.synthesis;
        later.splitsBorders = schedule.splitsBorders;
        later.quads = schedule.quads;
        return later;
      }
    }
    return schedule;
  }
  std::array<uint32_t, 3> groups(const StencilUse& use, Extent extent, int) const override {
    const FusedLevel own = fusedLevels(use).back();
    return {divideUp(extent.width, static_cast<uint32_t>(own.width)),
            divideUp(extent.height, static_cast<uint32_t>(own.height)), 1};
  }
  uint32_t sharedBytes(const StencilUse& use) const override {
    return fusedBytes(use.graph, use.node, use.schedule);
  }
  std::vector<FusedLevel> fusedLevels(const StencilUse& use) const override {
    return lacuna::fusedLevels(use.node, use.schedule);
  }
  // Each level leaves what the next one reads in shared memory.
  LevelCost cost(const StencilUse& use, const LevelWork& work) const override {
    const double rows = use.schedule.rows;
    LevelCost cost;
    cost.loads = use.width() * (rows + use.height() - 1.0) / rows + 1.0;
    cost.sharedReads = work.first ? 0.0 : cost.loads * work.stateWords;
    cost.sharedWrites = work.last ? 0.0 : work.stateWords;
    cost.barriers = work.first && work.last ? 0.0 : 1.0;
    cost.inRows = true;
    return cost;
  }
  // The i-th run of the level's pixels, column by column.
  ThreadMapping threads(const StencilUse& use, int fusedLevel) const override {
    const FusedLevel level = lacuna::fusedLevels(use.node, use.schedule)[static_cast<size_t>(fusedLevel)];
    ThreadMapping m;
    const std::string tap = fusedLevel > 0 ? fmt::format("tapAt{}", fusedLevel) : "tapAt";
    m.includes = {"firstPixel", tap};
    m.main = fill(R"(  ivec2 first = firstPixel($border);
  int g = i / $width;
  int x = first.x + i - g * $width;
  int y0 = first.y + (g >> $log) * (s * $rows) + (g & (s - 1));
  int vx = x;
  int vy = y0;
  if (x >= e.x || y0 >= e.y) { return; }
)",
                  {{"border", std::to_string(level.border)},
                   {"width", std::to_string(level.width)},
                   {"log", std::to_string(level.logDilation)},
                   {"rows", std::to_string(use.schedule.rows)}});
    m.columnCentre = "vx";
    m.rowCentre = "vy";
    m.columnStep = m.rowStep = "s";
    m.tapCall = tap + "(ivec2($c, $q))";
    return m;
  }
};

}  // namespace

const StencilFamily& fusedFamily() {
  static const Fused family;
  return family;
}

}  // namespace lacuna
