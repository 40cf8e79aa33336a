// A schedule's promises beyond single passes: order, shared memory, and values kept between frames.

#include "tests/gpu/support.h"
#include "tests/support/check_barriers.h"

namespace lacuna::test {
namespace {

class Schedules : public GpuTest {};

const char* const stepGlsl = R"(
  layout(std430, binding = 0) readonly buffer A { uint a[]; };
  layout(std430, binding = 1) writeonly buffer B { uint b[]; };
  layout(constant_id = 0) const int add = 0;
  void main() {
    uint i = gl_GlobalInvocationID.x;
    if (i < b.length()) b[i] = a[b.length() - 1 - i] * 5 + uint(add);
  })";

bool overlap(const Placement& a, const Placement& b) {
  return a.arena == b.arena && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

// Each pass reverses, so a pass that starts too early reads what is not yet there.
TEST_F(Schedules, RandomChainOfTenPassesInSharedMemory) {
  constexpr size_t count = 20000;
  constexpr int steps = 10;
  Plan plan;
  std::vector<ResourceId> buffers;
  for (int i = 0; i <= steps; ++i)
    buffers.push_back(plan.buffer("step" + std::to_string(i), 4 * count));
  const PassId up = plan.upload(buffers[0]);
  for (size_t i = 0; i < steps; ++i) {
    const PassId pass = plan.dispatch("step" + std::to_string(i), stepGlsl, groupsFor(count), 1,
                                      {readBuffer(buffers[i], 0), writeBuffer(buffers[i + 1], 1)});
    plan.pass(pass).specialization = {static_cast<int32_t>(i) + 1};
  }
  const PassId down = plan.download(buffers.back());
  const auto executable = plan.build();
  EXPECT_EQ(checkBarriers(executable->schedule()), std::vector<std::string>{});
  EXPECT_LT(executable->schedule().arenaBytes, 4 * count * (steps + 1) / 2);
  const Table<ResourceId, Placement>& at = executable->schedule().placements;
  EXPECT_TRUE(overlap(at[buffers[0]], at[buffers[2]]) || overlap(at[buffers[0]], at[buffers[3]]));
  for (int frame = 0; frame < 3; ++frame) {
    std::vector<uint32_t> values = randomWords(count);
    put(executable->uploadMemory(up), values);
    executable->run({frame, frame == 0, {}});
    for (uint32_t i = 0; i < steps; ++i) {
      std::vector<uint32_t> next(count);
      for (size_t k = 0; k < count; ++k)
        next[k] = values[count - 1 - k] * 5 + i + 1;
      values = next;
    }
    ASSERT_EQ(get<uint32_t>(executable->downloadMemory(down)), values);
  }
}

// An image, and then a buffer, in the memory of others whose time is over.
TEST_F(Schedules, RandomImagesAndBuffersFollowEachOther) {
  constexpr uint32_t width = 64, height = 33;
  constexpr size_t count = static_cast<size_t>(width) * height;
  Plan plan;
  const ResourceId a = plan.buffer("a", 4 * count), b = plan.image("b", ImageFormat::r32ui, width, height);
  const ResourceId c = plan.buffer("c", 4 * count), d = plan.image("d", ImageFormat::r32ui, width, height);
  const ResourceId e = plan.buffer("e", 4 * count);
  const std::string toImage = R"(
    layout(std430, binding = 0) readonly buffer A { uint a[]; };
    layout(binding = 1, r32ui) uniform writeonly uimage2D b;
    void main() {
      ivec2 p = ivec2(gl_GlobalInvocationID.xy);
      imageStore(b, p, uvec4(a[p.y * 64 + p.x] * 3 + 1));
    })";
  const std::string toBuffer = R"(
    layout(binding = 0) uniform usampler2D b;
    layout(std430, binding = 1) writeonly buffer C { uint c[]; };
    void main() {
      ivec2 p = ivec2(gl_GlobalInvocationID.xy);
      c[p.y * 64 + p.x] = texelFetch(b, p, 0).x * 3 + 1;
    })";
  const PassId up = plan.upload(a);
  plan.dispatch("a to b", toImage, 1, height, {readBuffer(a, 0), writeImage(b, 1)});
  plan.dispatch("b to c", toBuffer, 1, height, {sampleImage(b, 0), writeBuffer(c, 1)});
  plan.dispatch("c to d", toImage, 1, height, {readBuffer(c, 0), writeImage(d, 1)});
  plan.dispatch("d to e", toBuffer, 1, height, {sampleImage(d, 0), writeBuffer(e, 1)});
  const PassId down = plan.download(e);
  const auto executable = plan.build();
  const Table<ResourceId, Placement>& at = executable->schedule().placements;
  EXPECT_TRUE(overlap(at[a], at[c]) || overlap(at[a], at[d])) << "a's memory is never used again";
  EXPECT_LT(executable->schedule().arenaBytes, executable->schedule().unaliasedBytes);
  for (int frame = 0; frame < 2; ++frame) {
    std::vector<uint32_t> values = randomWords(count);
    put(executable->uploadMemory(up), values);
    executable->run({frame, frame == 0, {}});
    for (uint32_t& value : values)
      value = value * 81 + 27 + 9 + 3 + 1;
    ASSERT_EQ(get<uint32_t>(executable->downloadMemory(down)), values);
  }
}

