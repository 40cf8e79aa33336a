#pragma once
// Graphs of a bundle on a device.

#include <memory>
#include <string>
#include <vector>

#include "graph/record/bundle.h"
#include "graph/record/device_state.h"

namespace lacuna {

// One graph of each size that the bundle was exported for, in the file's order.
std::vector<const BundledGraph*> firstOfEachSize(const Bundle& bundle);

// The graph for sources of this size that the device can run. Throws CallError that lists the sizes, or names
// the features that it lacks.
const BundledGraph& usableGraph(const Bundle& bundle, Extent size, const vk::Device& device);

// Bytes of the device's memory that a pipeline takes. Nothing is allocated. Throws vk::DeviceError.
uint64_t memoryOf(const BundledGraph& graph, vk::Device& device);

// A pipeline for sources of this size; later frames may have other sizes of the bundle. Throws CallError,
// vk::DeviceError.
std::unique_ptr<FrameRecorder> recorderOf(const std::shared_ptr<const Bundle>& bundle, Extent size,
                                          const std::shared_ptr<door::DeviceState>& device, int inFlight);

}  // namespace lacuna
