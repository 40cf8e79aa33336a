// Which pixels a thread filters, and where their taps lie: the families of schedules.h.
// lattice and rows are ours; permuted and tiled follow Dolp, Hanika, Dachsbacher 2024, figure 4, with exact
// zero-weight borders and without padding, or mirrored as there.

#include <fmt/format.h>

#include "graph/schedule/stencil/shared_tile.h"
#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {
namespace {

// `ivec2 g`, the invocation's place among all. In quads, four invocations in a row make a square, as texture
// units want it; workgroups have even sides then.
std::string invocation(const StencilSchedule& schedule) {
  if (!schedule.quads) {
    return "  const ivec2 g = ivec2(gl_GlobalInvocationID.xy);\n";
  }
  return fill(R"(  const int invocation = int(gl_LocalInvocationIndex);
  const int quad = invocation >> 2;
  const ivec2 g = ivec2(gl_WorkGroupID.xy) * ivec2($w, $h) + 2 * ivec2(quad % $quads, quad / $quads) +
                  ivec2(invocation & 1, (invocation >> 1) & 1);
)",
              {{"w", std::to_string(schedule.workgroup[0])},
               {"h", std::to_string(schedule.workgroup[1])},
               {"quads", std::to_string(schedule.workgroup[0] / 2)}});
}

ThreadMapping direct(const StencilContext& context) {
  const bool permuted = context.permutes();
  const int rows = context.schedule().rows;
  ThreadMapping m;
  m.main = invocation(context.schedule());
  m.main += rows > 1 ? fmt::format("  int vy = (g.y >> LOG_DILATION) * (s * {}) + (g.y & (s - 1));\n", rows)
                     : "  int vy = g.y;\n";
  m.main += "  int vx = g.x;\n  if (vx >= e.x || vy >= e.y) { return; }\n";
  m.main += permuted
                ? "  int x = pixelAt(vx, e.x, LOG_DILATION);\n  int y0 = pixelAt(vy, e.y, LOG_DILATION);\n"
                : "  int x = vx;\n  int y0 = vy;\n";
  m.columnCentre = "vx";
  m.rowCentre = "vy";
  m.columnStep = m.rowStep = permuted ? "1" : "s";
  // Taps lie in the pixel's own subimage, and so a dilation apart in the original layout.
  m.tapCall = context.rereads() ? "tapAt(ivec2($c, $q), ivec2(x, y0) + (ivec2($c, $q) - ivec2(vx, vy)) * s)"
                                : "tapAt(ivec2($c, $q))";
  m.mirroredColumn = "reflected($t, e.x)";
  m.mirroredRow = "reflected($t, e.y)";
  return m;
}

// sigma_shm (section 3.5): pattern/bank_pattern.h's cellOf as GLSL, of a shape that is not shifted. `local`
// for plain rows of invocations.
std::string localPixel(const StencilContext& context, std::string& declarations) {
  const StencilSchedule& schedule = context.schedule();
  if (!schedule.reshapes) {
    return "ivec2(gl_LocalInvocationID.xy)";
  }
  const ShaderContext& shader = context.shader;
  const SubgroupShape shape =
      conflictFreeShape(sharedTile(shader.graph, shader.node, schedule), schedule).value();
  declarations +=
      fmt::format(R"(ivec2 localPixel(int i) {{
  int lane = i % {0};
  return ivec2(i / {0} % {1}, i / {0} / {1}) * ivec2({2}, {3}) + ivec2(lane % {2}, lane / {2});
}}
)",
                  shape.width * shape.height, schedule.workgroup[0] / shape.width, shape.width, shape.height);
  return "localPixel(int(gl_LocalInvocationIndex))";
}

// Fills the tile of at most `most` cells from `cellAt(cell)`, a pixel of the image; cells outside the image
// hold some pixel inside, which no tap reads. All loads of a thread come first, and none is guarded: where no
// cell is left for a thread, it fills its last one again (graph/README.md has the figures).
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

