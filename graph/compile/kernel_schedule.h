#pragma once
// Which implementation of a kernel runs, and with what workgroup and constants: its schedule, where the
// module states several ([[variant]]). Named NAME@WxH/n4: the variant, the workgroup and each constant; what
// is left out is the variant's default, and a NAME that begins only one variant's is enough.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "graph/compile/choose.h"

namespace lacuna {

// Empty where a node has no variants: then it runs as its description says.
std::vector<const VariantDescription*> variantsOf(const NodeGraph& graph, const Node& node);

// "bytes_INPUT", the workgroup and so on, for `shared` of a variant; 0 where it shares nothing.
uint32_t sharedBytes(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule);

std::string print(const KernelSchedule& schedule);

// Of a name; nullopt: it means none of them.
std::optional<KernelSchedule> kernelScheduleNamed(const std::vector<const VariantDescription*>& variants,
                                                  const std::string& name);

// Every combination of a variant's workgroups and constants, the default first.
std::vector<KernelSchedule> allKernelSchedules(const VariantDescription& variant);

// Why the device can't run it, or the variant is not for this graph; "": it can.
std::string rejection(const NodeGraph& graph, const Node& node, const KernelSchedule& schedule,
                      const DeviceModel& device);

struct ChosenKernel {
  KernelSchedule schedule;
  Choice choice;
};

// `auto`: the first exact variant that is for this kind of device. A name for every filter that means none of
// these leaves it at `auto`.
ChosenKernel chooseKernel(const NodeGraph& graph, const Node& node, const DeviceModel& device,
                          const ForcedSchedules& forced, Diagnostics& diagnostics);

}  // namespace lacuna
