#pragma once
// Passes are built here: resources on demand, passes appended in order.

#include "graph/device_model.h"
#include "graph/passes/pass.h"
#include "graph/values/image_type.h"

namespace lacuna {

class PassBuilder {
 public:
  PassBuilder(NodeGraph graph, Table<ValueId, ResourceKind> storage);

  const NodeGraph& graph() const { return passes_.graph; }
  const Value& value(ValueId id) const { return graph().values[id]; }

  ResourceId resourceOf(ValueId value);  // the resource that carries a value
  ResourceId makeImage(const std::string& name, const ValueType& type, ResourceKind storage,
                       int permutation = 0, const Embedding& embedding = {});
  ResourceId makeArray(const std::string& name, uint64_t bytes);

  // The value lies in the program's memory of this source or sink. Before any pass uses it.
  void give(ValueId value, const std::string& end, const GivenPlace& place);
  // The same, but of a copy.
  ResourceId makeGiven(const ValueType& type, const std::string& end, const GivenPlace& place);

  // A feature in a permuted layout. Chains that read the same value in the same layout share it: `fresh`
  // means that no earlier pass writes it, so a pass of the caller must.
  struct PermutedFeature {
    ResourceId resource;
    bool fresh = false;
  };
  PermutedFeature permutedFeature(ValueId value, const std::string& name, ResourceKind storage, Extent extent,
                                  int permutation, const Embedding& embedding);
  ResourceKind storageOf(ResourceId resource) const { return resource_(resource).kind; }
  // Whether it is a program's image of another format than the one in which the type is stored.
  bool isForeign(ResourceId resource, const ValueType& type) const;

  Role readRole(const std::string& name, ValueId value);
  Role writeRole(const std::string& name, ValueId value);
  Role imageRole(const std::string& name, AccessKind kind, const ValueType& type,
                 std::vector<ResourceId> resources) const;
  Role arrayRole(const std::string& name, AccessKind kind, Format format, ResourceId resource) const;
  // `in_<value>`, for an image, unless it exists; `out_<value>`, and `notFinite_<value>` of a part that
  // counts.
  void partInput(const PartInput& input, std::vector<Role>& roles);
  void partInputs(const NodePart& part, std::vector<Role>& roles);
  void partOutputs(NodeId node, const NodePart& part, std::vector<Role>& roles);
  // The counter of the part that makes a value (not_finite_counter.h), two words: the number, and the
  // complement of the first pixel's index, so that both begin as zeros. If none, nothing is counted.
  ResourceId counterOf(ValueId value) const { return counters_[value]; }
  // `bound_<part>_<parameter>`, of the parts from first to before end.
  void boundRoles(const Node& node, std::vector<Role>& roles, int first, int end);
  void boundRoles(const Node& node, std::vector<Role>& roles) {
    boundRoles(node, roles, 0, static_cast<int>(node.parts.size()));
  }

  // A dispatch over `extent` (the push constants) with this many workgroups. Valid until the next one.
  Pass& dispatch(NodeId node, const std::string& suffix, const ShaderSpec& shader, std::vector<Role> roles,
                 Extent extent, std::array<uint32_t, 3> groups, int level = 0);
  void transfer(PassKind kind, NodeId node, const std::string& suffix, std::vector<Access> accesses);

  // A pass of native code over buffers that it can map: those of its roles, or copies of them, which a device
  // with memory of its own also needs.
  void host(NodeId node, std::vector<Role> roles, bool isMapped);

  // The first value at the end of a frame is the second one in the next frame.
  void keep(ValueId value, ValueId next);

  Passes finish() { return std::move(passes_); }

 private:
  ResourceId handedOver(NodeId node, const Role& role);
  void partCounter(NodeId node, const NodePart& part, std::vector<Role>& roles);
  Role valueRole(const std::string& name, AccessKind kind, ValueId value);
  const Resource& resource_(ResourceId id) const { return passes_.resources[id]; }

  Passes passes_;
  Table<ValueId, ResourceKind> storage_;
  Table<ValueId, ResourceId> resourceOfValue_;
  std::map<ValueId, std::pair<std::string, GivenPlace>> given_;
  Table<ValueId, ResourceId> counters_;
  std::vector<std::pair<ValueId, ResourceId>> permuted_;  // values and the resources that hold them permuted
};

inline std::array<uint32_t, 3> groupsFor(Extent extent, uint32_t x, uint32_t y) {
  return {divideUp(extent.width, x), divideUp(extent.height, y), 1};
}

// The storage of a graph's values: buffers, or images if a chain's schedule wants them or a storage buffer
// can't hold them. A value of a SPIR-V shader is always a buffer.
// `wantsImages`: whether the schedule of the node, a filter, does.
Table<ValueId, ResourceKind> placeValues(const NodeGraph& graph, const Table<NodeId, bool>& wantsImages,
                                         const DeviceModel& device);

}  // namespace lacuna
