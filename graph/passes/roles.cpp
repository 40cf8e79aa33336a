#include "graph/passes/pass.h"

namespace lacuna {
namespace {

AccessPoint accessPoint(const Role& role) {
  if (role.uniform)
    return AccessPoint::uniformBuffer;
  if (role.type.isArray() || role.storage == ResourceKind::buffer)
    return AccessPoint::storageBuffer;
  return role.kind == AccessKind::read ? AccessPoint::sampledImage : AccessPoint::storageImage;
}

}  // namespace

uint64_t contentBytes(const Resource& resource) {
  return resource.kind == ResourceKind::buffer
             ? resource.bytes
             : uint64_t{resource.width} * resource.height * bytesPerTexel(resource.imageFormat);
}

uint64_t bufferBytes(const Resource& resource) {
  constexpr uint64_t group = 16;
  return resource.value ? (resource.bytes + group - 1) / group * group : resource.bytes;
}

uint32_t reduceComponents(const std::string& type) {
  const char last = type.back();
  const uint32_t n = last >= '2' && last <= '4' ? static_cast<uint32_t>(last - '0') : 1U;
  return type.compare(0, 3, "mat") == 0 ? n * n : n;
}

std::vector<Access> accessesOf(const std::vector<Role>& roles) {
  std::vector<Access> accesses;
  uint32_t binding = 0;
  for (const Role& role : roles) {
    ++binding;
    uint32_t element = 0;
    for (const ResourceId resource : role.resources)
      accesses.push_back({resource, role.kind, accessPoint(role), binding, element++, role.byAddress});
  }
  return accesses;
}

std::array<int32_t, tileWords> placeOf(const Tile& tile) {
  const auto word = [](uint32_t number) { return static_cast<int32_t>(number); };
  const TileSide &column = tile.column, &row = tile.row;
  return {word(column.origin),
          word(row.origin),
          word(column.begin - column.origin),
          word(row.begin - row.origin),
          word(column.end - column.origin),
          word(row.end - row.origin)};
}

ValueType wholeType(const Passes& passes, ValueId value) {
  ValueType type = passes.graph.values[value].type;
  if (passes.tiles && !type.isArray())
    type.extent = passes.tiles->whole;
  return type;
}

}  // namespace lacuna
