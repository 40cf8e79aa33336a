#include "graph/shader/generate/roles.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "graph/shader/generate/array_view.h"
#include "graph/shader/generate/pixel_view.h"

namespace lacuna {
namespace {

// The extent of an image that isn't the dispatch's is in two specialization constants, so that the shader is
// the same for all extents. In tiles they lie in memory that way.
std::string declareExtent(const Role& role, const KernelRoles& kernel, uint32_t& constant) {
  const char* whole = kernel.inTiles ? "wholeExtent()" : nullptr;
  if (!hasOwnExtent(role, kernel.dispatched)) {
    return fmt::format("#define extent_{} {}\n", role.name, whole != nullptr ? whole : "push.extent");
  }
  std::string text;
  for (const char* side : {"width", "height"}) {
    text += fmt::format("layout(constant_id = {}) const int {}_{} = 1;\n", constant++, side, role.name);
  }
  // By a function, because validation layers reject what the compiler makes of constant vectors of them.
  const std::string own = fmt::format("extentOf_{}()", role.name);
  return text + fmt::format(
                    "ivec2 extentOf_{0}() {{ return ivec2(width_{0}, height_{0}); }}\n"
                    "#define extent_{0} {1}\n",
                    role.name, whole != nullptr ? whole : own.c_str());
}

std::string declareRoles(const std::vector<Role>& roles, const KernelRoles* kernel) {
  std::string text;
  std::set<std::string> codecs;
  uint32_t binding = 0;
  uint32_t constant = kernel != nullptr ? kernel->constant : 0;
  for (const Role& role : roles) {
    ++binding;
    if (role.type.isArray()) {
      text += declareArray(role, binding, kernel != nullptr ? kernel->body : std::string_view());
      continue;
    }
    if (codecs.insert(pixelTypeName(role.type.channels, role.type.format)).second) {
      text += declareCodec(role.type.channels, role.type.format, fetchesFloats(roles));
    }
    PixelView view{role.name,        role.type.channels,
                   role.type.format, role.storage,
                   binding,          static_cast<uint32_t>(role.resources.size())};
    if (kernel != nullptr) {
      text += declareExtent(role, *kernel, constant);
      view.extent = kernel->inTiles ? "partExtent()" : "extent_" + role.name;
      view.isTile = kernel->inTiles;
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
  for (const Role& role : roles) {
    if (!role.type.isArray()) {
      known.insert(pixelTypeName(role.type.channels, role.type.format));
    }
  }
  std::string text;
  for (const ValueType& type : types) {
    if (known.insert(pixelTypeName(type.channels, type.format)).second) {
      text += declareCodec(type.channels, type.format, fetchesFloats(roles));
    }
  }
  return text;
}

bool fetchesFloats(const std::vector<Role>& roles) {
  return std::any_of(roles.begin(), roles.end(), [](const Role& role) {
    return role.kind == AccessKind::read && role.storage == ResourceKind::image &&
           role.type.format == Format::f32;
  });
}

const Role* findRole(const std::vector<Role>& roles, const std::string& name) {
  for (const Role& role : roles) {
    if (role.name == name) {
      return &role;
    }
  }
  return nullptr;
}

}  // namespace lacuna
