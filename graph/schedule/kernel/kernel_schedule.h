#pragma once
// The implementation of a kernel, with its workgroup and constants: its schedule, if the module states
// several ([[variant]]). Named NAME@WxH/n4: the variant, the workgroup and each constant; missing
// parts are the variant's first that fit the device, and a NAME that begins only one variant's is
// enough.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "graph/module/description.h"
#include "graph/passes/pass.h"

namespace lacuna {

// Empty if a node has no variants: then it runs as in its description.
std::vector<const VariantDescription*> variantsOf(const NodeGraph& graph, const Node& node);

// Whether the variant's `when` holds; if it doesn't, its shader need not suit the node.
bool whenHolds(const NodeGraph& graph, const Node& node, const VariantDescription& variant);

// The number of invocations: one for each pixel of `extent_of`; otherwise of the first output image, or input
// image if all outputs are arrays; otherwise one for each element of the first output. Outputs that nothing
// reads count, too.
Extent kernelExtent(const NodeGraph& graph, const Node& node);

// `formula` of the schedule's variant: names are constants, the workgroup's width and height, columns and
// rows of the kernel's pixels, and so on.
Formula::Result evaluate(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                         const Formula& formula);

// The workgroup of a kernel without variants: what it states, or by its number of invocations.
std::array<uint32_t, 2> workgroupOf(const NodeGraph& graph, const Node& node);

// Workgroups across and down. The schedule may have no variant.
std::array<uint32_t, 2> workgroupsOf(const NodeGraph& graph, const Node& node,
                                     const KernelSchedule& schedule);

// An estimate from the variant's `cost`; 0 if there is none. Needs: a variant.
double kernelMs(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                const DeviceModel& device);

// "bytes_INPUT", the workgroup and so on, for `shared` of a variant; 0 if it shares nothing.
uint32_t sharedBytes(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule);

// Width and height of what a workgroup computes. Needs: a variant.
std::array<uint32_t, 2> pixelsOfWorkgroup(const KernelSchedule& schedule);

// Why the device can't run this schedule, or its variant is not for this graph; empty if it can.
std::string rejection(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                      const DeviceModel& device);

std::string print(const KernelSchedule& schedule);

// The schedule of a name, with the variant's defaults for what it omits; nullopt if it means none of them.
std::optional<KernelSchedule> kernelScheduleNamed(const std::vector<const VariantDescription*>& variants,
                                                  const std::string& name);

// All possible meanings of a name, the one with defaults first, those on buffers instead of images last.
std::vector<KernelSchedule> kernelSchedulesNamed(const std::vector<const VariantDescription*>& variants,
                                                 const std::string& name);

KernelSchedule defaultSchedule(const VariantDescription& variant);

// Every combination of a variant's workgroups and constants, the default first.
std::vector<KernelSchedule> allKernelSchedules(const VariantDescription& variant);

}  // namespace lacuna
