// As `rows`, over several columns one dilation apart: shared taps are read once. Ours.

#include "graph/families/family.h"
#include "graph/families/threads.h"

namespace lacuna {
namespace {

class Blocks : public StencilFamily {
 public:
  std::string_view name() const override { return "blocks"; }
  std::span<const FamilyShape> shapes() const override {
    static constexpr std::array<FamilyShape, 4> all = {{
        {"blocks2", 2, 2, 1, {16, 8}, {16, 8}, true},
        {"blocks3", 2, 3, 1, {16, 8}, {16, 8}, true},
        {"blocks4", 2, 4, 1, {16, 8}, {16, 8}, true},
        {"blocks16", 4, 4, 1, {8, 8}, {8, 8}, true},
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

const StencilFamily& blocksFamily() {
  static const Blocks family;
  return family;
}

}  // namespace lacuna
