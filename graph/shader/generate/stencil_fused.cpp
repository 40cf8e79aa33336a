// The family `fused`: several levels in one dispatch, one function each. A workgroup computes the level's
// pixels that its next level reads, its own in the last (families/shared_tile.h), `rows` pixels one
// dilation apart a call. The states between lie in shared memory in the state's format, so they round as if
// they had been stored.

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/shader/generate/pixel_view.h"
#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {
namespace {

// The tile of the state that `level` leaves for the next one, and how it is read there.
std::string declareTile(const ValueType& state, size_t level, const FusedLevel& extent) {
  return fill(R"(
shared $W tile$next[$width * $height];
int cell$next(ivec2 p) { p -= firstPixel($border); return p.y * $width + p.x; }
$W raw_state$next(ivec2 p) { return tile$next[cell$next(p)]; }
n0_State load_state$next(ivec2 p) { return decode_$type(raw_state$next(p)); }
)",
              {{"W", wordType(state.channels, state.format)},
               {"type", pixelTypeName(state.channels, state.format)},
               {"next", std::to_string(level + 1)},
               {"width", std::to_string(extent.width)},
               {"height", std::to_string(extent.height)},
               {"border", std::to_string(extent.border)}});
}

std::string levelFunction(const StencilContext& context, const FusedLevel& level) {
  const ThreadMapping mapping = context.schedule().family->threads(context.use(), context.fusedLevel);
  return tapAccess(context) +
         fmt::format("void level{0}(int i) {{\n  const int level = {0};\n  const int s = {1};\n",
                     context.fusedLevel, 1 << level.logDilation) +
         "  const ivec2 e = push.extent;\n" + mapping.main + gatherTaps(context, mapping) +
         finishPixels(context) + "}\n";
}

}  // namespace

std::string fusedMain(const StencilContext& context) {
  const StencilSchedule& schedule = context.schedule();
  const std::vector<FusedLevel> levels = schedule.family->fusedLevels(context.use());
  std::string text = fill(
      R"(const ivec2 OWN = ivec2($width, $height);
ivec2 ownFirst() { return ivec2(gl_WorkGroupID.xy) * OWN; }
ivec2 firstPixel(int border) { return max(ownFirst() - border, ivec2(0)); }
bool isOwn(ivec2 p) { p -= ownFirst(); return inside(p.x, OWN.x) && inside(p.y, OWN.y); }
)",
      {{"width", std::to_string(levels.back().width)}, {"height", std::to_string(levels.back().height)}});
  // Each level has at least a run for every thread. CPU drivers run the body of a loop an extra time for a
  // condition that comes first.
  std::string main = "void main() {\n  int i;\n";
  for (size_t l = 0; l < levels.size(); ++l) {
    ShaderSpec pass = context.pass;
    const bool last = l + 1 == levels.size();
    pass.schedule.splitsBorders = false;  // two paths in every level are twice the code
    pass.first = context.pass.first && l == 0;
    pass.tapped = context.pass.tapped && tappedLevel(context.shader.node) == static_cast<int>(l);
    const StencilContext own{context.shader, pass, context.roles, context.body, static_cast<int>(l), !last};
    if (!last)
      text += declareTile(findRole(context.roles, "state")->type, l, levels[l]);
    text += levelFunction(own, levels[l]);
    main += fill(
        "$barrier  i = int(gl_LocalInvocationIndex);\n  do { level$l(i); i += $threads; } while (i < "
        "$runs);\n",
        {{"barrier", l > 0 ? "  barrier();\n" : ""},
         {"l", std::to_string(l)},
         {"threads", std::to_string(schedule.workgroup[0] * schedule.workgroup[1])},
         {"runs", std::to_string(levels[l].width * levels[l].height / schedule.pixels())}});
  }
  return text + main + "}\n";
}

}  // namespace lacuna