// history = history * 3 + input, frame after frame; zero before the first one, and before the fifth.
void expectHistory(vk::Executable& executable, PassId up, PassId down, uint32_t width) {
  std::vector<uint32_t> expected(width);
  for (int frame = 0; frame < 7; ++frame) {
    const bool first = frame == 0 || frame == 4;
    const std::vector<uint32_t> values = randomWords(width);
    put(executable.uploadMemory(up), values);
    executable.run({frame, first, {}});
    for (size_t i = 0; i < width; ++i)
      expected[i] = (first ? 0 : expected[i] * 3) + values[i];
    ASSERT_EQ(get<uint32_t>(executable.downloadMemory(down)), expected) << "frame " << frame;
  }
}

class Persistent : public GpuTest, public testing::WithParamInterface<ResourceKind> {};

// history = history * 3 + input: zero in the first frame, kept after it, and zeroed by another first frame.
TEST_P(Persistent, IsZeroFirstAndKeptAfter) {
  constexpr uint32_t width = 50;
  const bool isImage = GetParam() == ResourceKind::image;
  Plan plan;
  const ResourceId in = plan.buffer("in", 4 * width), scratch = plan.buffer("scratch", 4 * width);
  const ResourceId history =
      isImage ? plan.image("history", ImageFormat::r32ui, width, 1) : plan.buffer("history", 4 * width);
  plan.resource(history).persistent = true;
  const PassId up = plan.upload(in);
  plan.copy(history, scratch);
  const PassId pass = plan.dispatch("add", R"(
    layout(std430, binding = 0) readonly buffer A { uint a[]; };
    layout(std430, binding = 1) buffer B { uint b[]; };
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i < b.length()) b[i] = b[i] * 3 + a[i];
    })",
                                    1, 1, {readBuffer(in, 0), updateBuffer(scratch, 1)});
  plan.copy(scratch, history);
  const PassId down = plan.download(history);
  const auto executable = plan.build();
  EXPECT_TRUE(pass);
  expectHistory(*executable, up, down, width);
}

