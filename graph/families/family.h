#pragma once
// A family of schedules of stencil chains: which pixels a thread filters, and where their taps come from.
// Each is a class in a file here and a line in families.cpp; the class has all that differs between
// families: names and shapes, threads, shared memory, cost. The common parts are elsewhere: passes
// (schedule/stencil/chain_passes.cpp), tap loops (shader/generate/stencil_gather.cpp), names, choice.

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/families/shared_tile.h"
#include "graph/families/stencil_schedule.h"
#include "graph/lists.h"

namespace lacuna {

// The pixels of a thread and the places of their taps, as GLSL. Its main() begins with the thread's pixels.
// It defines x and y0 (the first pixel in the original layout), vx and vy (where it lies in the state's
// layout), and returns threads without a pixel. `e` is the image's extent, s the dilation, LOG_DILATION its
// logarithm. Further pixels follow at a distance of s columns and rows.
struct ThreadMapping {
  // The functions that the text calls, beside GLSL's own and those of `declarations`: of the shader's head,
  // of permuted layouts, taps and tiles (shader/generate: prelude, permutation_glsl, stencil_taps,
  // stencil_fused).
  std::vector<std::string> includes;
  std::string declarations;  // at file scope: shared memory
  std::string main;
  std::string columnCentre;  // column term of the centre
  std::string columnStep;    // distance of two taps' column terms
  std::string rowCentre;
  std::string rowStep;
  std::string tapCall;  // "tapAt($c, $q)" with the terms filled in by the caller
  // The place of a tap in mirrored layouts: maps a term $t back into the layout.
  std::string mirroredColumn = "$t";
  std::string mirroredRow = "$t";
};

// Windows that are loops in the shader because they are wide (StencilUse::loops).
constexpr int mostUnrolled = 50;      // taps of a window
constexpr int mostGathers = 300;      // of a thread, all its pixels together
constexpr int mostLineGathers = 150;  // for rows and columns, whose filters weigh each channel separately

// The number of columns in each turn of the loop, of `count`, for threads of so many pixels: 24
// gathers at most, so that threads of many pixels compile fast and few columns remain behind the
// loop.
constexpr int tapsTogether(int count, int pixels) {
  const int most = std::clamp(24 / pixels, 2, 8);
  int best = (most + 1) / 2;
  for (int together = best + 1; together <= most; ++together)
    best = count % together <= count % best ? together : best;
  return best;
}

struct FamilyShape {
  std::string_view name;  // "rows4"
  int columns = 1, rows = 1, fused = 1;
  // The fastest ones on an H200 (graph/decisions); `@WxH` overrides them.
  std::array<uint32_t, 2> imageWorkgroup{16, 16}, bufferWorkgroup{16, 16};
  bool byName = false;  // taken only by name
};

// A chain with its schedule, as its family sees it.
struct StencilUse {
  const NodeGraph& graph;
  const Node& node;
  const StencilSchedule& schedule;
  Support window = windowsOf(node).front();  // for the level's pass

