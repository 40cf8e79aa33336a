#include "graph/pictures/planes.h"

#include <fmt/format.h>

#include <algorithm>

namespace lacuna {

std::vector<std::string_view> guidesOf(const Planes& planes) {
  const std::pair<bool, std::string_view> all[] = {
      {planes.albedo, "albedo"}, {planes.normal, "normal"}, {planes.depth, "depth"}};
  std::vector<std::string_view> names;
  for (const auto& [there, name] : all)
    if (there)
      names.push_back(name);
  return names;
}

std::string guidesBeside(const Planes& planes, const Planes& others) {
  std::vector<std::string_view> names = guidesOf(planes);
  const std::vector<std::string_view> without = guidesOf(others);
  std::erase_if(names, [&](std::string_view name) {
    return std::find(without.begin(), without.end(), name) != without.end();
  });
  std::string text;
  for (size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
  return text;
}

bool isOverTime(const Planes& planes) {
  return planes.sequence && planes.motion;
}

Planes takenByUnet(const Planes& planes) {
  Planes taken = planes;
  taken.motion = planes.sequence && planes.motion && planes.albedo && planes.normal && planes.depth;
  if (!planes.albedo)
    taken.normal = taken.depth = false;  // without albedo they don't help
  taken.noise = planes.raw;
  return taken;
}

}  // namespace lacuna
