// volk is header-only on Debian: its functions live here.
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include "graph/vk/device_impl.h"

namespace lacuna::vk {
namespace {

struct FunctionsOfDevice {
  VkDevice device = nullptr;
  PFN_vkGetDeviceProcAddr functionOf = nullptr;
};

PFN_vkVoidFunction namedFunction(void* context, const char* name) {
  const auto* of = static_cast<const FunctionsOfDevice*>(context);
  return of->functionOf(of->device, name);
}

}  // namespace

void loadFunctions(VolkDeviceTable& table, VkDevice device, PFN_vkGetDeviceProcAddr functionOf) {
  FunctionsOfDevice of{device, functionOf};
  volkGenLoadDeviceTable(&table, &of, namedFunction);
}

}  // namespace lacuna::vk
