// Uploads, downloads, fills and copies move every bit, for all formats and at odd sizes.

#include <array>
#include <tuple>

#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

struct Size {
  uint32_t width, height;
};

struct Kind {
  const char* name;
  ImageFormat format;
  uint32_t words;  // a pixel
  bool isBuffer;
};

class Transfer : public GpuTest, public testing::WithParamInterface<std::tuple<Kind, Size>> {
 protected:
  Kind kind() const { return std::get<0>(GetParam()); }
  size_t words() const {
    const Size size = std::get<1>(GetParam());
    return static_cast<size_t>(size.width) * size.height * kind().words;
  }
  ResourceId add(Plan& plan, const std::string& name) const {
    const Size size = std::get<1>(GetParam());
    return kind().isBuffer ? plan.buffer(name, 4 * words())
                           : plan.image(name, kind().format, size.width, size.height);
  }
};

TEST_P(Transfer, RoundTrip) {
  Plan plan;
  const ResourceId a = add(plan, "a");
  const PassId up = plan.upload(a), down = plan.download(a);
  const auto executable = plan.build();
  for (int frame = 0; frame < 2; ++frame) {
    const std::vector<uint32_t> values = randomWords(words());
    put(executable->uploadMemory(up), values);
    executable->run({frame, frame == 0, {}});
    ASSERT_EQ(get<uint32_t>(executable->downloadMemory(down)), values);
  }
}

TEST_P(Transfer, CopyToTheSameKind) {
  Plan plan;
  const ResourceId a = add(plan, "a"), b = add(plan, "b");
  const PassId up = plan.upload(a);
  plan.copy(a, b);
  const PassId down = plan.download(b);
  const auto executable = plan.build();
  const std::vector<uint32_t> values = randomWords(words());
  put(executable->uploadMemory(up), values);
  executable->run({});
  ASSERT_EQ(get<uint32_t>(executable->downloadMemory(down)), values);
}

// Into a buffer, and back into the kind.
TEST_P(Transfer, CopyThroughABuffer) {
  Plan plan;
  const ResourceId a = add(plan, "a"), b = plan.buffer("b", 4 * words()), c = add(plan, "c");
  const PassId up = plan.upload(a);
  plan.copy(a, b);
  plan.copy(b, c);
  const PassId down = plan.download(c);
  const auto executable = plan.build();
  const std::vector<uint32_t> values = randomWords(words());
  put(executable->uploadMemory(up), values);
  executable->run({});
  ASSERT_EQ(get<uint32_t>(executable->downloadMemory(down)), values);
}

TEST_P(Transfer, FillOverwrites) {
  Plan plan;
  const ResourceId a = add(plan, "a");
  const PassId up = plan.upload(a), before = plan.download(a);
  plan.fill(a);
  const PassId after = plan.download(a);
  const auto executable = plan.build();
  const std::vector<uint32_t> values = randomWords(words());
  put(executable->uploadMemory(up), values);
  executable->run({});
  ASSERT_EQ(get<uint32_t>(executable->downloadMemory(before)), values);
  ASSERT_EQ(get<uint32_t>(executable->downloadMemory(after)), std::vector<uint32_t>(words()));
}

constexpr std::array<Kind, 7> kinds = {{{"buffer", ImageFormat::r32ui, 1, true},
                                        {"rgba16f", ImageFormat::rgba16f, 2, false},
                                        {"rgba32f", ImageFormat::rgba32f, 4, false},
                                        {"r32f", ImageFormat::r32f, 1, false},
                                        {"r32ui", ImageFormat::r32ui, 1, false},
                                        {"rg32ui", ImageFormat::rg32ui, 2, false},
                                        {"rgba32ui", ImageFormat::rgba32ui, 4, false}}};

INSTANTIATE_TEST_SUITE_P(RandomAll, Transfer,
                         testing::Combine(testing::ValuesIn(kinds),
                                          testing::Values(Size{1, 1}, Size{17, 1}, Size{127, 509})),
                         [](const auto& each) {
                           const Size size = std::get<1>(each.param);
                           return std::string(std::get<0>(each.param).name) + "_" +
                                  std::to_string(size.width) + "x" + std::to_string(size.height);
                         });

class TransferErrors : public GpuTest {};

TEST_F(TransferErrors, OnlyTransfersHaveHostMemory) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 64);
  const PassId fill = plan.fill(a), down = plan.download(a);
  const auto executable = plan.build();
  EXPECT_EQ(executable->downloadMemory(down).size(), 64U);
  EXPECT_THROW(executable->downloadMemory(fill), vk::DeviceError);
  EXPECT_THROW(executable->uploadMemory(PassId(99)), vk::DeviceError);
}

}  // namespace
}  // namespace lacuna::test
