#pragma once
// A device under validation, shaders from GLSL, and schedules built by hand.

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "graph/frame/frame_graph.h"
#include "graph/vk/device.h"
#include "graph/vk/executable.h"
#include "tests/support/memory_graph.h"

namespace lacuna::test {

// One device for all tests of the program.
vk::Device& device();

// Throws std::runtime_error with the compiler's messages.
std::shared_ptr<const vk::Spirv> spirvOf(const std::string& glsl);

std::vector<uint32_t> randomWords(size_t count);
std::vector<int32_t> randomIntegers(size_t count, int32_t low, int32_t high);

// Fails a test for every validation message during it.
class GpuTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

 private:
  size_t messagesBefore_ = 0;
};

// A schedule in the making; methods return the id of what they add.
class Plan {
 public:
  ResourceId buffer(const std::string& name, uint64_t bytes);
  ResourceId image(const std::string& name, ImageFormat format, uint32_t width, uint32_t height);
  PassId upload(ResourceId to);
  PassId download(ResourceId from);
  PassId fill(ResourceId to);
  PassId copy(ResourceId from, ResourceId to);
  // `glsl` without its #version line; workgroups of 64 by 1 by 1.
  PassId dispatch(const std::string& name, const std::string& glsl, uint32_t groupsX, uint32_t groupsY,
                  std::vector<Access> accesses);

  Pass& pass(PassId id) { return schedule.passes[id]; }
  Resource& resource(ResourceId id) { return schedule.resources[id]; }
  std::unique_ptr<vk::Executable> build(vk::Device& on = device()) const;

  FrameGraph schedule;
  vk::Code spirv;

 private:
  PassId add(const std::string& name, PassKind kind, std::vector<Access> accesses);
};

inline Access readBuffer(ResourceId resource, uint32_t binding, uint32_t element = 0) {
  return {resource, AccessKind::read, AccessPoint::storageBuffer, binding, element};
}
inline Access writeBuffer(ResourceId resource, uint32_t binding, uint32_t element = 0) {
  return {resource, AccessKind::write, AccessPoint::storageBuffer, binding, element};
}
inline Access updateBuffer(ResourceId resource, uint32_t binding) {
  return {resource, AccessKind::readWrite, AccessPoint::storageBuffer, binding, 0};
}
inline Access sampleImage(ResourceId resource, uint32_t binding, uint32_t element = 0) {
  return {resource, AccessKind::read, AccessPoint::sampledImage, binding, element};
}
inline Access writeImage(ResourceId resource, uint32_t binding) {
  return {resource, AccessKind::write, AccessPoint::storageImage, binding, 0};
}
inline Access readImage(ResourceId resource, uint32_t binding) {
  return {resource, AccessKind::read, AccessPoint::storageImage, binding, 0};
}

// Number of workgroups of 64 for this many invocations.
inline uint32_t groupsFor(size_t invocations) {
  return static_cast<uint32_t>((invocations + 63) / 64);
}

template <class T>
void put(std::span<std::byte> memory, const std::vector<T>& values) {
  ASSERT_EQ(memory.size(), values.size() * sizeof(T));
  std::memcpy(memory.data(), values.data(), memory.size());
}

template <class T>
std::vector<T> get(std::span<const std::byte> memory) {
  std::vector<T> values(memory.size() / sizeof(T));
  std::memcpy(values.data(), memory.data(), values.size() * sizeof(T));
  return values;
}

}  // namespace lacuna::test
