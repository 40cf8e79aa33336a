// Timestamps: finite, positive, and consistent with each other.

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

class Timing : public GpuTest {};

const char* const busyGlsl = R"(
  layout(std430, binding = 0) buffer A { uint a[]; };
  layout(constant_id = 0) const int rounds = 1;
  void main() {
    uint i = gl_GlobalInvocationID.x, x = a[i];
    for (int k = 0; k < rounds; ++k) x = (x ^ (x >> 3)) * 1664525u + 1013904223u;
    a[i] = x;
  })";

constexpr uint32_t groups = 64;
constexpr size_t count = size_t{64} * groups;

// upload, light, heavy, fill, download
Plan busyPlan() {
  Plan plan;
  const ResourceId a = plan.buffer("a", 4 * count), b = plan.buffer("b", 4 * count);
  plan.upload(a);
  plan.pass(plan.dispatch("light", busyGlsl, groups, 1, {updateBuffer(a, 0)})).specialization = {1};
  plan.pass(plan.dispatch("heavy", busyGlsl, groups, 1, {updateBuffer(a, 0)})).specialization = {20000};
  plan.fill(b);
  plan.download(a);
  return plan;
}

TEST_F(Timing, RandomPerPassTimesAddUp) {
  const auto executable = busyPlan().build();
  const std::vector<uint32_t> values = randomWords(count);
  put(executable->uploadMemory(PassId(0)), values);
  executable->run({});  // compiles
  const auto start = std::chrono::steady_clock::now();
  const vk::Timings timings = executable->time({}, true);
  const std::chrono::duration<double, std::milli> wall = std::chrono::steady_clock::now() - start;
  ASSERT_EQ(timings.passMs.size(), 5U);
  for (const double ms : timings.passMs) {
    EXPECT_TRUE(std::isfinite(ms));
    EXPECT_GE(ms, 0.0);
  }
  // A busy machine may delay either, so the smallest time of some runs decides.
  double light = timings.passMs[PassId(1)];
  double heavy = timings.passMs[PassId(2)];
  for (int run = 0; run < 5; ++run) {
    const vk::Timings again = executable->time({}, true);
    light = std::min(light, again.passMs[PassId(1)]);
    heavy = std::min(heavy, again.passMs[PassId(2)]);
  }
  EXPECT_GT(heavy, light) << "20000 rounds against one";
  EXPECT_GE(timings.totalMs * 1.001,
            timings.passMs[PassId(1)] + timings.passMs[PassId(2)] + timings.passMs[PassId(3)]);
  EXPECT_GT(timings.totalMs, 0.0);
  EXPECT_LE(timings.totalMs, wall.count() * 1.05);
}

TEST_F(Timing, RandomTotalAlone) {
  const auto executable = busyPlan().build();
  put(executable->uploadMemory(PassId(0)), randomWords(count));
  executable->run({});
  const vk::Timings timings = executable->time({}, false);
  EXPECT_TRUE(timings.passMs.empty());
  EXPECT_TRUE(std::isfinite(timings.totalMs));
  EXPECT_GT(timings.totalMs, 0.0);
}

// A pass that changes its input, so that each run shows.
TEST_F(Timing, RandomRunsPassesInARow) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 4 * count), b = plan.buffer("b", 4 * count);
  const PassId up = plan.upload(a);
  const PassId triple = plan.dispatch("triple", R"(
    layout(std430, binding = 0) buffer A { uint a[]; };
    void main() { a[gl_GlobalInvocationID.x] *= 3; })",
                                      groups, 1, {updateBuffer(a, 0)});
  plan.dispatch("copy", R"(
    layout(std430, binding = 0) readonly buffer A { uint a[]; };
    layout(std430, binding = 1) writeonly buffer B { uint b[]; };
    void main() { b[gl_GlobalInvocationID.x] = a[gl_GlobalInvocationID.x]; })",
                groups, 1, {readBuffer(a, 0), writeBuffer(b, 1)});
  const PassId down = plan.download(b);
  const auto executable = plan.build();
  std::vector<uint32_t> expected = randomWords(count);
  put(executable->uploadMemory(up), expected);
  // Only the first frame runs the upload: later ones continue from its values.
  for (const int times : {1, 0, 2, 5}) {
    vk::Frame frame;
    frame.first = false;
    frame.repeats = [&](PassId pass) { return pass == triple ? times : pass == up && times != 1 ? 0 : 1; };
    const vk::Timings timings = executable->time(frame, true);
    EXPECT_TRUE(std::isfinite(timings.passMs[triple]));
    for (uint32_t& value : expected)
      for (int i = 0; i < times; ++i)
        value *= 3;
    ASSERT_EQ(get<uint32_t>(executable->downloadMemory(down)), expected) << times << " times";
  }
}

// Transfers between the dispatches are left out of the total, and results are those of an untimed run.
TEST_F(Timing, RandomInterleavedTransfersDoNotCount) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 4 * count), b = plan.buffer("b", 4 * count);
  const PassId upA = plan.upload(a);
  plan.dispatch("first", busyGlsl, groups, 1, {updateBuffer(a, 0)});
  const PassId downA = plan.download(a), upB = plan.upload(b);
  plan.dispatch("second", busyGlsl, groups, 1, {updateBuffer(b, 0)});
  const PassId downB = plan.download(b);
  const auto executable = plan.build();
  const std::vector<uint32_t> values = randomWords(count);
  put(executable->uploadMemory(upA), values);
  put(executable->uploadMemory(upB), values);
  executable->run({});
  const auto untimed = get<uint32_t>(executable->downloadMemory(downA));
  EXPECT_NE(untimed, values);
  const vk::Timings timings = executable->time({}, true);
  ASSERT_EQ(timings.passMs.size(), 6U);
  EXPECT_NEAR(timings.totalMs, timings.passMs[PassId(1)] + timings.passMs[PassId(4)], 1e-6);
  const vk::Timings total = executable->time({}, false);
  EXPECT_GT(total.totalMs, 0.0);
  EXPECT_EQ(get<uint32_t>(executable->downloadMemory(downA)), untimed);
  EXPECT_EQ(get<uint32_t>(executable->downloadMemory(downB)), untimed);
}

}  // namespace
}  // namespace lacuna::test
