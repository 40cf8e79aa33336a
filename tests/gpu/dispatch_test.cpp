// Dispatches: buffers, images, constants, parameters and arrays of bindings reach the shader as declared.

#include "tests/gpu/support.h"

namespace lacuna::test {
namespace {

class Dispatch : public GpuTest {};

TEST_F(Dispatch, RandomAddsTwoBuffers) {
  constexpr size_t count = 1000;
  Plan plan;
  const ResourceId a = plan.buffer("a", 4 * count), b = plan.buffer("b", 4 * count),
                   c = plan.buffer("c", 4 * count);
  const PassId upA = plan.upload(a), upB = plan.upload(b);
  plan.dispatch("add", R"(
    layout(std430, set = 0, binding = 0) readonly buffer A { uint a[]; };
    layout(std430, set = 0, binding = 1) readonly buffer B { uint b[]; };
    layout(std430, set = 0, binding = 2) writeonly buffer C { uint c[]; };
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i < c.length()) c[i] = a[i] + b[i];
    })",
                groupsFor(count), 1, {readBuffer(a, 0), readBuffer(b, 1), writeBuffer(c, 2)});
  const PassId down = plan.download(c);
  const auto executable = plan.build();
  const std::vector<uint32_t> first = randomWords(count), second = randomWords(count);
  put(executable->uploadMemory(upA), first);
  put(executable->uploadMemory(upB), second);
  executable->run({});
  const std::vector<uint32_t> sum = get<uint32_t>(executable->downloadMemory(down));
  ASSERT_EQ(sum.size(), count);
  for (size_t i = 0; i < count; ++i)
    ASSERT_EQ(sum[i], first[i] + second[i]) << i;
}

TEST_F(Dispatch, RandomRunsAgainWithNewInputs) {
  constexpr size_t count = 300;
  Plan plan;
  const ResourceId a = plan.buffer("a", 4 * count);
  const PassId up = plan.upload(a);
  plan.dispatch("triple", R"(
    layout(std430, binding = 0) buffer A { uint a[]; };
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i < a.length()) a[i] *= 3;
    })",
                groupsFor(count), 1, {updateBuffer(a, 0)});
  const PassId down = plan.download(a);
  const auto executable = plan.build();
  for (int frame = 0; frame < 4; ++frame) {
    std::vector<uint32_t> values = randomWords(count);
    put(executable->uploadMemory(up), values);
    executable->run({frame, frame == 0, {}});
    for (uint32_t& value : values)
      value *= 3;
    ASSERT_EQ(get<uint32_t>(executable->downloadMemory(down)), values) << "frame " << frame;
  }
}

// Mirrors an image along x, from a sampled to a storage image, with values that every format holds.
struct PixelType {
  ImageFormat format;
  const char* layout;
  const char* prefix;  // for image2D, sampler2D and vec4
  const char* vector;
  uint32_t components;
};

class ImageInOut : public GpuTest, public testing::WithParamInterface<PixelType> {};

