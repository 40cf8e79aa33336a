#include "graph/lists.h"
#include "graph/passes/pass_builder.h"
#include "graph/schedule/kernel/kernel_maker.h"
#include "graph/schedule/kernel/kernel_schedule.h"

namespace lacuna {
namespace {

std::optional<MatrixUse> matricesOf(const Node& node, const KernelSchedule& schedule,
                                    const DeviceModel& device) {
  const VariantDescription* variant = schedule.variant;
  const bool asked = variant == nullptr ? node.description->kernel.matrix : variant->usesMatrices();
  if (!asked)
    return std::nullopt;
  return MatrixUse{device.matrices, device.float16, variant != nullptr && variant->matrix2,
                   device.matrices != MatrixKind::emulated && device.eightOfMatrix};
}

}  // namespace

void addKernelPass(PassBuilder& builder, NodeId id, const KernelSchedule& schedule,
                   const DeviceModel& device) {
  const Node& node = builder.graph().nodes[id];
  std::vector<Role> roles;
  for (const NamedValue& input : node.inputs) {
    if (input.value) {
      roles.push_back(builder.readRole(input.name, input.value));
      roles.back().type = typeAtKernel(builder.graph(), node, input);
      const auto* variant = schedule.variant;
      roles.back().uniform = variant != nullptr && contains(variant->uniform, input.name);
    }
  }
  for (const NamedValue& output : node.outputs) {
    roles.push_back(builder.writeRole(output.name, output.value));
    if (output.value && builder.graph().values[output.value].zeroed) {
      builder.transfer(PassKind::fill, id, "." + output.name + ".clear",
                       {{roles.back().resources.front(), AccessKind::write, AccessPoint::transfer, 0, 0}});
    }
  }
  const bool mayAddress = device.bufferAddresses && !node.description->isSpirv();
  for (Role& role : roles) {
    role.byAddress = mayAddress && role.type.isArray() && !role.uniform &&
                     byteSize(role.type) > device.maxStorageBufferRange;
  }
  const Extent extent = kernelExtent(builder.graph(), node);
  builder.boundRoles(node, roles);
  ShaderSpec shader;
  shader.kind = ShaderKind::kernel;
  shader.kernel = schedule;
  if (schedule.variant == nullptr)
    shader.kernel.workgroup = workgroupOf(builder.graph(), node);
  shader.matrices = matricesOf(node, schedule, device);
  const auto [across, down] = workgroupsOf(builder.graph(), node, schedule);
  Pass& pass = builder.dispatch(id, "", shader, roles, extent, {across, down, 1});
  pass.sharedBytes = sharedBytes(builder.graph(), node, schedule);
  pass.specialization = {0};  // the level
  pass.specialization.insert(pass.specialization.end(), node.constants.begin(), node.constants.end());
  pass.specialization.insert(pass.specialization.end(), schedule.constants.begin(), schedule.constants.end());
  for (const Role& role : pass.roles) {
    if (hasOwnExtent(role, extent) && !node.description->isSpirv()) {
      pass.pushConstants.push_back(static_cast<int32_t>(role.type.extent.width));
      pass.pushConstants.push_back(static_cast<int32_t>(role.type.extent.height));
    }
  }
}

}  // namespace lacuna
