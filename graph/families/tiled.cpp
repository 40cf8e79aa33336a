// As `permuted`, with a workgroup's taps in shared memory: Dolp, Hanika, Dachsbacher 2024, section 3.5,
// without padding unless it is asked for.

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/families/family.h"
#include "graph/families/threads.h"

namespace lacuna {
namespace {

// sigma_shm (section 3.5): pattern/bank_pattern.h's cellOf as GLSL, for a shape that is not shifted. GLSL of
// `local` for plain rows of invocations.
std::string localPixel(const StencilUse& use, std::string& declarations) {
  const StencilSchedule& schedule = use.schedule;
  if (!schedule.reshapes)
    return "ivec2(gl_LocalInvocationID.xy)";
  const BankPattern shape = conflictFreeShape(schedule.family->tile(use), schedule).value();
  declarations +=
      fmt::format(R"(ivec2 localPixel(int i) {{
  int lane = i % {0};
  return ivec2(i / {0} % {1}, i / {0} / {1}) * ivec2({2}, {3}) + ivec2(lane % {2}, lane / {2});
}}
)",
                  shape.width * shape.height, schedule.workgroup[0] / shape.width, shape.width, shape.height);
  return "localPixel(int(gl_LocalInvocationIndex))";
}

class Tiled : public StencilFamily {
 public:
  std::string_view name() const override { return "tiled"; }
  std::span<const FamilyShape> shapes() const override {
    static constexpr std::array<FamilyShape, 1> all = {{{"tiled", 1, 1, 1, {16, 8}, {16, 8}}}};
    return all;
  }
  bool permutes() const override { return true; }
  bool shares() const override { return true; }
  bool mayReshape() const override { return true; }
  SharedTile tile(const StencilUse& use) const override { return sharedTile(use, 1); }
  LevelCost cost(const StencilUse& use, const LevelWork& work) const override {
    const double width = use.schedule.workgroup[0], height = use.schedule.workgroup[1];
    const double cells = (width + 2.0 * use.haloX()) * (height + 2.0 * use.haloY());
    LevelCost cost = tileCost(work, cells / (width * height), 1.0);
    cost.permutation = 1.0 + work.level;
    return cost;
  }
  // A tile of the permuted image; taps are neighbours in it.
  ThreadMapping threads(const StencilUse& use, int) const override {
    const StencilSchedule& schedule = use.schedule;
    const SharedTile cells = tile(use);
    ThreadMapping m;
    m.includes = {"pixelAt", "wordsAt", "fillCell", "tapAt"};
    declareTile(use, cells, schedule.workgroup[0], schedule.workgroup[1], m);
    const std::string local = localPixel(use, m.declarations);
    m.main = "  ivec2 origin = tileOrigin();\n" +
             fillTile(schedule, cells.width * cells.height, cells.padding > 0 ? cells.width : 0) +
             "  ivec2 local = " + local + ";\n" +
             fill(R"(  int vx = origin.x + local.x;
  int vy = origin.y + local.y;
  if (vx >= e.x || vy >= e.y) { return; }
  int x = pixelAt(vx, e.x, LOG_DILATION);
  int y0 = pixelAt(vy, e.y, LOG_DILATION);
  int column = local.x + $rx;
  int row = (local.y + $ry) * TILE;
)",
                  {{"rx", std::to_string(use.haloX())}, {"ry", std::to_string(use.haloY())}});
    return m;
  }
};

}  // namespace

const StencilFamily& tiledFamily() {
  static const Tiled family;
  return family;
}

}  // namespace lacuna