  // Taps on either side of a pixel; with `reach`, the largest number.
  int radiusX() const { return window == Support::column ? 0 : node.radius; }
  int radiusY() const { return window == Support::row ? 0 : node.radius; }
  // Number of pixels in the window, and in the patches of its taps.
  int width() const { return 2 * radiusX() + 1; }
  int height() const { return 2 * radiusY() + 1; }
  int haloX() const { return radiusX() + node.patch; }
  int haloY() const { return radiusY() + node.patch; }
  // The window's pixels, or those that the windows of columns x rows pixels reach together.
  int reached(int columns, int rows) const;
  bool isSquare() const { return window == Support::square || window == Support::circular; }
  bool hasReach() const { return node.description->stencil.reach; }
  // Taps are loops in the shader: unrolled, compilers take minutes for many, and they run no faster
  // (graph/shader/README.md has figures).
  bool loops() const {
    const int taps = width() * height();
    return hasReach() || node.patch > 0 || taps > mostUnrolled ||
           taps * schedule.pixels() > (isSquare() ? mostGathers : mostLineGathers);
  }
  // A tap outside the image reads a pixel inside, with its full weight.
  bool mapsBorder() const {
    return node.border != BorderRule::unweighted && node.border != BorderRule::zeroWeight;
  }
  bool dilated() const { return node.description->stencil.dilated; }
  // An undilated chain has nothing to permute: its tiles are plain ones.
  bool permutes() const { return schedule.permutes() && dilated(); }
  // Taps beyond a subimage, or beyond the image, read mirrored pixels: no tap is left out.
  bool mirrors() const { return permutes() && schedule.embedding.mirrored; }
  bool rereads() const { return permutes() && schedule.rereads; }
};

// The work of a level for each pixel beside its filter, for the cost model (schedule/stencil/cost_model.h).
struct LevelCost {
  double loads = 0.0;                            // pixels read from memory
  double sharedReads = 0.0, sharedWrites = 0.0;  // words
  double barriers = 0.0;                         // number of barriers
  double permutation = 0.0;                      // steps of index arithmetic
  bool inRows = false;                           // taps are read by invocations in rows
};

// The facts that a level's cost depends on.
struct LevelWork {
  int level = 0;
  bool first = true, last = true;  // of its dispatch
  double taps = 0.0;
  double tapWords = 0.0, stateWords = 0.0;
};

class StencilFamily : NoCopy {
 public:
  virtual ~StencilFamily() = default;

  virtual std::string_view name() const = 0;  // "rows", without its number
  virtual std::span<const FamilyShape> shapes() const = 0;

  // Each level writes the next one's layout (pattern/permutation.h).
  virtual bool permutes() const { return false; }
  // A workgroup's taps lie in shared memory.
  virtual bool shares() const { return false; }
  // Threads add up patches together: for windows with patches.
  virtual bool sharesPatches() const { return false; }
  // Differences of two pixels, for the patches of one tap of one pixel.
  virtual double differences(const StencilUse& use) const;
  // The level is a constant of the shader.
  virtual bool fixesLevel() const { return permutes(); }
  // Subgroups may take bank pattern tiles of the workgroup in place of rows; its tile may be padded, and hold
  // pixels as they are stored.
  virtual bool mayReshape() const { return false; }
  // Worth its code only on GPUs.
  virtual bool maySplitBorders() const { return true; }
  virtual bool mayUseQuads() const { return false; }
  // The synthesis of a name without one: its own pass in the baseline, else the fastest.
  virtual bool prefersSynthesisPass() const { return false; }
  // The schedule of the levels after the first dispatch.
  virtual StencilSchedule laterLevels(const StencilSchedule& schedule) const { return schedule; }

  // Workgroups of a level's dispatch.
  virtual std::array<uint32_t, 3> groups(const StencilUse& use, Extent extent, int level) const;
  // The tile of a family that uses shared memory; if levels differ, the largest one's.
  virtual SharedTile tile(const StencilUse& /*use*/) const { return {}; }
  virtual uint32_t sharedBytes(const StencilUse& use) const { return tile(use).bytes; }
  // Levels of the first dispatch that go through shared memory; none if it is one level like all others.
  virtual std::vector<FusedLevel> fusedLevels(const StencilUse& /*use*/) const { return {}; }

  virtual LevelCost cost(const StencilUse& use, const LevelWork& work) const = 0;
  // The mapping of a level, or of one of fusedLevels() by its number.
  virtual ThreadMapping threads(const StencilUse& use, int fusedLevel) const = 0;
};

// All families, in the order in which they are listed.
const std::vector<const StencilFamily*>& families();
// The family with that name(); null if there is none.
const StencilFamily* familyNamed(std::string_view name);

// A schedule of a family's shape, with its usual workgroup.
StencilSchedule scheduleOf(const StencilFamily& family, const FamilyShape& shape, ResourceKind storage);

// Each of them.
const StencilFamily& baselineFamily();
const StencilFamily& rowsFamily();
const StencilFamily& blocksFamily();
const StencilFamily& permutedFamily();
const StencilFamily& tiledFamily();
const StencilFamily& latticeFamily();
const StencilFamily& fusedFamily();
const StencilFamily& stripsFamily();

}  // namespace lacuna
