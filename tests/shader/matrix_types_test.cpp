// Cooperative matrices in SPIR-V, which the compiler only knows as numbers of instructions.

#include "graph/shader/spirv.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <spirv/unified1/spirv.hpp11>

#include "graph/config/text.h"
#include "graph/shader/generate/prelude.h"

namespace lacuna::test {
namespace {

using Words = std::vector<uint32_t>;

constexpr uint32_t matrixType = 4456, matrixLoad = 4457, matrixStore = 4458, multiplyAdd = 4459;

class MatrixTypes : public testing::Test {
 protected:
  // shared/matrix.glsl by the KHR extension, the buffers `words`, `quads`, `numbers` and, by their addresses,
  // `far` and `farHalves`; and a main function.
  static SpirvWords compiled(const std::string& body, const std::string& defines = {}) {
    const std::string folder = std::string(LACUNA_MODULE_FOLDER) + "/shared/";
    std::string text = readTextFile(folder + "matrix.glsl").text;
    const std::string include = "#include \"shared/matrix_khr.glsl\"";
    text.replace(text.find(include), include.size(), readTextFile(folder + "matrix_khr.glsl").text);
    for (const char* other :
         {"#include \"shared/matrix_nv.glsl\"", "#include \"shared/matrix_emulated.glsl\""})
      text.replace(text.find(other), std::string(other).size(), "");
    return compileGlsl(
        "#version 450\n#extension GL_EXT_buffer_reference : require\n#extension "
        "GL_EXT_buffer_reference_uvec2 : "
        "require\n#extension GL_EXT_shader_explicit_arithmetic_types_float16 : require\n#extension "
        "GL_EXT_shader_16bit_storage : require\n" +
            matrixExtensions({MatrixKind::khr, true, false}) + defines + R"(
layout(local_size_x = 32) in;
layout(push_constant) uniform Push { uvec2 address; } push;
layout(std430, binding = 1) readonly restrict buffer Words { uint data[]; } words;
layout(std430, binding = 2) readonly restrict buffer Quads { uvec4 data[]; } quads;
layout(std430, binding = 3) restrict buffer Numbers { float data[]; } numbers;
layout(buffer_reference, std430, buffer_reference_align = 16) restrict buffer Far { uvec4 data[]; };
layout(buffer_reference, std430, buffer_reference_align = 2) restrict buffer FarHalves { float16_t data[]; };
#define far Far(push.address)
#define farHalves FarHalves(push.address)
)" + text + "\nvoid main() {\n" +
            body + "\n}\n",
        "test");
  }

  static std::vector<Words> instructions(const SpirvWords& words) {
    std::vector<Words> all;
    for (size_t i = 5; i < words.size(); i += words[i] >> 16U) {
      all.emplace_back(words.begin() + static_cast<ptrdiff_t>(i),
                       words.begin() + static_cast<ptrdiff_t>(i + (words[i] >> 16U)));
    }
    return all;
  }

  static std::vector<Words> those(const SpirvWords& words, uint32_t op) {
    std::vector<Words> found;
    for (const Words& each : instructions(words))
      if ((each[0] & 0xffffU) == op)
        found.push_back(each);
    return found;
  }

  // Each type of a matrix names a float type in front of it, no type appears twice, ids are within the
  // bound.
  static void expectTypes(const SpirvWords& words, const std::multiset<uint32_t>& widths) {
    std::map<uint32_t, uint32_t> floats;
    std::set<Words> types;
    std::multiset<uint32_t> found;
    for (const Words& each : instructions(words)) {
      const uint32_t op = each[0] & 0xffffU;
      if (op == static_cast<uint32_t>(spv::Op::OpTypeFloat))
        floats[each[1]] = each[2];
      if (op == static_cast<uint32_t>(spv::Op::OpTypeFloat) || op == matrixType) {
        EXPECT_LT(each[1], words[3]);
        Words type = each;
        type[1] = 0;
        EXPECT_TRUE(types.insert(type).second) << "a type that appears twice";
      }
      if (op == matrixType) {
        ASSERT_EQ(floats.count(each[2]), 1U) << "component type " << each[2];
        found.insert(floats[each[2]]);
      }
    }
    EXPECT_EQ(found, widths);
  }

  static bool hasCapability(const SpirvWords& words, uint32_t capability) {
    const auto all = those(words, static_cast<uint32_t>(spv::Op::OpCapability));
    return std::any_of(all.begin(), all.end(), [&](const Words& each) { return each[1] == capability; });
  }

