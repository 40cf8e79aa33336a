#include "graph/shader/generate/planes_view.h"

#include <fmt/format.h>

namespace lacuna {
namespace {

std::string element(const Member& member, const Role* role) {
  if (role == nullptr) {
    return fmt::format("array_{}.data[0 * int((plane) + (i))]", member.name);
  }
  return fmt::format("array_{}.data[(plane) * {} + (i)]", member.name, pixelCount(member.type.extent));
}

}  // namespace

std::string declarePlanes(const Member& member, const Role* role, Extent dispatched) {
  const bool isAbsent = !member.connected && member.isInput;
  const Extent extent = isAbsent ? Extent{} : member.type.extent;
  return fmt::format("#define planes_{0} {1}\n#define extent_{0} {2}\n#define at_{0}(plane, i) {3}\n",
                     member.name, isAbsent ? 0 : planeCount(member.type), extentText(extent, dispatched),
                     element(member, role));
}

std::string extentText(Extent extent, Extent dispatched) {
  return extent == dispatched ? "push.extent" : fmt::format("ivec2({}, {})", extent.width, extent.height);
}

}  // namespace lacuna
