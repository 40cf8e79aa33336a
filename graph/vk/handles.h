#pragma once
// Ownership of Vulkan objects. All of a device's destroy functions have one shape, so one template suffices.

#include <volk.h>

#include <string_view>
#include <utility>

#include "graph/vk/result.h"

namespace lacuna::vk {

template <class T>
class Handle {
 public:
  using Destroy = void(VKAPI_PTR*)(VkDevice, T, const VkAllocationCallbacks*);

  Handle() = default;
  Handle(VkDevice device, T handle, Destroy destroy) : device_(device), handle_(handle), destroy_(destroy) {}
  Handle(Handle&& other) noexcept
      : device_(other.device_), handle_(std::exchange(other.handle_, nullptr)), destroy_(other.destroy_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(handle_, other.handle_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~Handle() {
    if (handle_ != nullptr)
      destroy_(device_, handle_, nullptr);
  }

  T get() const { return handle_; }
  T release() { return std::exchange(handle_, nullptr); }

 private:
  VkDevice device_ = nullptr;
  T handle_ = nullptr;
  Destroy destroy_ = nullptr;
};

// make(device, vkCreateFence, vkDestroyFence, info, "a fence"); throws DeviceError.
template <class T, class Info>
Handle<T> make(VkDevice device,
               VkResult(VKAPI_PTR* create)(VkDevice, const Info*, const VkAllocationCallbacks*, T*),
               typename Handle<T>::Destroy destroy, const Info& info, std::string_view what) {
  T handle = nullptr;
  check(create(device, &info, nullptr, &handle), what);
  return Handle<T>(device, handle, destroy);
}

}  // namespace lacuna::vk
