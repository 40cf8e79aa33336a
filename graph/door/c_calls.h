#pragma once
// What the functions of both C headers share: errors as a text, and handles.

#include <fmt/format.h>

#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

#include "graph/door/lacuna/runtime.h"
#include "graph/record/bundle.h"
#include "graph/record/call_error.h"
#include "graph/record/device_state.h"
#include "graph/record/frame_recorder.h"

struct lacuna_device {
  std::shared_ptr<lacuna::door::DeviceState> state;
};

struct lacuna_pipeline {
  virtual ~lacuna_pipeline() = default;
  virtual void record(VkCommandBuffer commands, const lacuna::GivenFrame& frame) = 0;
  std::vector<lacuna::FramePlane> planes;  // of the frame that is being recorded
};

namespace lacuna::door {

std::string& lastText();  // of this thread: of an error, or of needs

// The structure as this library knows it: a program's may be shorter, because it is older.
template <class Structure>
Structure whole(const Structure* given, const char* what) {
  Structure structure{};
  if (given == nullptr || given->size == 0)
    refuseCall("{}: expected a structure whose `size` is set, found {}", what,
               given == nullptr ? "NULL" : "a size of 0");
  std::memcpy(&structure, given, std::min(given->size, sizeof structure));
  return structure;
}

template <class Handle>
Handle& handleOf(Handle* handle, const char* what) {
  if (handle == nullptr)
    refuseCall("{} is NULL", what);
  return *handle;
}

inline std::vector<std::string> listOf(const char* const* words, uint32_t count) {
  return {words, words + count};
}

inline void checkName(const char* name) {
  if (name == nullptr)
    refuseCall("a source or sink has no name; expected one as \"i-memory:01\"");
}

VulkanDevice deviceOf(const lacuna_vulkan& given);
// A line each: "needs feature shaderFloat16".
std::string linesOf(const char* what, const VulkanFeatures& features);

// `failed` after an exception, whose text is kept.
template <class Result, class Work>
Result withoutExceptions(Result failed, const Work& work) noexcept {
  const auto keep = [](const std::exception& error) {
    lastText() = fmt::format("lacuna: error: {}", error.what());
  };
  try {
    return work();
  } catch (const CallError& error) {
    keep(error);
  } catch (const BundleError& error) {
    keep(error);
  } catch (const vk::DeviceError& error) {
    keep(error);
  } catch (const std::exception& error) {
    lastText() = error.what();
  } catch (...) {
    lastText() = "unknown error";
  }
  return failed;
}

}  // namespace lacuna::door
