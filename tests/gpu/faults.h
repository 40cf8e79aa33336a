#pragma once
// Calls of Vulkan that fail when a test says so. They replace entries of a device's table, below the loader,
// so any driver will do.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string>

#include "graph/vk/device_impl.h"
#include "tests/support/memory_graph.h"

namespace lacuna::test {

// Counts calls and lets one fail. One run at a time; its threads may call together.
struct Faults {
  std::map<std::string, int> calls;  // by function
  std::string function;              // that fails
  int failAt = -1;                   // at which of its calls
  VkResult result = VK_ERROR_OUT_OF_DEVICE_MEMORY;
  bool happened = false;
  VkFence unsignalled = nullptr;  // of the frame whose submission failed

  // Whether this call of the function fails.
  bool take(const char* name) {
    const std::scoped_lock lock(mutex_);
    const bool fails = calls[name]++ == failAt && function == name;
    happened = happened || fails;
    return fails;
  }

 private:
  std::mutex mutex_;
};

// Mistakes in graph/vk may cause endless waits. The test program ends then, since nothing else can.
template <class Wait>
VkResult waitAWhile(Wait wait, VkDevice device, uint32_t count, const VkFence* fences, VkBool32 all,
                    uint64_t timeout) {
  const uint64_t aWhile = uint64_t{120} * 1'000'000'000;
  const VkResult result = wait(device, count, fences, all, std::min(timeout, aWhile));
  if (result == VK_TIMEOUT) {
    std::fputs("a fence is not signalled within two minutes\n", stderr);
    std::abort();
  }
  return result;
}
template <class Call, class... Args>
VkResult waitAWhile(Call call, Args... args) {
  return call(args...);
}

// The fence that a submission signals.
inline VkFence fenceOf(VkQueue, uint32_t, const VkSubmitInfo*, VkFence fence) {
  return fence;
}
template <class... Args>
VkFence fenceOf(Args...) {
  return nullptr;
}

// Whether a call waits for the frame whose submission failed: another mistake in graph/vk.
inline bool waitsFor(VkFence fence, VkDevice, uint32_t, const VkFence* fences, VkBool32, uint64_t) {
  return fence != nullptr && *fences == fence;
}
template <class... Args>
bool waitsFor(VkFence, Args...) {
  return false;
}

template <auto member>
struct Hook {
  template <class... Args>
  struct Call {
    static VkResult run(Args... args) {
      // A failing wait still waits; otherwise objects would be destroyed while lavapipe uses them.
      const bool waits = std::string(name) == "vkWaitForFences";
      if (waits && waitsFor(faults->unsignalled, args...)) {
        ADD_FAILURE() << "waits for a frame whose submission failed";
        return faults->result;
      }
      const VkResult done = waits ? waitAWhile(original<Args...>, args...) : VK_SUCCESS;
      if (faults->take(name)) {
        faults->unsignalled = fenceOf(args...);
        return faults->result;
      }
      return waits ? done : original<Args...>(args...);
    }
  };
  template <class... Args>
  static inline VkResult (*original)(Args...) = nullptr;
  static inline const char* name = nullptr;
  static inline Faults* faults = nullptr;

  template <class... Args>
  static void replace(VkResult (*&entry)(Args...)) {
    original<Args...> = entry;
    entry = Call<Args...>::run;
  }
  static void install(VolkDeviceTable& table, const char* function, Faults& of) {
    name = function;
    faults = &of;
    replace(table.*member);
  }
};

struct HookedFunction {
  const char* name;
  void (*install)(VolkDeviceTable&, const char*, Faults&);
  bool mayLose;  // it may return VK_ERROR_DEVICE_LOST
};

// Functions that graph/vk calls after a device is open, and that can fail.
inline constexpr HookedFunction hookedFunctions[] = {
#define LACUNA_HOOK(function, mayLose) \
  { #function, Hook < &VolkDeviceTable::function> ::install, mayLose }
    LACUNA_HOOK(vkAllocateCommandBuffers, false),
    LACUNA_HOOK(vkAllocateDescriptorSets, false),
    LACUNA_HOOK(vkAllocateMemory, false),
    LACUNA_HOOK(vkBeginCommandBuffer, false),
    LACUNA_HOOK(vkBindBufferMemory, false),
    LACUNA_HOOK(vkBindImageMemory, false),
    LACUNA_HOOK(vkCreateBuffer, false),
    LACUNA_HOOK(vkCreateCommandPool, false),
    LACUNA_HOOK(vkCreateComputePipelines, false),
    LACUNA_HOOK(vkCreateDescriptorPool, false),
    LACUNA_HOOK(vkCreateDescriptorSetLayout, false),
    LACUNA_HOOK(vkCreateEvent, false),
    LACUNA_HOOK(vkCreateFence, false),
    LACUNA_HOOK(vkCreateImage, false),
    LACUNA_HOOK(vkCreateImageView, false),
    LACUNA_HOOK(vkCreatePipelineCache, false),
    LACUNA_HOOK(vkCreatePipelineLayout, false),
    LACUNA_HOOK(vkCreateQueryPool, false),
    LACUNA_HOOK(vkCreateShaderModule, false),
    LACUNA_HOOK(vkEndCommandBuffer, false),
    LACUNA_HOOK(vkGetPipelineCacheData, false),
    LACUNA_HOOK(vkGetQueryPoolResults, true),
    LACUNA_HOOK(vkMapMemory, false),
    LACUNA_HOOK(vkQueueSubmit, true),
    LACUNA_HOOK(vkResetCommandPool, false),
    LACUNA_HOOK(vkResetEvent, false),
    LACUNA_HOOK(vkResetFences, false),
    LACUNA_HOOK(vkWaitForFences, true)};
#undef LACUNA_HOOK

// A separate device whose calls fail as `faults` says. Without validation, which doesn't know of faults.
class FaultyDevice {
 public:
  explicit FaultyDevice(Faults& faults) : device_(options()) {
    faults.unsignalled = nullptr;
    for (const HookedFunction& each : hookedFunctions)
      each.install(device_.impl().vk, each.name, faults);
  }
  vk::Device& device() { return device_; }

 private:
  static vk::DeviceOptions options() {
    vk::DeviceOptions options = deviceOptions();
    options.validate = false;
    options.poisonsMemory = false;
    return options;
  }
  vk::Device device_;
};

}  // namespace lacuna::test
