#include "graph/shader/generate/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/shader/generate/array_view.h"
#include "graph/shader/generate/pixel_view.h"
#include "graph/shader/generate/prelude.h"

namespace lacuna {
namespace {

// By how much an image of a tile is smaller than the tile.
uint32_t shrinkOf(const Role& role, const KernelRoles& kernel) {
  return kernel.tile && !role.whole ? shrinkOf(role.type.extent, *kernel.tile) : 1;
}

std::string extentOf(const Role& role, const KernelRoles& kernel) {
  return kernel.tile ? shrunk("wholeExtent()", shrinkOf(role, kernel))
         : hasOwnExtent(role, kernel.dispatched)
             ? fmt::format("ivec2(push.width_{0}, push.height_{0})", role.name)
             : "push.extent";
}

std::string declareRoles(const std::vector<Role>& roles, const KernelRoles* kernel) {
  std::string text;
  std::set<std::string> codecs;
  uint32_t binding = 0;
  for (const Role& role : roles) {
    ++binding;
    if (role.type.isArray()) {
      text += declareArray(role, binding, kernel != nullptr ? kernel->body : std::string_view());
      continue;
    }
    if (codecs.insert(pixelTypeName(role.type.channels, role.type.format)).second)
      text += declareCodec(role.type.channels, role.type.format, fetchesFloats(roles));
    PixelView view{role.name,        role.type.channels,
                   role.type.format, role.storage,
                   binding,          static_cast<uint32_t>(role.resources.size())};
    view.foreign = role.foreign;
    if (kernel != nullptr) {
      text += fmt::format("#define extent_{} {}\n", role.name, extentOf(role, *kernel));
      view.isTile = kernel->tile && !role.whole;
      view.shrink = shrinkOf(role, *kernel);
      view.extent = view.isTile ? shrunk("partExtent()", view.shrink) : "extent_" + role.name;
    } else if (role.whole) {
      view.isWhole = true;
      view.extent = "wholeExtent()";
    }
    text += role.kind == AccessKind::read ? declareRead(view) : declareWrite(view);
  }
  return text;
}

}  // namespace

std::string declareRoles(const std::vector<Role>& roles) {
  return declareRoles(roles, nullptr);
}
std::string declareRoles(const std::vector<Role>& roles, const KernelRoles& kernel) {
  return declareRoles(roles, &kernel);
}

std::string declareCodecs(const std::vector<ValueType>& types, const std::vector<Role>& roles) {
  std::set<std::string> known;
  for (const Role& role : roles)
    if (!role.type.isArray())
      known.insert(pixelTypeName(role.type.channels, role.type.format));
  std::string text;
  for (const ValueType& type : types)
    if (known.insert(pixelTypeName(type.channels, type.format)).second)
      text += declareCodec(type.channels, type.format, fetchesFloats(roles));
  return text;
}

bool fetchesFloats(const std::vector<Role>& roles) {
  return std::any_of(roles.begin(), roles.end(), [](const Role& role) {
    return role.kind == AccessKind::read && role.storage == ResourceKind::image &&
           (role.type.format == Format::f32 || role.foreign);
  });
}

const Role* findRole(const std::vector<Role>& roles, const std::string& name) {
  for (const Role& role : roles)
    if (role.name == name)
      return &role;
  return nullptr;
}

}  // namespace lacuna
