// A thread filters n pixels one dilation apart in a column, whose taps it shares in registers. Ours.

#include "graph/families/family.h"
#include "graph/families/threads.h"

namespace lacuna {
namespace {

class Rows : public StencilFamily {
 public:
  std::string_view name() const override { return "rows"; }
  std::span<const FamilyShape> shapes() const override {
    static constexpr std::array<FamilyShape, 5> all = {{
        {"rows2", 1, 2, 1, {16, 16}, {32, 8}},
        {"rows3", 1, 3, 1, {8, 8}, {16, 8}},
        {"rows4", 1, 4, 1, {16, 8}, {32, 4}},
        {"rows5", 1, 5, 1, {16, 8}, {32, 4}},
        {"rows6", 1, 6, 1, {16, 8}, {32, 4}},
    }};
    return all;
  }
  bool mayUseQuads() const override { return true; }
  std::array<uint32_t, 3> groups(const StencilUse& use, Extent extent, int level) const override {
    return blockGroups(use, extent, level);
  }
  LevelCost cost(const StencilUse& use, const LevelWork& work) const override {
    return directCost(use, work);
  }
  ThreadMapping threads(const StencilUse& use, int) const override { return directThreads(use); }
};

}  // namespace

const StencilFamily& rowsFamily() {
  static const Rows family;
  return family;
}

}  // namespace lacuna
