// Level l writes its output permuted so that level l + 1 reads undilated taps; the last one restores the
// image. Dolp, Hanika, Dachsbacher 2024, section 3 and figure 4, with exact zero-weight borders and without
// padding, or mirrored as there.

#include "graph/families/family.h"
#include "graph/families/threads.h"

namespace lacuna {
namespace {

class Permuted : public StencilFamily {
 public:
  std::string_view name() const override { return "permuted"; }
  std::span<const FamilyShape> shapes() const override {
    static constexpr std::array<FamilyShape, 1> all = {{{"permuted"}}};
    return all;
  }
  bool permutes() const override { return true; }
  bool maySplitBorders() const override { return false; }
  bool mayUseQuads() const override { return true; }
  LevelCost cost(const StencilUse& use, const LevelWork& work) const override {
    LevelCost cost = directCost(use, work);
    cost.permutation = 1.0 + work.level;
    return cost;
  }
  ThreadMapping threads(const StencilUse& use, int) const override { return directThreads(use); }
};

}  // namespace

const StencilFamily& permutedFamily() {
  static const Permuted family;
  return family;
}

}  // namespace lacuna
