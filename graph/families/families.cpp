#include "graph/families/family.h"

#include <algorithm>
#include <cstdlib>

#include "graph/values/image_type.h"

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

int StencilUse::reached(int columns, int rows) const {
  // A window's row reaches that far to either side; -1: not there.
  const auto reach = [&](int y) {
    int x = std::abs(y) > radiusY() ? -1 : radiusX();
    while (window == Support::circular && x >= 0 && x * x + y * y > node.radius * node.radius)
      --x;
    return x;
  };
  int pixels = 0;
  for (int y = -radiusY(); y < radiusY() + rows; ++y) {
    int widest = 0;
    for (int own = 0; own < rows; ++own)
      widest = std::max(widest, reach(y - own));
    pixels += 2 * widest + columns;
  }
  return pixels;
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
