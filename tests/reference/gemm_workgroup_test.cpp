// The kernel of coopmat-gemm whose matrices whole workgroups hold, as SPIR-V: Debian's compiler and validator
// don't know the instructions, so the test checks the rules of SPV_KHR_cooperative_matrix,
// SPV_NV_cooperative_matrix2 and SPV_NV_tensor_addressing. Devices that have such matrices run it in
// gemm_test.cpp.

#include <gtest/gtest.h>

#include <algorithm>
#include <spirv/unified1/spirv.hpp11>

#include "graph/shader/generate/shaders.h"
#include "tests/reference/gemm.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

using Words = std::vector<uint32_t>;

enum : uint32_t {
  matrixType = 4456,
  multiplyAdd = 4459,
  loadTensor = 5367,
  storeTensor = 5368,
  perElement = 5369,
  tensorType = 5370,
  viewType = 5371,
  sizesOfTensor = 5373,
  partOfTensor = 5375
};

uint32_t op(const Words& each) {
  return each[0] & 0xffffU;
}
bool isOp(const Words& each, spv::Op of) {
  return op(each) == static_cast<uint32_t>(of);
}

class Module {
 public:
  explicit Module(const SpirvWords& words) {
    for (size_t i = 5; i < words.size(); i += words[i] >> 16U) {
      all_.emplace_back(words.begin() + static_cast<ptrdiff_t>(i),
                        words.begin() + static_cast<ptrdiff_t>(i + (words[i] >> 16U)));
      note(all_.back());
    }
  }

  std::vector<Words> those(uint32_t kind) const {
    std::vector<Words> found;
    std::copy_if(all_.begin(), all_.end(), std::back_inserter(found),
                 [&](const Words& each) { return op(each) == kind; });
    return found;
  }
  std::vector<Words> those(spv::Op of) const { return those(static_cast<uint32_t>(of)); }
  const Words& made(uint32_t id) const { return made_.at(id); }
  const Words& typeOf(uint32_t id) const { return made_.at(made_.at(id)[1]); }
  uint32_t number(uint32_t id) const { return made_.at(id)[3]; }

  // A matrix type: bits of a number, rows, columns, use.
  std::array<uint32_t, 4> matrix(const Words& type) const {
    EXPECT_EQ(op(type), matrixType);
    EXPECT_EQ(number(type[3]), static_cast<uint32_t>(spv::Scope::Workgroup));
    return {made(type[2])[2], number(type[4]), number(type[5]), number(type[6])};
  }

  // Types of a function's result and parameters, in this order.
  Words functionType(uint32_t id) const {
    EXPECT_TRUE(isOp(made(id), spv::Op::OpFunction)) << id;
    const Words& type = made(made(id)[4]);
    return {type.begin() + 2, type.end()};
  }

 private:
  void note(const Words& each) {
    const bool isType = (op(each) >= static_cast<uint32_t>(spv::Op::OpTypeVoid) &&
                         op(each) <= static_cast<uint32_t>(spv::Op::OpTypeForwardPointer)) ||
                        op(each) == matrixType || op(each) == tensorType || op(each) == viewType;
    if (isType)
      EXPECT_TRUE(made_.emplace(each[1], each).second) << each[1];
    else if (each.size() > 2 && !made_.empty())  // names and decorations come before all types
      made_.emplace(each[2], each);              // an instruction without a result is never found
  }

  std::vector<Words> all_;
  std::map<uint32_t, Words> made_;
};

// A matrix that is moved, the pointer's place, the part of a tensor and the view after it.
void expectMove(const Module& module, const std::array<uint32_t, 4>& matrix, const Words& operands) {
  const uint32_t pointer = operands[0], part = operands[1];
  EXPECT_TRUE(isOp(module.made(pointer), spv::Op::OpAccessChain));
  EXPECT_EQ(operands[2],
            static_cast<uint32_t>(spv::MemoryAccessMask::NonPrivatePointer | spv::MemoryAccessMask::Aligned));
  const Words& slice = module.made(part);
  ASSERT_EQ(op(slice), partOfTensor);
  const Words& tensor = module.typeOf(part);
  ASSERT_EQ(op(tensor), tensorType);
  const uint32_t count = module.number(tensor[2]);
  ASSERT_EQ(slice.size(), 4 + 2 * count);
  const Words& sizes = module.made(slice[3]);
  ASSERT_EQ(op(sizes), sizesOfTensor);
  EXPECT_EQ(sizes.size(), 4 + count);
  uint32_t elements = 1;
  for (uint32_t i = 0; i < count; ++i)
    elements *= module.number(slice[5 + 2 * i]);
  EXPECT_EQ(elements, matrix[1] * matrix[2]);
  ASSERT_EQ(operands.size(), operands[4] == 0 ? 5U : 6U);
  if (operands[4] == 0)
    return;
  EXPECT_EQ(operands[4], 1U);
  const Words& view = module.typeOf(operands[5]);
  ASSERT_EQ(op(view), viewType);
  EXPECT_EQ(module.number(view[2]), count);
  ASSERT_EQ(view.size(), 4 + count);
  Words order;
  for (uint32_t i = 0; i < count; ++i)
    order.push_back(module.number(view[4 + i]));
  std::sort(order.begin(), order.end());
  for (uint32_t i = 0; i < count; ++i)
    EXPECT_EQ(order[i], i);
}

