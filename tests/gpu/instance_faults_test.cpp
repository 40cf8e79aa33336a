// Each call of Vulkan that lists, chooses and opens devices fails in turn: a clear error, and the next device
// opens.

#include <volk.h>

#include <cstring>
#include <set>

#include "graph/vk/result.h"
#include "tests/gpu/faults.h"
#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

Faults* opening = nullptr;

// A function of volk's, or of the loader, that fails when `opening` says so.
template <auto& function, class Pointer>
struct FailingCall;
template <auto& function, class... Args>
struct FailingCall<function, VkResult (*)(Args...)> {
  static inline VkResult (*original)(Args...) = nullptr;
  static inline const char* name = nullptr;
  static VkResult call(Args... args) {
    return opening != nullptr && opening->take(name) ? opening->result : original(args...);
  }
  static PFN_vkVoidFunction replace(PFN_vkVoidFunction found) {
    original = reinterpret_cast<VkResult (*)(Args...)>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(call);
  }
};

struct Replaced {
  const char* name;
  PFN_vkVoidFunction (*replace)(PFN_vkVoidFunction);
};

template <auto& function>
Replaced replaced(const char* name) {
  using Hooked = FailingCall<function, std::remove_reference_t<decltype(function)>>;
  Hooked::name = name;
  return {name, Hooked::replace};
}

// Functions that graph/vk calls before a device is open, and that can fail.
const std::vector<Replaced>& openingFunctions() {
#define LACUNA_HOOK(function) replaced<::function>(#function)
  static const std::vector<Replaced> all = {LACUNA_HOOK(vkCreateInstance),
                                            LACUNA_HOOK(vkEnumerateInstanceLayerProperties),
                                            LACUNA_HOOK(vkCreateDebugUtilsMessengerEXT),
                                            LACUNA_HOOK(vkEnumeratePhysicalDevices),
                                            LACUNA_HOOK(vkEnumerateDeviceExtensionProperties),
                                            LACUNA_HOOK(vkGetPhysicalDeviceCalibrateableTimeDomainsEXT),
                                            LACUNA_HOOK(vkGetPhysicalDeviceCooperativeMatrixPropertiesNV),
                                            LACUNA_HOOK(vkCreateDevice),
                                            LACUNA_HOOK(vkCreateSampler)};
#undef LACUNA_HOOK
  return all;
}

PFN_vkVoidFunction inPlaceOf(const char* name, PFN_vkVoidFunction found) {
  for (const Replaced& each : openingFunctions())
    if (found != nullptr && std::strcmp(each.name, name) == 0)
      return each.replace(found);
  return found;
}

PFN_vkGetInstanceProcAddr instanceFunctions = nullptr;
PFN_vkGetDeviceProcAddr deviceFunctions = nullptr;

PFN_vkVoidFunction deviceFunction(VkDevice device, const char* name) {
  return inPlaceOf(name, deviceFunctions(device, name));
}

PFN_vkVoidFunction instanceFunction(VkInstance instance, const char* name) {
  const PFN_vkVoidFunction found = instanceFunctions(instance, name);
  if (std::strcmp(name, "vkGetDeviceProcAddr") == 0) {
    deviceFunctions = reinterpret_cast<PFN_vkGetDeviceProcAddr>(found);
    return reinterpret_cast<PFN_vkVoidFunction>(deviceFunction);
  }
  return inPlaceOf(name, found);
}

// volk asks this one for all others, except the first two, each time that an instance is made.
class HookedLoader {
 public:
  explicit HookedLoader(Faults& faults) {
    const vk::Device loading(deviceOptions());
    opening = &faults;
    instanceFunctions = std::exchange(vkGetInstanceProcAddr, instanceFunction);
    create_ = vkCreateInstance;
    layers_ = vkEnumerateInstanceLayerProperties;
    vkCreateInstance = hooked("vkCreateInstance", create_);
    vkEnumerateInstanceLayerProperties = hooked("vkEnumerateInstanceLayerProperties", layers_);
  }
  ~HookedLoader() {
    opening = nullptr;
    vkGetInstanceProcAddr = instanceFunctions;
    vkCreateInstance = create_;
    vkEnumerateInstanceLayerProperties = layers_;
    const vk::Device reloading(deviceOptions());  // volk's functions
  }
  HookedLoader(const HookedLoader&) = delete;
  HookedLoader& operator=(const HookedLoader&) = delete;

 private:
  template <class Function>
  static Function hooked(const char* name, Function function) {
    return reinterpret_cast<Function>(inPlaceOf(name, reinterpret_cast<PFN_vkVoidFunction>(function)));
  }
  PFN_vkCreateInstance create_ = nullptr;
  PFN_vkEnumerateInstanceLayerProperties layers_ = nullptr;
};

std::string openingError() {
  try {
    vk::Device device(deviceOptions());
    return {};
  } catch (const vk::DeviceError& error) {
    return error.what();
  }
}

TEST(VulkanFaultsAtOpening, EveryFunctionFailsClearly) {
  Faults faults;
  const HookedLoader loader(faults);
  faults.calls.clear();
  EXPECT_EQ(openingError(), "");
  const std::map<std::string, int> calls = faults.calls;
  EXPECT_GE(calls.size(), 5U);
  for (const auto& [function, count] : calls) {
    for (const int at : std::set<int>{0, count / 2, count - 1}) {
      for (const VkResult result : {VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_INITIALIZATION_FAILED}) {
        SCOPED_TRACE(function + ", call " + std::to_string(at));
        faults.calls.clear();
        faults.function = function;
        faults.failAt = at;
        faults.result = result;
        const std::string error = openingError();
        EXPECT_NE(error.find(vk::resultName(result)), std::string::npos) << error;
        faults.function = "";
        EXPECT_EQ(openingError(), "");
      }
    }
  }
}

}  // namespace
}  // namespace lacuna::test
