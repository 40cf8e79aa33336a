// One pixel a thread, taps from memory, one dilation apart. As simple as possible: the other families are
// measured against it.

#include "graph/families/family.h"
#include "graph/families/threads.h"

namespace lacuna {
namespace {

class Baseline : public StencilFamily {
 public:
  std::string_view name() const override { return "baseline"; }
  std::span<const FamilyShape> shapes() const override {
    static constexpr std::array<FamilyShape, 1> all = {{{"baseline"}}};
    return all;
  }
  bool maySplitBorders() const override { return false; }
  bool prefersSynthesisPass() const override { return true; }
  LevelCost cost(const StencilUse& use, const LevelWork& work) const override {
    return directCost(use, work);
  }
  ThreadMapping threads(const StencilUse& use, int) const override { return directThreads(use); }
};

}  // namespace

const StencilFamily& baselineFamily() {
  static const Baseline family;
  return family;
}

}  // namespace lacuna
