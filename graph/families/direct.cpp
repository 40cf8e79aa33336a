// Families whose threads read their taps straight from memory.

#include "graph/families/family.h"
#include "graph/families/threads.h"

namespace lacuna {
namespace {

struct DirectRules {
  std::string_view name;
  std::span<const FamilyShape> shapes;
  bool permutes = false, splitsBorders = true, usesQuads = true, hasSynthesisPass = false;
};

class Direct : public StencilFamily {
 public:
  explicit Direct(const DirectRules& rules) : rules_(rules) {}

  std::string_view name() const override { return rules_.name; }
  std::span<const FamilyShape> shapes() const override { return rules_.shapes; }
  bool permutes() const override { return rules_.permutes; }
  bool maySplitBorders() const override { return rules_.splitsBorders; }
  bool mayUseQuads() const override { return rules_.usesQuads; }
  bool prefersSynthesisPass() const override { return rules_.hasSynthesisPass; }
  std::array<uint32_t, 3> groups(const StencilUse& use, Extent extent, int level) const override {
    return blockGroups(use, extent, level);
  }
  LevelCost cost(const StencilUse& use, const LevelWork& work) const override {
    LevelCost cost = directCost(use, work);
    cost.permutation = rules_.permutes ? 1.0 + work.level : 0.0;
    return cost;
  }
  ThreadMapping threads(const StencilUse& use, int) const override { return directThreads(use); }

 private:
  DirectRules rules_;
};

}  // namespace

// One pixel a thread, one dilation apart. As simple as possible: the other families are measured against it.
const StencilFamily& baselineFamily() {
  static constexpr std::array<FamilyShape, 1> shapes = {{{"baseline"}}};
  static const Direct family({"baseline", shapes, false, false, false, true});
  return family;
}

// A thread filters n pixels one dilation apart in a column, whose taps it shares in registers. Ours.
const StencilFamily& rowsFamily() {
  static constexpr std::array<FamilyShape, 5> shapes = {{
      {"rows2", 1, 2, 1, {16, 16}, {32, 8}},
      {"rows3", 1, 3, 1, {8, 8}, {16, 8}},
      {"rows4", 1, 4, 1, {16, 8}, {32, 4}},
      {"rows5", 1, 5, 1, {16, 8}, {32, 4}},
      {"rows6", 1, 6, 1, {16, 8}, {32, 4}},
  }};
  static const Direct family({"rows", shapes});
  return family;
}

// As `rows`, over several columns one dilation apart: shared taps are read once. Ours.
const StencilFamily& blocksFamily() {
  static constexpr std::array<FamilyShape, 4> shapes = {{
      {"blocks2", 2, 2, 1, {16, 8}, {16, 8}, true},
      {"blocks3", 2, 3, 1, {16, 8}, {16, 8}, true},
      {"blocks4", 2, 4, 1, {16, 8}, {16, 8}, true},
      {"blocks16", 4, 4, 1, {8, 8}, {8, 8}, true},
  }};
  static const Direct family({"blocks", shapes});
  return family;
}

// Level l writes its output permuted so that level l + 1 reads undilated taps; the last one restores the
// image. Dolp, Hanika, Dachsbacher 2024, section 3 and figure 4, with exact zero-weight borders and without
// padding, or mirrored as there.
const StencilFamily& permutedFamily() {
  static constexpr std::array<FamilyShape, 1> shapes = {{{"permuted"}}};
  static const Direct family({"permuted", shapes, true, false});
  return family;
}

}  // namespace lacuna
