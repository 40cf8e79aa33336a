// The other tests would see a validation message: mistakes made on purpose, on a separate device.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

bool mentions(const std::vector<std::string>& messages, const std::string& word) {
  return std::any_of(messages.begin(), messages.end(),
                     [&](const std::string& message) { return message.find(word) != std::string::npos; });
}

class Validation : public GpuTest {
 protected:
  void SetUp() override {
    if (!isValidated())
      GTEST_SKIP() << "without the validation layer";
    GpuTest::SetUp();
  }
};

// The shader uses a binding that the pass doesn't have. Only built: it must not run.
TEST_F(Validation, CoreMistakesAreSeen) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 256);
  plan.dispatch("overreach",
                "layout(std430, binding = 0) buffer A { int a[]; };\n"
                "layout(std430, binding = 3) buffer B { int b[]; };\n"
                "void main() { a[gl_LocalInvocationIndex] = b[gl_LocalInvocationIndex]; }",
                1, 1, {writeBuffer(a, 0)});
  vk::Device own(deviceOptions());
  EXPECT_EQ(own.validationMessages(), std::vector<std::string>{});
  const auto executable = plan.build(own);
  EXPECT_TRUE(mentions(own.validationMessages(), "VUID-"));
}

// The first pass writes what it declares to read, so there is no barrier before the second.
TEST_F(Validation, HazardsAreSeen) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 256), b = plan.buffer("b", 256);
  plan.fill(a);
  plan.dispatch("liar",
                "layout(std430, binding = 0) buffer A { uint a[]; };\n"
                "void main() { a[gl_LocalInvocationIndex] = 3; }",
                1, 1, {readBuffer(a, 0)});
  plan.dispatch("victim",
                "layout(std430, binding = 0) readonly buffer A { uint a[]; };\n"
                "layout(std430, binding = 1) writeonly buffer B { uint b[]; };\n"
                "void main() { b[gl_LocalInvocationIndex] = a[gl_LocalInvocationIndex]; }",
                1, 1, {readBuffer(a, 0), writeBuffer(b, 1)});
  vk::Device own(deviceOptions());
  const auto executable = plan.build(own);
  EXPECT_EQ(own.validationMessages(), std::vector<std::string>{});
  executable->run({});
  // Later layers name it only by words.
  const std::vector<std::string> messages = own.validationMessages();
  EXPECT_TRUE(mentions(messages, "SYNC-HAZARD") || mentions(messages, "hazard detected"))
      << fmt::format("{}", fmt::join(messages, "\n"));
  EXPECT_TRUE(mentions(messages, "buffer a")) << "its name";
  EXPECT_TRUE(mentions(messages, "victim")) << "the pass's name";
}

}  // namespace
}  // namespace lacuna::test