TEST_P(ImageInOut, MirrorsAnImage) {
  const PixelType type = GetParam();
  constexpr uint32_t width = 127, height = 61;
  Plan plan;
  const ResourceId in = plan.image("in", ImageFormat::rgba32f, width, height);
  const ResourceId typed = plan.image("typed", type.format, width, height);
  const ResourceId back = plan.buffer("back", 4ULL * width * height * type.components);
  const PassId up = plan.upload(in);
  const std::string prefix = type.prefix, vector = type.vector;
  plan.dispatch("mirror",
                "layout(binding = 0) uniform sampler2D source;\n"
                "layout(binding = 1, " +
                    std::string(type.layout) + ") uniform writeonly " + prefix +
                    "image2D target;\n"
                    "void main() {\n"
                    "  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(target);\n"
                    "  if (p.x >= size.x) return;\n"
                    "  imageStore(target, p, " +
                    vector + "(texelFetch(source, ivec2(size.x - 1 - p.x, p.y), 0)));\n}",
                groupsFor(width), height, {sampleImage(in, 0), writeImage(typed, 1)});
  plan.dispatch("read back",
                "layout(binding = 0, " + std::string(type.layout) + ") uniform readonly " + prefix +
                    "image2D source;\n"
                    "layout(std430, binding = 1) writeonly buffer B { int values[]; };\n"
                    "void main() {\n"
                    "  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(source);\n"
                    "  if (p.x >= size.x) return;\n"
                    "  ivec4 v = ivec4(imageLoad(source, p));\n"
                    "  const int n = " +
                    std::to_string(type.components) +
                    ";\n"
                    "  for (int i = 0; i < n; ++i) values[(p.y * size.x + p.x) * n + i] = v[i];\n}",
                groupsFor(width), height, {readImage(typed, 0), writeBuffer(back, 1)});
  const PassId down = plan.download(back);
  const auto executable = plan.build();
  const std::vector<int32_t> integers = randomIntegers(4ULL * width * height, 1, 2000);
  put(executable->uploadMemory(up), std::vector<float>(integers.begin(), integers.end()));
  executable->run({});
  const auto values = get<int32_t>(executable->downloadMemory(down));
  for (uint32_t y = 0; y < height; ++y) {
    for (uint32_t x = 0; x < width; ++x) {
      for (uint32_t i = 0; i < type.components; ++i) {
        ASSERT_EQ(values[(y * width + x) * type.components + i],
                  integers[4 * (y * width + width - 1 - x) + i])
            << x << "," << y << "," << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(RandomAllFormats, ImageInOut,
                         testing::Values(PixelType{ImageFormat::rgba16f, "rgba16f", "", "vec4", 4},
                                         PixelType{ImageFormat::rgba32f, "rgba32f", "", "vec4", 4},
                                         PixelType{ImageFormat::r32f, "r32f", "", "vec4", 1},
                                         PixelType{ImageFormat::r32ui, "r32ui", "u", "uvec4", 1},
                                         PixelType{ImageFormat::rg32ui, "rg32ui", "u", "uvec4", 2},
                                         PixelType{ImageFormat::rgba32ui, "rgba32ui", "u", "uvec4", 4}),
                         [](const auto& each) { return std::string(each.param.layout); });

TEST_F(Dispatch, RandomSeesSpecializationAndPushConstants) {
  Plan plan;
  const ResourceId out = plan.buffer("out", 4 * 6);
  const PassId pass = plan.dispatch("constants", R"(
    layout(constant_id = 0) const int first = 1;
    layout(constant_id = 1) const int second = 2;
    layout(push_constant) uniform Push { int width, height, frame, first; } push;
    layout(std430, binding = 0) writeonly buffer Out { int o[]; };
    void main() {
      if (gl_GlobalInvocationID.x > 0) return;
      o[0] = first; o[1] = second;
      o[2] = push.width; o[3] = push.height; o[4] = push.frame; o[5] = push.first;
    })",
                                    1, 1, {writeBuffer(out, 0)});
  const std::vector<int32_t> values = randomIntegers(4, -1000000, 1000000);
  plan.pass(pass).specialization = {values[0], values[1]};
  plan.pass(pass).pushConstants = {values[2], values[3]};
  const PassId down = plan.download(out);
  const auto executable = plan.build();
  executable->run({7, true, {}});
  EXPECT_EQ(get<int32_t>(executable->downloadMemory(down)),
            (std::vector<int32_t>{values[0], values[1], values[2], values[3], 7, 1}));
  executable->run({8, false, {}});
  EXPECT_EQ(get<int32_t>(executable->downloadMemory(down)),
            (std::vector<int32_t>{values[0], values[1], values[2], values[3], 8, 0}));
}

TEST_F(Dispatch, RandomGetsItsOwnParameterBlock) {
  constexpr int passes = 5;
  Plan plan;
  std::vector<ResourceId> outs;
  std::vector<PassId> blocks, downs;
  const std::string glsl = R"(
    layout(scalar, binding = 0) uniform Block { float weights[5]; int levels; vec3 colour; } block;
    layout(std430, binding = 1) writeonly buffer Out { float o[]; };
    void main() {
      if (gl_GlobalInvocationID.x > 0) return;
      for (int i = 0; i < 5; ++i) o[i] = block.weights[i];
      o[5] = float(block.levels);
      for (int i = 0; i < 3; ++i) o[6 + i] = block.colour[i];
    })";
  for (int i = 0; i < passes; ++i) {
    outs.push_back(plan.buffer("out" + std::to_string(i), 36));
    blocks.push_back(plan.dispatch("block" + std::to_string(i), glsl, 1, 1, {writeBuffer(outs.back(), 1)}));
    plan.pass(blocks.back()).blockBytes = 36;
  }
  for (const ResourceId out : outs)
    downs.push_back(plan.download(out));
  const auto executable = plan.build();
  for (int frame = 0; frame < 3; ++frame) {
    const std::vector<int32_t> values = randomIntegers(9 * passes, -9999, 9999);
    const auto fill = [&](PassId pass, std::span<std::byte> block) {
      ASSERT_EQ(block.size(), 36U);
      const auto number = static_cast<size_t>(std::find(blocks.begin(), blocks.end(), pass) - blocks.begin());
      for (size_t i = 0; i < 9; ++i) {
        ASSERT_EQ(block[4 * i], std::byte{0}) << "not zeroed before";
        const int32_t integer = values[9 * number + i];
        const auto real = static_cast<float>(integer);
        std::memcpy(block.data() + 4 * i, i == 5 ? static_cast<const void*>(&integer) : &real, 4);
      }
    };
    executable->run({frame, frame == 0, fill});
    for (size_t i = 0; i < passes; ++i) {
      const std::vector<float> expected(values.begin() + static_cast<long>(9 * i),
                                        values.begin() + static_cast<long>(9 * i + 9));
      EXPECT_EQ(get<float>(executable->downloadMemory(downs[i])), expected) << "pass " << i;
    }
  }
}

TEST_F(Dispatch, RandomReachesArraysOfBindings) {
  constexpr size_t count = 100;
  Plan plan;
  std::vector<ResourceId> inputs, images;
  std::vector<PassId> uploads;
  for (int i = 0; i < 3; ++i) {
    inputs.push_back(plan.buffer("in" + std::to_string(i), 4 * count));
    uploads.push_back(plan.upload(inputs.back()));
  }
  for (int i = 0; i < 2; ++i) {
    images.push_back(plan.image("image" + std::to_string(i), ImageFormat::rgba32f, count, 1));
    uploads.push_back(plan.upload(images.back()));
  }
  const ResourceId out = plan.buffer("out", 4 * count);
  plan.dispatch("combine", R"(
    layout(std430, binding = 1) readonly buffer In { uint v[]; } ins[3];
    layout(binding = 2) uniform sampler2D images[2];
    layout(std430, binding = 3) writeonly buffer Out { uint o[]; };
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i >= o.length()) return;
      uint sum = 0;
      for (int k = 0; k < 3; ++k) sum = sum * 7 + ins[k].v[i];
      sum = sum * 7 + floatBitsToUint(texelFetch(images[0], ivec2(i, 0), 0).y);
      sum = sum * 7 + floatBitsToUint(texelFetch(images[1], ivec2(i, 0), 0).w);
      o[i] = sum;
    })",
                groupsFor(count), 1,
                {readBuffer(inputs[0], 1, 0), readBuffer(inputs[1], 1, 1), readBuffer(inputs[2], 1, 2),
                 sampleImage(images[0], 2, 0), sampleImage(images[1], 2, 1), writeBuffer(out, 3)});
  const PassId down = plan.download(out);
  const auto executable = plan.build();
  std::vector<std::vector<uint32_t>> values;
  for (size_t i = 0; i < 5; ++i) {
    values.push_back(randomWords(i < 3 ? count : 4 * count));
    for (uint32_t& word : values.back())
      word = i < 3 ? word : (word & 0x007fffffU) | 0x3f800000U;  // in [1, 2): no NaN whose bits could change
    put(executable->uploadMemory(uploads[i]), values.back());
  }
  executable->run({});
  const auto sums = get<uint32_t>(executable->downloadMemory(down));
  for (size_t i = 0; i < count; ++i) {
    uint32_t sum = 0;
    for (const uint32_t next :
         {values[0][i], values[1][i], values[2][i], values[3][4 * i + 1], values[4][4 * i + 3]})
      sum = sum * 7 + next;
    ASSERT_EQ(sums[i], sum) << i;
  }
}

// One resource at two bindings of a pass.
TEST_F(Dispatch, RandomMayBindAResourceTwice) {
  constexpr size_t count = 128;
  Plan plan;
  const ResourceId a = plan.buffer("a", 4 * count);
  const PassId up = plan.upload(a);
  plan.dispatch("halves", R"(
    layout(std430, binding = 0) readonly buffer A { uint a[]; };
    layout(std430, binding = 1) writeonly buffer B { uint b[]; };
    void main() {
      uint i = gl_GlobalInvocationID.x;
      if (i < 64) b[64 + i] = a[i] ^ 0xffu;
    })",
                1, 1, {readBuffer(a, 0), writeBuffer(a, 1)});
  const PassId down = plan.download(a);
  const auto executable = plan.build();
  const std::vector<uint32_t> values = randomWords(count);
  put(executable->uploadMemory(up), values);
  executable->run({});
  const auto result = get<uint32_t>(executable->downloadMemory(down));
  for (size_t i = 0; i < 64; ++i) {
    ASSERT_EQ(result[i], values[i]);
    ASSERT_EQ(result[64 + i], values[i] ^ 0xffU);
  }
}

}  // namespace
}  // namespace lacuna::test
