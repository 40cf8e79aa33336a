#include "graph/families/families.h"

#include <algorithm>

#include "graph/pattern/divide_up.h"

namespace lacuna {

const std::vector<const StencilFamily*>& families() {
  static const std::vector<const StencilFamily*> all = {&baselineFamily(), &rowsFamily(),  &blocksFamily(),
                                                        &permutedFamily(), &tiledFamily(), &latticeFamily(),
                                                        &fusedFamily(),    &stripsFamily()};
  return all;
}

const StencilFamily* familyNamed(std::string_view name) {
  const auto found = std::find_if(families().begin(), families().end(),
                                  [&](const StencilFamily* family) { return family->name() == name; });
  return found == families().end() ? nullptr : *found;
}

StencilSchedule scheduleOf(const StencilFamily& family, const FamilyShape& shape, ResourceKind storage) {
  StencilSchedule s;
  s.family = &family;
  s.columns = shape.columns;
  s.rows = shape.rows;
  s.fused = shape.fused;
  s.storage = storage;
  const auto& workgroup = storage == ResourceKind::image ? shape.imageWorkgroup : shape.bufferWorkgroup;
  std::copy(workgroup.begin(), workgroup.end(), s.workgroup);
  return s;
}

bool StencilSchedule::permutes() const {
  return family != nullptr && family->permutes();
}

bool StencilSchedule::shares() const {
  return family != nullptr && family->shares();
}

double StencilFamily::differences(const StencilUse& use) const {
  const double around = 2.0 * use.node.patch;
  return (use.schedule.columns + around) * (use.schedule.rows + around) / use.schedule.pixels();
}

std::array<uint32_t, 3> StencilFamily::groups(const StencilUse& use, Extent extent, int) const {
  return {divideUp(extent.width, use.schedule.workgroup[0]),
          divideUp(extent.height, use.schedule.workgroup[1]), 1};
}

}  // namespace lacuna