// The operands of a move but its matrix, the pointer first.
Words without(const Words& move, size_t matrix, size_t pointer) {
  Words operands = {move[pointer]};
  operands.insert(operands.end(), move.begin() + static_cast<ptrdiff_t>(matrix) + 1, move.end());
  return operands;
}

void expectKernel(const Module& module, const std::array<uint32_t, 3>& block, uint32_t sumBits,
                  uint32_t outputBits) {
  using Matrix = std::array<uint32_t, 4>;
  const auto& [rows, columns, depth] = block;
  const Matrix a = {16, rows, depth, 0}, b = {16, depth, columns, 1}, sums = {sumBits, rows, columns, 2};
  for (const uint32_t capability : {6022U, 5439U, 5433U, 5432U}) {
    const auto all = module.those(spv::Op::OpCapability);
    EXPECT_TRUE(
        std::any_of(all.begin(), all.end(), [&](const Words& each) { return each[1] == capability; }));
  }
  const std::vector<Words> loads = module.those(loadTensor);
  EXPECT_GE(loads.size(), 2U);
  for (const Words& load : loads) {
    const Matrix loaded = module.matrix(module.made(load[1]));
    EXPECT_EQ(loaded, loaded[3] == 0 ? a : b);
    EXPECT_EQ(module.matrix(module.typeOf(load[4])), loaded);
    expectMove(module, loaded, without(load, 4, 3));
  }
  const std::vector<Words> products = module.those(multiplyAdd);
  ASSERT_EQ(products.size(), 1U);
  EXPECT_EQ(module.matrix(module.typeOf(products[0][3])), a);
  EXPECT_EQ(module.matrix(module.typeOf(products[0][4])), b);
  EXPECT_EQ(module.matrix(module.typeOf(products[0][5])), sums);
  EXPECT_EQ(module.matrix(module.made(products[0][1])), sums);
  const std::vector<Words> stores = module.those(storeTensor);
  ASSERT_EQ(stores.size(), 1U);
  const Matrix output = {outputBits, rows, columns, 2};
  EXPECT_EQ(module.matrix(module.typeOf(stores[0][2])), output);
  expectMove(module, output, without(stores[0], 2, 1));
}

// A function of row, column, number and further arguments; no call of it remains.
void expectFunction(const Module& module) {
  const std::vector<Words> each = module.those(perElement);
  ASSERT_EQ(each.size(), 1U);
  const Words type = module.functionType(each[0][4]);
  const uint32_t number = module.made(each[0][1])[2];
  ASSERT_EQ(type.size(), 4 + each[0].size() - 5);
  EXPECT_EQ(type[0], number);
  EXPECT_EQ(type[3], number);
  for (const uint32_t place : {type[1], type[2]})
    EXPECT_EQ(Words(module.made(place).begin() + 2, module.made(place).end()), (Words{32, 0}));
  for (size_t i = 5; i < each[0].size(); ++i)
    EXPECT_EQ(module.made(each[0][i])[1], type[i - 1]);
  for (const Words& call : module.those(spv::Op::OpFunctionCall))
    EXPECT_NE(call[3], each[0][4]);
}

class GemmOfWorkgroups : public testing::TestWithParam<GemmCase> {
 protected:
  // The kernel of a schedule, compiled for a device with such matrices.
  static SpirvWords compiled(const MemoryGraph& graph, const std::string& name) {
    CompileOptions options;
    options.device = testDevice().info().limits;
    options.device.matrices = MatrixKind::khr;
    options.device.workgroupMatrices = options.device.float16 = true;
    options.schedules["coopmat-gemm:01"] = name;
    LoadedGraph loaded = load(graph);
    FrameGraph passes = passesOf(std::move(loaded.graph), options, loaded.diagnostics);
    generateShaders(passes, graph.modulePath);
    EXPECT_EQ(loaded.diagnostics.render(), "");
    for (const Pass& pass : passes.passes)
      if (pass.name.ends_with("gemm/product"))
        return compileGlsl(pass.glsl, pass.name);
    ADD_FAILURE() << "no such pass";
    return {};
  }
};

TEST_P(GemmOfWorkgroups, RandomIsWhatTheExtensionsSay) {
  const GemmCase& of = GetParam();
  const Folder folder;
  const MemoryGraph graph = gemmGraph(folder, of, randomInputs(testRandom(), of));
  for (const auto& [name, block] : {std::pair{"workgroup@32x8/depth64/x8/y16", std::array{128U, 256U, 64U}},
                                    std::pair{"workgroup@32x4/depth32/x4/y16", std::array{64U, 128U, 32U}}}) {
    SCOPED_TRACE(name);
    const Module module(compiled(graph, name));
    expectKernel(module, block, of.halfSums ? 16 : 32, of.output == Format::f16 ? 16 : 32);
    expectFunction(module);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, GemmOfWorkgroups,
    testing::Values(
        GemmCase{.rows = 256, .inner = 128, .columns = 512},
        GemmCase{.rows = 48, .inner = 64, .columns = 80, .batchA = 3, .transposeB = true, .added = true},
        GemmCase{.rows = 127, .inner = 65, .columns = 201, .halfSums = true, .added = true},
        GemmCase{.rows = 144, .inner = 512, .columns = 160, .transposeA = true, .output = Format::f32},
        GemmCase{.rows = 64, .inner = 96, .columns = 144, .halfSums = true, .output = Format::f32}));

}  // namespace
}  // namespace lacuna::test
