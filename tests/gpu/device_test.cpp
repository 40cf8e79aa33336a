// Choosing a device, and what it keeps.

#include <algorithm>
#include <cctype>
#include <map>

#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

class Devices : public GpuTest {
 protected:
  static std::string selected(const std::string& select) {
    vk::DeviceOptions options;
    options.select = select;
    return vk::Device(options).info().uuid;
  }
};

TEST_F(Devices, ListHasLimitsAndTheBestFirst) {
  const std::vector<vk::DeviceInfo> devices = vk::listDevices();
  ASSERT_FALSE(devices.empty());
  EXPECT_EQ(devices.front().uuid, selected(""));
  for (const vk::DeviceInfo& info : devices) {
    EXPECT_EQ(info.uuid.size(), 32U);
    EXPECT_FALSE(info.name.empty());
    EXPECT_FALSE(info.driver.empty());
    if (info.unusable.empty()) {
      EXPECT_GE(info.limits.maxImageSize, 4096U);
      EXPECT_GE(info.limits.maxSharedMemory, 16384U);
      EXPECT_GE(info.limits.maxWorkgroupInvocations, 128U);
      EXPECT_GT(info.limits.subgroupSize, 0U);
      EXPECT_GT(info.memoryBytes, 0U);
    }
  }
}

TEST_F(Devices, AreSelectedByNameAndUuid) {
  const vk::DeviceInfo info = device().info();
  std::string name = info.name.substr(info.name.size() / 4, info.name.size() / 2);
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string dashed = info.uuid;
  for (const size_t at : {20, 16, 12, 8})
    dashed.insert(at, "-");
  EXPECT_EQ(selected(info.uuid), info.uuid);
  EXPECT_EQ(selected(dashed), info.uuid);
  EXPECT_EQ(selected(name), info.uuid);
}

// A number is a place in the list, although the names of drivers have digits: "LLVM 15.0.6".
TEST_F(Devices, AreSelectedByNumber) {
  const std::vector<vk::DeviceInfo> devices = vk::listDevices();
  EXPECT_EQ(selected("0"), devices.front().uuid);
  const auto refusal = [](const std::string& select) {
    try {
      return "selected " + selected(select);
    } catch (const vk::DeviceError& error) {
      return std::string(error.what());
    }
  };
  const std::string next = std::to_string(devices.size());
  EXPECT_TRUE(refusal(next).starts_with("there is no device " + next + ": a number is a place in the list"))
      << refusal(next);
  for (const char* select : {"vm", "5.0", "(", " "}) {
    EXPECT_TRUE(refusal(select).starts_with("device '" + std::string(select) + "': a part of a name has"))
        << refusal(select);
  }
  EXPECT_NE(refusal("zzz").find("\n  0: " + devices.front().name), std::string::npos) << refusal("zzz");
}

TEST_F(Devices, CpuIsAKind) {
  const std::vector<vk::DeviceInfo> devices = vk::listDevices();
  const auto cpu =
      std::find_if(devices.begin(), devices.end(), [](const vk::DeviceInfo& info) { return info.isCpu(); });
  if (cpu == devices.end())
    EXPECT_THROW(selected("cpu"), vk::DeviceError);
  else
    EXPECT_EQ(selected("CPU"), cpu->uuid);
}

TEST_F(Devices, WhatIsThereIsListedWhereNothingMatches) {
  try {
    selected("voodoo 5 6000");
    FAIL();
  } catch (const vk::DeviceError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("no device matches 'voodoo 5 6000'"), std::string::npos) << message;
    EXPECT_NE(message.find(device().info().name), std::string::npos) << message;
    EXPECT_NE(message.find(device().info().uuid), std::string::npos) << message;
  }
}

TEST_F(Devices, KeepPipelines) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 256);
  plan.dispatch("count",
                "layout(std430, binding = 0) buffer A { uint a[]; }; void main() { "
                "a[gl_LocalInvocationIndex] = gl_LocalInvocationIndex * 7; }",
                1, 1, {writeBuffer(a, 0)});
  const PassId down = plan.download(a);
  std::map<std::string, std::vector<std::byte>> kept;
  int reads = 0, writes = 0;
  const vk::PipelineFiles files = {[&](const std::string& key) { return ++reads, kept[key]; },
                                   [&](const std::string& key, const std::vector<std::byte>& data) {
                                     ++writes;
                                     kept[key] = data;
                                   }};
  int writesOfRound[3] = {};
  for (int& own : writesOfRound) {
    vk::Device opened(deviceOptions());
    writes = 0;
    vk::Executable executable(opened, plan.schedule, plan.spirv, files);
    executable.run({});
    EXPECT_EQ(get<uint32_t>(executable.downloadMemory(down))[9], 63U);
    EXPECT_EQ(opened.validationMessages(), std::vector<std::string>{});
    own = writes;
    if (&own == &writesOfRound[1])  // another driver's data must not reach one
      for (auto& [key, data] : kept)
        std::fill(data.begin(), data.end(), std::byte{0x5a});
  }
  EXPECT_EQ(reads, 3);
  EXPECT_EQ(kept.size(), 1U);
  EXPECT_LE(writesOfRound[0], 1);  // none if the driver has its own cache
  EXPECT_EQ(writesOfRound[1], 0);
  EXPECT_EQ(writesOfRound[2], writesOfRound[0]);
}

// Several devices at once, from several instances, in any order of their ends.
TEST_F(Devices, RandomLiveSideBySide) {
  vk::DeviceOptions plain = deviceOptions();
  plain.validate = false;
  auto first = std::make_unique<vk::Device>(deviceOptions());
  auto second = std::make_unique<vk::Device>(plain);
  auto third = std::make_unique<vk::Device>(deviceOptions());
  first.reset();
  third.reset();
  Plan plan;
  const ResourceId a = plan.buffer("a", 64);
  const PassId up = plan.upload(a), down = plan.download(a);
  const auto executable = plan.build(*second);
  const std::vector<uint32_t> values = randomWords(16);
  put(executable->uploadMemory(up), values);
  executable->run({});
  EXPECT_EQ(get<uint32_t>(executable->downloadMemory(down)), values);
}

}  // namespace
}  // namespace lacuna::test
