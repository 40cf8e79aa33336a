// Makes a product's kernel, and before it one that packs a factor, if kernels can't read it.

#include "shapes.h"
#include "shared/kernel_node.h"

namespace {

using namespace lacuna::native;

uint32_t padded(uint32_t size, uint32_t multiple) {
  return (size + multiple - 1) / multiple * multiple;
}

// A factor as kernels see it: sizes.glsl.
struct Factor {
  std::string source;
  int layout = 0;
  uint64_t step = 0;  // distance in numbers from a matrix of a batch to the next
};

// The layout of a factor's copy.
struct Packing {
  int layout;
  const char* shader;
  const char* kernel;
};
constexpr Packing panels{2, "panels.glsl", ""};
constexpr Packing fragments{3, "fragments.glsl", "matrix = true"};

class Gemm {
 public:
  Gemm(const Call& call, const Planes& inputs, const Builder& builder) : call_(call), builder_(builder) {
    for (uint32_t i = 0; i < inputs.size(); ++i)
      matrices_.push_back(matrixOf(inputs[i].name, *inputs[i].type));
    std::vector<std::string> mistakes;
    product_ =
        productOf(*find("a"), call.flag("transpose_a"), *find("b"), call.flag("transpose_b"), mistakes);
    const bool isProduct = mistakes.empty();
    if (isProduct && find("c") != nullptr)
      checkAdded(*find("c"), product_, mistakes);
    if (isProduct && find("bias") != nullptr)
      checkBias(*find("bias"), product_, mistakes);
    if (!mistakes.empty())
      throw Error(fmt::format("{}: {}", call.instance(), fmt::join(mistakes, "; ")));
  }

  void build() {
    const Factor a = factor(*find("a"), product_.rows, call_.flag("transpose_a"));
    const Factor b = factor(*find("b"), product_.columns, !call_.flag("transpose_b"));
    multiply(a, b);
    builder_.nodes(nodes_);
  }

 private:
  const Matrix* find(const std::string& name) const {
    for (const Matrix& matrix : matrices_)
      if (matrix.name == name)
        return &matrix;
    return nullptr;
  }

  // `byDepth`: its lines, rows of a or columns of b, are columns in memory.
  Factor factor(const Matrix& matrix, uint32_t lines, bool byDepth) {
    const bool isWhole = lines % 16 == 0 && product_.inner % 16 == 0;
    if (call_.word("pack") == "fragments")
      return pack(matrix, lines, byDepth, fragments);
    if (call_.word("pack") == "none" && !matrix.isImage && matrix.isHalf && isWhole)
      return {matrix.name, byDepth ? 1 : 0, matrix.batch > 0 ? uint64_t{lines} * product_.inner : 0};
    return pack(matrix, lines, byDepth, panels);
  }

  Factor pack(const Matrix& matrix, uint32_t lines, bool byDepth, const Packing& packing) {
    const std::string name = "pack_" + matrix.name;
    const std::string at = byDepth ? "k, line" : "line, k";
    const std::string number = matrix.isImage
                                   ? fmt::format("load_{}(ivec2(column, row))", matrix.name)
                                   : fmt::format("float(array_{}.data[(batch * {} + row) * {} + column])",
                                                 matrix.name, matrix.rows, matrix.columns);
    builder_.shader(
        name + ".glsl",
        fmt::format("#define LINES {}\n#define DEPTH {}\n#define BATCH {}\n#define IS_B {}\n"
                    "float elementAt(int batch, int row, int column) {{ return {}; }}\n"
                    "float numberAt(int batch, int line, int k) {{ return elementAt(batch, {}); }}\n"
                    "#include \"{}\"\n",
                    lines, product_.inner, std::max(matrix.batch, 1U), matrix.name == "b" ? 1 : 0, number, at,
                    packing.shader));
    const uint64_t lines16 = padded(lines, 16), count = padded(product_.inner, 16) / 16;
    const uint64_t all = std::max(matrix.batch, 1U) * count;
    if (all * lines16 * 16 > 0x7fffffff)
      throw Error(fmt::format("{}: {}: packed it has more than 2147483647 elements", call_.instance(),
                              textOf(matrix)));
    add({.name = name,
         .shader = name + ".glsl",
         .inputs = {{matrix.name, matrix.name}},
         .outputs = {{"output", fmt::format(R"(channels = "y", format = "f16", colour = "data", array = {})",
                                            all * lines16 * 16)}},
         .kernel = std::string(packing.kernel) + invocationsText(all, lines16 * 2)});
    return {name + ".output", packing.layout, matrix.batch > 0 ? count * lines16 * 16 : 0};
  }

  void multiply(const Factor& a, const Factor& b) {
    // A multiple of any kernel's block height, so that no block holds rows of two products.
    const uint32_t gridRows = padded(product_.rows, 256);
    const Matrix* c = find("c");
    // Kernels that look at single numbers can't read fragments.
    const bool isPacked = call_.word("pack") == "fragments";
    KernelNode node{.name = isPacked ? "packed" : "product",
                    .shader = isPacked ? "coopmat.glsl" : "naive.glsl",
                    .inputs = {{"a", a.source}, {"b", b.source}, {"c", "c"}, {"bias", "bias"}},
                    .outputs = {{"output", outputText()}}};
    node.kernel = fmt::format(
        "{}{}\nconstants = {{ HALF = \"accumulate\", RELU = \"relu\", ALPHA = \"alpha\", "
        "BETA = \"beta\", rows = {}, inner "
        "= {}, "
        "columns = {}, gridRows = {}, layoutA = {}, layoutB = {}, batchA = {}, batchB = {}, batchC = {} }}",
        isPacked ? "matrix = true" : "",
        invocationsText(uint64_t{product_.batches()} * gridRows, product_.columns), product_.rows,
        product_.inner, product_.columns, gridRows, a.layout, b.layout, a.step, b.step,
        c != nullptr && c->batch > 0 ? uint64_t{product_.rows} * product_.columns : 0);
    add(node);
  }

  std::string outputText() const {
    const std::string format = call_.word("format") != "auto"           ? std::string(call_.word("format"))
                               : find("a")->isHalf && find("b")->isHalf ? "f16"
                                                                        : "f32";
    std::string shape = fmt::format("{}, {}", product_.rows, product_.columns);
    if (product_.batch > 0)
      shape = fmt::format("{}, {}", product_.batch, shape);
    return fmt::format(
        R"(channels = "y", format = "{}", colour = "data", shape = [{}], connector = "output")", format,
        shape);
  }

  void add(const KernelNode& node) { nodes_ += textOf(node); }

  const Call& call_;
  const Builder& builder_;
  std::vector<Matrix> matrices_;
  Product product_;
  std::string nodes_;
};

void build(const Call& call, const Planes& inputs, const Builder& builder) {
  Gemm(call, inputs, builder).build();
}

}  // namespace

LACUNA_MODULE(Table("coopmat-gemm").build<build>())
