#pragma once
// liblacuna-runtime, loaded as a program without the rest of Lacuna has it. The tests' own program has
// functions of the same names.

// Before others that include Vulkan's header.
#include "tests/door/renderer.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "lacuna/runtime.h"

namespace lacuna::test {

struct RuntimeLibrary {
  void* handle = dlopen(LACUNA_RUNTIME, RTLD_NOW | RTLD_LOCAL);

#define LACUNA_OF_LIBRARY(function) \
  decltype(&::function) function = reinterpret_cast<decltype(&::function)>(dlsym(handle, #function))
  LACUNA_OF_LIBRARY(lacuna_last_error);
  LACUNA_OF_LIBRARY(lacuna_open_device);
  LACUNA_OF_LIBRARY(lacuna_close_device);
  LACUNA_OF_LIBRARY(lacuna_open_bundle);
  LACUNA_OF_LIBRARY(lacuna_open_bundle_bytes);
  LACUNA_OF_LIBRARY(lacuna_close_bundle);
  LACUNA_OF_LIBRARY(lacuna_bundle_sizes);
  LACUNA_OF_LIBRARY(lacuna_bundle_needs);
  LACUNA_OF_LIBRARY(lacuna_bundle_memory);
  LACUNA_OF_LIBRARY(lacuna_bundle_requests);
  LACUNA_OF_LIBRARY(lacuna_bundle_pipeline);
  LACUNA_OF_LIBRARY(lacuna_close_pipeline);
  LACUNA_OF_LIBRARY(lacuna_record);
#undef LACUNA_OF_LIBRARY

  std::string error() const {
    return lacuna_last_error();
  }
};

inline const RuntimeLibrary& runtimeLibrary() {
  static const RuntimeLibrary library;
  return library;
}

// A renderer's device as C has it. The renderer outlives it.
struct DeviceInC {
  explicit DeviceInC(const Renderer& renderer);
  DeviceInC(const DeviceInC&) = delete;
  std::vector<const char*> extensions;
  lacuna_vulkan given{};
};

// Whatever was opened of the library, closed in turn.
class OpenedBundle {
 public:
  // `change`: of the device, before it is opened.
  OpenedBundle(
      const Renderer& renderer, const std::string& file,
      const std::function<void(lacuna_vulkan&)>& change = [](lacuna_vulkan&) {});
  ~OpenedBundle();
  OpenedBundle(const OpenedBundle&) = delete;
  OpenedBundle& operator=(const OpenedBundle&) = delete;

  // False if it failed; error() says why.
  bool makePipeline(int width, int height);
  int record(VkCommandBuffer commands, const RecordedFrame& frame);

  lacuna_bundle* bundle = nullptr;
  lacuna_device* device = nullptr;
  lacuna_pipeline* pipeline = nullptr;
};

}  // namespace lacuna::test
