#include "graph/families/threads.h"

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/values/image_type.h"

namespace lacuna {
namespace {

// `ivec2 g`, the invocation's global position. In quads, four invocations in a row make a square, as texture
// units want it; workgroups have even sides then.
std::string invocation(const StencilSchedule& schedule) {
  if (!schedule.quads)
    return "  const ivec2 g = ivec2(gl_GlobalInvocationID.xy);\n";
  return fill(R"(  const int invocation = int(gl_LocalInvocationIndex);
  const int quad = invocation >> 2;
  const ivec2 g = ivec2(gl_WorkGroupID.xy) * ivec2($w, $h) + 2 * ivec2(quad % $quads, quad / $quads) +
                  ivec2(invocation & 1, (invocation >> 1) & 1);
)",
              {{"w", std::to_string(schedule.workgroup[0])},
               {"h", std::to_string(schedule.workgroup[1])},
               {"quads", std::to_string(schedule.workgroup[0] / 2)}});
}

// The first pixel of thread g along an axis, with `count` pixels a thread: runs of s threads take runs of
// count * s pixels.
std::string firstPixel(const char* axis, int count) {
  return count == 1 ? fmt::format("g.{}", axis)
                    : fmt::format("(g.{0} >> LOG_DILATION) * (s * {1}) + (g.{0} & (s - 1))", axis, count);
}

uint32_t threadsAlong(uint32_t pixels, int count, uint32_t log) {
  return count == 1 ? pixels : divideUp(pixels, static_cast<uint32_t>(count) << log) << log;
}

}  // namespace

ThreadMapping directThreads(const StencilUse& use) {
  const bool permuted = use.permutes();
  ThreadMapping m;
  m.includes = {"tapAt"};
  m.main = invocation(use.schedule) +
           fmt::format("  int vy = {};\n  int vx = {};\n  if (vx >= e.x || vy >= e.y) {{ return; }}\n",
                       firstPixel("y", use.schedule.rows), firstPixel("x", use.schedule.columns));
  if (permuted) {
    m.includes.emplace_back("pixelAt");
    m.main += "  int x = pixelAt(vx, e.x, LOG_DILATION);\n  int y0 = pixelAt(vy, e.y, LOG_DILATION);\n";
  } else {
    m.main += "  int x = vx;\n  int y0 = vy;\n";
  }
  m.columnCentre = "vx";
  m.rowCentre = "vy";
  m.columnStep = m.rowStep = permuted ? "1" : "s";
  // Taps lie in the pixel's own subimage, and so a dilation apart in the original layout.
  m.tapCall = use.rereads() ? "tapAt(ivec2($c, $q), ivec2(x, y0) + (ivec2($c, $q) - ivec2(vx, vy)) * s)"
                            : "tapAt(ivec2($c, $q))";
  if (use.mirrors()) {
    m.includes.emplace_back("reflected");
    m.mirroredColumn = "reflected($t, e.x)";
    m.mirroredRow = "reflected($t, e.y)";
  }
  return m;
}

std::array<uint32_t, 3> blockGroups(const StencilUse& use, Extent extent, int level) {
  const uint32_t log = use.dilated() ? static_cast<uint32_t>(level) : 0;
  const StencilSchedule& s = use.schedule;
  return {divideUp(threadsAlong(extent.width, s.columns, log), s.workgroup[0]),
          divideUp(threadsAlong(extent.height, s.rows, log), s.workgroup[1]), 1};
}

LevelCost directCost(const StencilUse& use, const LevelWork& work) {
  const StencilSchedule& s = use.schedule;
  // Loops read a circle's corners, too.
  const double width = s.columns + use.width() - 1.0, height = s.rows + use.height() - 1.0;
  const double together = use.loops() ? width * height : use.reached(s.columns, s.rows);
  LevelCost cost;
  cost.loads = s.pixels() > 1 ? together / s.pixels() + 1.0 : work.taps + 1.0;
  cost.inRows = !s.quads;
  return cost;
}

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
  m.columnCentre = "column";
  m.columnStep = "1";
  m.rowCentre = "row";
  m.rowStep = "TILE";
  m.tapCall = "tapAt($c + $q)";
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