// The same, without a copy: what a frame wrote is what the next one reads.
TEST_P(Persistent, ChangesPlaces) {
  constexpr uint32_t width = 50;
  const bool isImage = GetParam() == ResourceKind::image;
  Plan plan;
  const auto place = [&](const char* name) {
    const ResourceId made =
        isImage ? plan.image(name, ImageFormat::r32ui, width, 1) : plan.buffer(name, 4 * width);
    plan.resource(made).persistent = true;
    return made;
  };
  const ResourceId in = plan.buffer("in", 4 * width);
  const ResourceId now = place("now");
  const ResourceId last = place("last");
  plan.schedule.swaps.push_back({now, last});
  const PassId up = plan.upload(in);
  const std::string declarations =
      isImage ? "layout(r32ui, binding = 1) readonly uniform uimage2D L;\n"
                "layout(r32ui, binding = 2) writeonly uniform uimage2D N;\n"
                "uint before(uint i) { return imageLoad(L, ivec2(i, 0)).x; }\n"
                "void put(uint i, uint v) { imageStore(N, ivec2(i, 0), uvec4(v)); }\n"
              : "layout(std430, binding = 1) readonly buffer L { uint l[]; };\n"
                "layout(std430, binding = 2) writeonly buffer N { uint n[]; };\n"
                "uint before(uint i) { return l[i]; }\n"
                "void put(uint i, uint v) { n[i] = v; }\n";
  plan.dispatch("add",
                "layout(std430, binding = 0) readonly buffer A { uint a[]; };\n" + declarations +
                    "void main() { uint i = gl_GlobalInvocationID.x;\n"
                    "  if (i < a.length()) put(i, before(i) * 3 + a[i]); }",
                1, 1,
                {readBuffer(in, 0), isImage ? readImage(last, 1) : readBuffer(last, 1),
                 isImage ? writeImage(now, 2) : writeBuffer(now, 2)});
  const PassId down = plan.download(now);
  const auto executable = plan.build();
  expectHistory(*executable, up, down, width);
}

INSTANTIATE_TEST_SUITE_P(RandomKinds, Persistent, testing::Values(ResourceKind::buffer, ResourceKind::image),
                         [](const auto& each) {
                           return std::string(each.param == ResourceKind::image ? "image" : "buffer");
                         });

TEST_F(Schedules, UnusedResourcesTakeNoMemory) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 4096);
  plan.buffer("unused", 1 << 20);
  plan.image("unused image", ImageFormat::rgba32f, 512, 512);
  plan.fill(a);
  const PassId down = plan.download(a);
  const auto executable = plan.build();
  executable->run({});
  EXPECT_LT(executable->schedule().arenaBytes, 65536U);
  EXPECT_EQ(executable->downloadMemory(down).size(), 4096U);
}

TEST_F(Schedules, RandomExecutablesSharePipelines) {
  Plan plan;
  const ResourceId a = plan.buffer("a", 400), b = plan.buffer("b", 400), c = plan.buffer("c", 400);
  const PassId up = plan.upload(a);
  const std::string unique = "// in this test alone\nconst uint salt = 43126u;\n" + std::string(stepGlsl);
  std::string glsl = unique;
  glsl.replace(glsl.find("uint(add)"), 9, "uint(add) + salt");
  const PassId first = plan.dispatch("one", glsl, 2, 1, {readBuffer(a, 0), writeBuffer(b, 1)});
  const PassId second = plan.dispatch("two", glsl, 2, 1, {readBuffer(b, 0), writeBuffer(c, 1)});
  const PassId down = plan.download(c);
  const size_t before = device().pipelineCount();
  const auto executable = plan.build();
  EXPECT_EQ(device().pipelineCount(), before + 1) << "two passes of one shader";
  const auto again = plan.build();
  EXPECT_EQ(device().pipelineCount(), before + 1) << "the same executable again";
  const std::vector<uint32_t> values = randomWords(100);
  for (const auto& each : {executable.get(), again.get()}) {
    put(each->uploadMemory(up), values);
    each->run({});
  }
  EXPECT_EQ(get<uint32_t>(executable->downloadMemory(down)), get<uint32_t>(again->downloadMemory(down)));
  plan.pass(first).specialization = {1};
  plan.pass(second).specialization = {2};
  const auto other = plan.build();
  EXPECT_EQ(device().pipelineCount(), before + 3) << "other constants are other pipelines";
  put(other->uploadMemory(up), values);
  other->run({});
  EXPECT_NE(get<uint32_t>(executable->downloadMemory(down)), get<uint32_t>(other->downloadMemory(down)));
}

}  // namespace
}  // namespace lacuna::test