  static constexpr const char* product = R"(
  MatrixA a[2];
  MatrixB b;
  MATRIX_LOAD_A(a[0], quads.data, 4, matrixRows, 2);
  MATRIX_LOAD_A(a[1], words.data, 64, matrixColumns, 8);
  MATRIX_LOAD_B(b, quads.data, 0, matrixColumns, 2);
  MatrixC sum[2];
  for (int i = 0; i < 2; ++i) sum[i] = matrixScale(matrixMultiplyAdd(a[i], b, matrixFill(0.5)), 2.0);
)";
};

TEST_F(MatrixTypes, NameTheirComponents) {
  const SpirvWords words =
      compiled(std::string(product) + "MATRIX_STORE_C(numbers.data, 0, sum[0], matrixRows, 16);");
  expectTypes(words, {16, 16, 32});
  EXPECT_TRUE(hasCapability(words, 6022));
  EXPECT_TRUE(hasCapability(words, static_cast<uint32_t>(spv::Capability::Float16)));
  EXPECT_TRUE(hasCapability(words, static_cast<uint32_t>(spv::Capability::VulkanMemoryModel)));
  EXPECT_EQ(those(words, multiplyAdd).size(), 1U);
  EXPECT_EQ(std::count(words.begin(), words.end(), halfPlaceholder), 0);
  EXPECT_EQ(std::count(words.begin(), words.end(), floatPlaceholder), 0);
}

TEST_F(MatrixTypes, OfSumsInHalfPrecisionAreThree) {
  const SpirvWords words = compiled(
      std::string(product) + "MATRIX_STORE_H(farHalves.data, 0, matrixToHalf(sum[1]), matrixRows, 16);",
      "#define ACCUMULATE_F16\n");
  expectTypes(words, {16, 16, 16});
}

TEST_F(MatrixTypes, OfHalvesToStoreDifferFromSums) {
  const SpirvWords words = compiled(
      std::string(product) + "MATRIX_STORE_H(farHalves.data, 0, matrixToHalf(sum[1]), matrixRows, 16);");
  expectTypes(words, {16, 16, 16, 32});
}

TEST_F(MatrixTypes, AreTouchedNowhereElse) {
  const std::string plain = "#version 450\nlayout(local_size_x = 1) in;\nvoid main() {}\n";
  const SpirvWords words = compileGlsl(plain, "plain");
  EXPECT_FALSE(hasMatrixTypes(words));
  EXPECT_EQ(finishMatrixTypes(words), words);
}

// Other invocations share all memory that matrices are loaded from; loads by address state their alignment.
TEST_F(MatrixTypes, LoadsAndStoresSayWhatMemoryTheyReach) {
  const SpirvWords words = compiled(std::string(product) + R"(
  MATRIX_LOAD_A(a[0], far.data, 8, matrixRows, 2);
  MATRIX_LOAD_B(b, farHalves.data, 8, matrixRows, 16);
  sum[0] = matrixMultiplyAdd(a[0], b, sum[0]);
  MATRIX_STORE_C(numbers.data, 0, sum[0], matrixRows, 16);
  MATRIX_STORE_H(far.data, 0, matrixToHalf(sum[1]), matrixRows, 2);
)");
  const uint32_t shared = static_cast<uint32_t>(spv::MemoryAccessMask::NonPrivatePointer);
  const uint32_t aligned = shared | static_cast<uint32_t>(spv::MemoryAccessMask::Aligned);
  std::multiset<Words> operands;
  for (const Words& each : those(words, matrixLoad))
    operands.insert(Words(each.begin() + 6, each.end()));
  EXPECT_EQ(operands, (std::multiset<Words>{{shared}, {shared}, {shared}, {aligned, 16}, {aligned, 2}}));
  operands.clear();
  for (const Words& each : those(words, matrixStore))
    operands.insert(Words(each.begin() + 5, each.end()));
  EXPECT_EQ(operands, (std::multiset<Words>{{shared}, {aligned, 16}}));
}

// If nothing else in a shader is a half, the compiler makes no such type.
TEST(MatrixTypesAlone, BringTheHalf) {
  const std::string text = "#version 450\n" + matrixExtensions({MatrixKind::khr, false, false}) +
                           fmt::format(R"(
layout(local_size_x = 32) in;
layout(std430, binding = 1) buffer Words {{ uint data[]; }} words;
const uint scope = 3u, side = 16u, use = 2u;
#define NEEDS extensions = ["SPV_KHR_cooperative_matrix"], capabilities = [6022]
#define Matrix spirv_type(NEEDS, id = 4456, {}, scope, side, side, use)
spirv_instruction(NEEDS, id = 4457) Matrix load(spirv_by_reference uint at, uint order, uint stride);
spirv_instruction(NEEDS, id = 4458) void store(spirv_by_reference uint at, Matrix m, uint order, uint stride);
void main() {{ store(words.data[0], load(words.data[128], 0u, 8u), 1u, 8u); }}
)",
                                       halfPlaceholder);
  const SpirvWords words = compileGlsl(text, "test");
  uint32_t half = 0;
  bool capable = false;
  for (size_t i = 5; i < words.size(); i += words[i] >> 16U) {
    const uint32_t op = words[i] & 0xffffU;
    capable = capable || (op == static_cast<uint32_t>(spv::Op::OpCapability) &&
                          words[i + 1] == static_cast<uint32_t>(spv::Capability::Float16));
    if (op == static_cast<uint32_t>(spv::Op::OpTypeFloat) && words[i + 2] == 16) {
      half = words[i + 1];
    } else if (op == matrixType) {
      EXPECT_NE(half, 0U);
      EXPECT_EQ(words[i + 2], half);
    }
  }
  EXPECT_TRUE(capable);
  EXPECT_LT(half, words[3]);
}

}  // namespace
}  // namespace lacuna::test
