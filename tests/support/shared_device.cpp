#include "tests/support/shared_device.h"

#include <gtest/gtest.h>

#include <map>

namespace lacuna::test {
namespace {

class Devices : public testing::Environment {
 public:
  std::map<std::string, vk::Device> byName;

 private:
  void TearDown() override { byName.clear(); }
};

// googletest's, which deletes it.
auto* const devices = static_cast<Devices*>(testing::AddGlobalTestEnvironment(new Devices));

}  // namespace

vk::Device& sharedDevice(const std::string& name, const vk::DeviceOptions& options) {
  return devices->byName.try_emplace(name, options).first->second;
}

}  // namespace lacuna::test