// A tile of the permuted image; taps are neighbours in it.
ThreadMapping tiled(const StencilContext& context) {
  const StencilSchedule& schedule = context.schedule();
  const uint32_t border = 2 * static_cast<uint32_t>(context.radius());
  const uint32_t width = schedule.workgroup[0] + border;
  const uint32_t height = schedule.workgroup[1] + border;
  ThreadMapping m;
  const std::vector<std::pair<std::string, std::string>> values = {
      {"w", std::to_string(schedule.workgroup[0])},
      {"h", std::to_string(schedule.workgroup[1])},
      {"tile", std::to_string(width)},
      {"cells", std::to_string(width * height)},
      {"r", std::to_string(context.radius())},
      {"inside", context.mirrors() ? "ivec2(reflected(p.x, push.extent.x), reflected(p.y, push.extent.y))"
                                   : "clamp(p, ivec2(0), push.extent - 1)"}};
  m.declarations = fill(R"(const int TILE = $tile;
const int CELLS = $cells;
ivec2 tileOrigin() { return ivec2(gl_WorkGroupID.xy) * ivec2($w, $h); }
ivec2 cellAt(int cell) {
  int row = cell / TILE;
  ivec2 p = tileOrigin() + ivec2(cell - row * TILE - $r, row - $r);
  return $inside;
}
)",
                        values);
  const std::string local = localPixel(context, m.declarations);
  m.main = "  ivec2 origin = tileOrigin();\n" + fillTile(schedule, width * height) +
           "  ivec2 local = " + local + ";\n" +
           fill(R"(  int vx = origin.x + local.x;
  int vy = origin.y + local.y;
  if (vx >= e.x || vy >= e.y) { return; }
  int x = pixelAt(vx, e.x, LOG_DILATION);
  int y0 = pixelAt(vy, e.y, LOG_DILATION);
  int column = local.x + $r;
  int row = (local.y + $r) * TILE;
)",
                values);
  m.columnCentre = "column";
  m.columnStep = "1";
  m.rowCentre = "row";
  m.rowStep = "TILE";
  m.tapCall = "tapAt($c + $q)";
  return m;
}

// A tile of the dilated lattice: groups of GROUP neighbouring columns, one dilation apart. The tile's columns
// and rows are looked up once a workgroup; -1 is outside the image.
ThreadMapping lattice(const StencilContext& context) {
  const StencilSchedule& schedule = context.schedule();
  const auto radius = static_cast<uint32_t>(context.radius());
  const uint32_t width = schedule.workgroup[0] + ((2 * radius) << latticeColumns);
  const uint32_t height = schedule.workgroup[1] + 2 * radius;
  ThreadMapping m;
  const std::vector<std::pair<std::string, std::string>> values = {
      {"w", std::to_string(schedule.workgroup[0])},
      {"h", std::to_string(schedule.workgroup[1])},
      {"threads", std::to_string(schedule.workgroup[0] * schedule.workgroup[1])},
      {"r", std::to_string(radius)},
      {"log", std::to_string(latticeColumns)},
      {"height", std::to_string(height)}};
  m.declarations = fill(R"(const int LOG_GROUP = LOG_DILATION < $log ? LOG_DILATION : $log;
const int GROUP = 1 << LOG_GROUP;
const int TILE = $w + 2 * $r * GROUP;
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
      latticeX[i] = columnOf(origin.x + i - $r * GROUP, e.x);
    } else {
      int v = origin.y + i - TILE - $r;
      latticeY[i - TILE] = inside(v, e.y) ? pixelAt(v, e.y, LOG_DILATION) : -1;
    }
  }
  barrier();
)",
                values) +
           fillTile(schedule, width * height) +
           fill(R"(  ivec2 local = ivec2(gl_LocalInvocationID.xy);
  int column = local.x + $r * GROUP;
  int row = (local.y + $r) * TILE;
  int x = latticeX[column];
  int y0 = latticeY[local.y + $r];
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

}  // namespace

ThreadMapping threadMapping(const StencilContext& context) {
  switch (context.schedule().family) {
    case Family::tiled:
      return tiled(context);
    case Family::lattice:
      return lattice(context);
    default:
      return direct(context);
  }
}

}  // namespace lacuna
