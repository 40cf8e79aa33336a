#include "graph/passes/pass_builder.h"

#include <set>

#include "graph/lists.h"
#include "graph/nodes/not_finite_counter.h"

namespace lacuna {

PassBuilder::PassBuilder(NodeGraph graph, Table<ValueId, ResourceKind> storage)
    : storage_(std::move(storage)), resourceOfValue_(graph.values.size()), counters_(graph.values.size()) {
  passes_.graph = std::move(graph);
}

ResourceId PassBuilder::makeImage(const std::string& name, const ValueType& type, ResourceKind storage,
                                  int permutation, const Embedding& embedding) {
  Resource r;
  r.name = name;
  r.kind = storage;
  r.bytes = byteSize(type);
  r.permutation = permutation;
  r.embedding = permutation > 0 ? embedding : Embedding{};
  if (storage == ResourceKind::image) {
    r.imageFormat = imageFormat(type.channels, type.format);
    r.width = type.extent.width;
    r.height = type.extent.height;
  }
  return passes_.resources.add(r);
}

ResourceId PassBuilder::makeArray(const std::string& name, uint64_t bytes) {
  Resource r;
  r.name = name;
  r.bytes = bytes;
  return passes_.resources.add(r);
}

void PassBuilder::give(ValueId value, const std::string& end, const GivenPlace& place) {
  given_[value] = {end, place};
  storage_[value] = place.kind;
}

ResourceId PassBuilder::makeGiven(const ValueType& type, const std::string& end, const GivenPlace& place) {
  const ResourceId made = makeImage(end, type, place.kind);
  passes_.resources[made].given = end;
  passes_.resources[made].imageFormat = place.format;
  return made;
}

bool PassBuilder::isForeign(ResourceId id, const ValueType& type) const {
  const Resource& resource = resource_(id);
  return resource.kind == ResourceKind::image && !resource.given.empty() &&
         resource.imageFormat != imageFormat(type.channels, type.format);
}

PassBuilder::PermutedFeature PassBuilder::permutedFeature(ValueId value, const std::string& name,
                                                          ResourceKind storage, Extent extent,
                                                          int permutation, const Embedding& embedding) {
  for (const auto& [of, resource] : permuted_) {
    const Resource& r = resource_(resource);
    if (of == value && r.kind == storage && r.permutation == permutation && r.embedding == embedding)
      return {resource, false};
  }
  ValueType type = this->value(value).type;
  type.extent = extent;
  const ResourceId resource = makeImage(name, type, storage, permutation, embedding);
  permuted_.emplace_back(value, resource);
  return {resource, true};
}

ResourceId PassBuilder::resourceOf(ValueId id) {
  ResourceId& resource = resourceOfValue_[id];
  if (!resource) {
    const Value& v = value(id);
    const auto given = given_.find(id);
    resource = given != given_.end() ? makeGiven(v.type, given->second.first, given->second.second)
               : v.type.isArray()    ? makeArray(v.name, byteSize(v.type))
                                     : makeImage(v.name, v.type, storage_[id]);
    passes_.resources.back().value = id;
    // Zeros are filled in without waiting for whatever used the same memory; arrays of a tile, which may be
    // as large as the picture and begin at zero in each tile, share it.
    passes_.resources.back().persistent =
        v.feedback || v.kept || (v.zeroed && !v.tile) || v.constant != nullptr;
    passes_.resources.back().contents = v.constant;
  }
  return resource;
}

Role PassBuilder::imageRole(const std::string& name, AccessKind kind, const ValueType& type,
                            std::vector<ResourceId> resources) const {
  Role role{name, kind, type, storageOf(resources.front()), std::move(resources)};
  if (isForeign(role.resources.front(), type))
    role.foreign = resource_(role.resources.front()).imageFormat;
  return role;
}

Role PassBuilder::arrayRole(const std::string& name, AccessKind kind, Format format,
                            ResourceId resource) const {
  ValueType type;
  type.channels = Channels::any1;
  type.format = format;
  type.arrayCount = static_cast<uint32_t>(resource_(resource).bytes / 4);
  return {name, kind, type, ResourceKind::buffer, {resource}};
}

Role PassBuilder::valueRole(const std::string& name, AccessKind kind, ValueId id) {
  const ValueType& type = value(id).type;
  const ResourceId resource = resourceOf(id);
  return type.isArray() ? Role{name, kind, type, ResourceKind::buffer, {resource}}
                        : imageRole(name, kind, type, {resource});
}

Role PassBuilder::readRole(const std::string& name, ValueId id) {
  return valueRole(name, AccessKind::read, id);
}

Role PassBuilder::writeRole(const std::string& name, ValueId id) {
  const bool hasValues = value(id).kept || value(id).zeroed;
  return valueRole(name, hasValues ? AccessKind::readWrite : AccessKind::write, id);
}

void PassBuilder::partInput(const PartInput& input, std::vector<Role>& roles) {
  if (!input.value || value(input.value).type.isArray())
    return;
  const std::string name = "in_" + std::to_string(input.value.index());
  if (findNamed(roles, name) == nullptr)
    roles.push_back(readRole(name, input.value));
}

void PassBuilder::partInputs(const NodePart& part, std::vector<Role>& roles) {
  for (const PartInput& input : part.inputs)
    partInput(input, roles);
}

void PassBuilder::partOutputs(NodeId node, const NodePart& part, std::vector<Role>& roles) {
  for (const NamedValue& output : part.outputs)
    if (output.value)
      roles.push_back(writeRole("out_" + std::to_string(output.value.index()), output.value));
  partCounter(node, part, roles);
}

void PassBuilder::partCounter(NodeId node, const NodePart& part, std::vector<Role>& roles) {
  const ValueId counted = countedOutput(graph(), graph().nodes[node], part);
  if (counted) {
    const ResourceId counter = makeArray(value(counted).name + ".notFinite", uint64_t{4} * 2);
    counters_[counted] = counter;
    transfer(PassKind::fill, node, ".notFinite", {{counter, AccessKind::write, AccessPoint::transfer, 0, 0}});
    roles.push_back(arrayRole("notFinite_" + std::to_string(counted.index()), AccessKind::readWrite,
                              Format::u32, counter));
  }
}

void PassBuilder::boundRoles(const Node& node, std::vector<Role>& roles, int first, int end) {
  for (const BoundParameter& bound : node.bound) {
    if (bound.part >= first && bound.part < end) {
      roles.push_back(arrayRole("bound_" + std::to_string(bound.part) + "_" + bound.parameter,
                                AccessKind::read, Format::f32, resourceOf(bound.value)));
    }
  }
}

Pass& PassBuilder::dispatch(NodeId node, const std::string& suffix, const ShaderSpec& shader,
                            std::vector<Role> roles, Extent extent, std::array<uint32_t, 3> groups,
                            int level) {
  Pass pass;
  pass.name = graph().nodes[node].name + suffix;
  pass.node = node;
  pass.shader = shader;
  pass.groups = groups;
  pass.pushConstants = {static_cast<int32_t>(extent.width), static_cast<int32_t>(extent.height), level};
  std::set<std::pair<AccessKind, ResourceId>> counted;  // parts of a node may read the same
  for (const Role& role : roles) {
    for (const ResourceId r : role.resources)
      if (counted.emplace(role.kind, r).second)
        (role.kind == AccessKind::read ? pass.bytesRead : pass.bytesWritten) += resource_(r).bytes;
  }
  pass.accesses = accessesOf(roles);
  for (const Access& access : pass.accesses) {
    Resource& resource = passes_.resources[access.resource];
    resource.byAddress = resource.byAddress || access.byAddress;
  }
  pass.roles = std::move(roles);
  return passes_.passes.emplace_back(std::move(pass));
}

void PassBuilder::transfer(PassKind kind, NodeId node, const std::string& suffix,
                           std::vector<Access> accesses) {
  Pass pass;
  pass.name = graph().nodes[node].name + suffix;
  pass.node = node;
  pass.kind = kind;
  pass.accesses = std::move(accesses);
  for (const Access& access : pass.accesses) {
    (access.kind == AccessKind::read ? pass.bytesRead : pass.bytesWritten) +=
        resource_(access.resource).bytes;
  }
  passes_.passes.push_back(std::move(pass));
}

// The copy of a role's resource in memory of the machine; with its values, if the pass reads them.
ResourceId PassBuilder::handedOver(NodeId node, const Role& role) {
  Resource copy;
  const ResourceId own = role.resources.front();
  copy.name = resource_(own).name + ", on the host";
  copy.bytes = resource_(own).bytes;
  copy.isHost = true;
  const ResourceId to = passes_.resources.add(copy);
  if (role.kind != AccessKind::write) {
    transfer(PassKind::handover, node, "." + role.name + ".in",
             {{own, AccessKind::read, AccessPoint::transfer, 0, 0},
              {to, AccessKind::write, AccessPoint::transfer, 0, 0}});
  }
  return to;
}

void PassBuilder::host(NodeId node, std::vector<Role> roles, bool isMapped) {
  std::vector<Access> accesses;
  for (const Role& role : roles) {
    const ResourceId own = role.resources.front();
    const bool isUsed = isMapped && storageOf(own) == ResourceKind::buffer;
    accesses.push_back({isUsed ? own : handedOver(node, role), role.kind, AccessPoint::host, 0, 0});
  }
  transfer(PassKind::host, node, "", accesses);
  passes_.passes.back().roles = roles;
  for (size_t i = 0; i < roles.size(); ++i) {
    const ResourceId own = roles[i].resources.front();
    if (roles[i].kind != AccessKind::read && accesses[i].resource != own) {
      transfer(PassKind::handover, node, "." + roles[i].name + ".out",
               {{accesses[i].resource, AccessKind::read, AccessPoint::transfer, 0, 0},
                {own, AccessKind::write, AccessPoint::transfer, 0, 0}});
    }
  }
}

// A tile's core is copied into the whole image. Otherwise the two are exchanged if they have no other use. If
// a value is kept twice, one of its resources is copied.
void PassBuilder::keep(ValueId value, ValueId next) {
  const ResourceId from = resourceOf(value);
  const ResourceId to = resourceOf(next);
  Resource& now = passes_.resources[from];
  Resource& last = passes_.resources[to];
  if (this->value(value).type.extent != this->value(next).type.extent) {
    Resource written = last;  // while other tiles read the last frame's
    written.name += ", next";
    written.persistent = true;
    const ResourceId target = passes_.resources.add(written);
    transfer(PassKind::copy, this->value(value).producer, ".keep",
             {{from, AccessKind::read, AccessPoint::transfer, 0, 0},
              {target, AccessKind::write, AccessPoint::transfer, 0, 0}});
    passes_.swaps.push_back({target, to});
    return;
  }
  const bool alike = now.kind == last.kind && now.bytes == last.bytes && now.given.empty();
  if (alike && !now.persistent) {
    now.persistent = true;
    now.byAddress = last.byAddress = now.byAddress || last.byAddress;
    passes_.swaps.push_back({from, to});
    return;
  }
  transfer(PassKind::copy, this->value(value).producer, ".keep",
           {{from, AccessKind::read, AccessPoint::transfer, 0, 0},
            {to, AccessKind::write, AccessPoint::transfer, 0, 0}});
}

}  // namespace lacuna
