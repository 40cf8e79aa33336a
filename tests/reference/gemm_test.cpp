// coopmat-gemm against products in double precision of the same halves, element by element, by way of files.

#include <Imath/half.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tests/reference/files.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

// Numbers in the order of C, as they are in the file.
struct Numbers {
  std::vector<uint32_t> sizes;
  std::vector<double> values;
};

Numbers randomNumbers(std::mt19937_64& random, const std::vector<uint32_t>& sizes, Format format) {
  Numbers numbers{sizes, {}};
  size_t count = 1;
  for (const uint32_t size : sizes)
    count *= size;
  std::normal_distribution<double> normal;
  for (size_t i = 0; i < count; ++i) {
    const auto value = static_cast<float>(normal(random));
    numbers.values.push_back(format == Format::f16 ? roundToHalf(value) : value);
  }
  return numbers;
}

void writeNumbers(const std::string& file, const Numbers& numbers, Format format) {
  Image image;
  image.type.channels = Channels::y;
  image.type.format = format;
  image.type.colour = ColourTag::data;
  setSizes(image.type, numbers.sizes);
  const size_t bytes = format == Format::f16 ? 2 : 4;
  image.words.resize((numbers.values.size() * bytes + 3) / 4);
  for (size_t i = 0; i < numbers.values.size(); ++i) {
    const auto single = static_cast<float>(numbers.values[i]);
    const Imath::half half(single);
    std::memcpy(reinterpret_cast<std::byte*>(image.words.data()) + i * bytes,
                format == Format::f16 ? static_cast<const void*>(&half) : &single, bytes);
  }
  writeImage("npy", file,
             {{"array", image.type, std::as_bytes(std::span(image.words)).first(byteSize(image.type))}});
}

struct GemmCase {
  const char* schedule;
  uint32_t rows, inner, columns, batchA, batchB;  // 0: a matrix
  bool transposeA, transposeB;
  Format format;  // of all that comes in
  bool halfSums, added;
  const char* pack = "none";
};

std::vector<uint32_t> sizesFor(uint32_t batch, uint32_t rows, uint32_t columns) {
  return batch > 0 ? std::vector{batch, rows, columns} : std::vector{rows, columns};
}

struct Inputs {
  Numbers a, b, c, bias;
  double alpha = 1.0, beta = 1.0;
  bool relu = false;
};

Inputs randomInputs(std::mt19937_64& random, const GemmCase& of) {
  Inputs in;
  in.a = randomNumbers(
      random, sizesFor(of.batchA, of.transposeA ? of.inner : of.rows, of.transposeA ? of.rows : of.inner),
      of.format);
  in.b = randomNumbers(
      random,
      sizesFor(of.batchB, of.transposeB ? of.columns : of.inner, of.transposeB ? of.inner : of.columns),
      of.format);
  if (of.added) {
    in.c = randomNumbers(random, sizesFor(of.batchA, of.rows, of.columns), of.format);
    in.bias = randomNumbers(random, {of.columns}, Format::f32);
    in.alpha = uniform(random, 0.5, 2.0);
    in.beta = uniform(random, -3.0, 3.0);
    in.relu = pick(random, 0, 1) == 1;
  }
  return in;
}

double factorAt(const Numbers& m, uint32_t batch, bool transposed, size_t row, size_t column) {
  const size_t rows = m.sizes[m.sizes.size() - 2], columns = m.sizes.back();
  const size_t first = m.sizes.size() == 3 ? batch * rows * columns : 0;
  const double value = m.values[first + (transposed ? column * columns + row : row * columns + column)];
  return roundToHalf(value);  // factors are halves, whatever they come as
}

std::vector<double> expectedProduct(const GemmCase& of, const Inputs& in) {
  std::vector<double> output;
  for (uint32_t batch = 0; batch < std::max({of.batchA, of.batchB, 1U}); ++batch)
    for (size_t row = 0; row < of.rows; ++row)
      for (size_t column = 0; column < of.columns; ++column) {
        double sum = 0.0;
        for (size_t k = 0; k < of.inner; ++k)
          sum +=
              factorAt(in.a, batch, of.transposeA, row, k) * factorAt(in.b, batch, of.transposeB, k, column);
        double v = in.alpha * sum;
        if (of.added) {
          const size_t first = of.batchA > 0 ? size_t{batch} * of.rows * of.columns : 0;
          v += in.beta * in.c.values[first + row * of.columns + column] + in.bias.values[column];
        }
        output.push_back(in.relu ? std::max(v, 0.0) : v);
      }
  return output;
}

MemoryGraph gemmGraph(const Folder& folder, const GemmCase& of, const Inputs& in) {
  MemoryGraph graph;
  graph.text = fmt::format(
      "lacuna:1\nmodule:i-npy:a\nmodule:i-npy:b\nmodule:coopmat-gemm:01\nmodule:o-npy:01\n"
      "param:i-npy:a:filename:\"{}\"\nparam:i-npy:b:filename:\"{}\"\nparam:o-npy:01:filename:\"{}\"\n"
      "connect:i-npy:a:array:coopmat-gemm:01:a\nconnect:i-npy:b:array:coopmat-gemm:01:b\n"
      "connect:coopmat-gemm:01:output:o-npy:01:array\nparam:coopmat-gemm:01:transpose_a:{}\n"
      "param:coopmat-gemm:01:transpose_b:{}\nparam:coopmat-gemm:01:accumulate:{}\nparam:coopmat-gemm:01:pack:"
      "{}\n",
      folder.file("a.npy"), folder.file("b.npy"), folder.file("out.npy"), of.transposeA, of.transposeB,
      of.halfSums ? "f16" : "f32", of.pack);
  writeNumbers(folder.file("a.npy"), in.a, of.format);
  writeNumbers(folder.file("b.npy"), in.b, of.format);
  if (of.added) {
    graph.text += fmt::format(
        "module:i-npy:c\nmodule:i-npy:bias\nparam:i-npy:c:filename:\"{}\"\nparam:i-npy:bias:filename:\"{}\"\n"
        "connect:i-npy:c:array:coopmat-gemm:01:c\nconnect:i-npy:bias:array:coopmat-gemm:01:bias\n"
        "param:coopmat-gemm:01:alpha:{}\nparam:coopmat-gemm:01:beta:{}\nparam:coopmat-gemm:01:relu:{}\n",
        folder.file("c.npy"), folder.file("bias.npy"), in.alpha, in.beta, in.relu);
    writeNumbers(folder.file("c.npy"), in.c, of.format);
    writeNumbers(folder.file("bias.npy"), in.bias, Format::f32);
  }
  graph.schedules["coopmat-gemm:01"] = of.schedule;
  return graph;
}

class Gemm : public testing::TestWithParam<GemmCase> {};

TEST_P(Gemm, RandomIsTheProduct) {
  const GemmCase& of = GetParam();
  const Folder folder;
  const Inputs in = randomInputs(testRandom(), of);
  const MemoryGraph graph = gemmGraph(folder, of, in);
  runFiles(graph);
  const FileArray made = readArray(folder.file("out.npy"));
  EXPECT_EQ(made.type.format, of.format);
  ASSERT_EQ(sizesOf(made.type), sizesFor(std::max(of.batchA, of.batchB), of.rows, of.columns));
  const std::vector<double> expected = expectedProduct(of, in);
  double error = 0.0, size = 0.0, worst = 0.0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double difference = made.values[i] - expected[i];
    error += difference * difference;
    size += expected[i] * expected[i];
    worst = std::max(worst, std::abs(difference));
  }
  const double bound = of.halfSums ? 5e-3 : 5e-4;
  EXPECT_LT(std::sqrt(error / size), bound);
  EXPECT_LT(worst, 20.0 * bound * std::sqrt(size / static_cast<double>(expected.size())) + 1e-6);
  // The same bits again.
  runFiles(graph);
  EXPECT_EQ(readArray(folder.file("out.npy")).values, made.values);
}

constexpr Format f16 = Format::f16, f32 = Format::f32;
INSTANTIATE_TEST_SUITE_P(
    Variants, Gemm,
    testing::Values(
        GemmCase{"naive", 1, 1, 1, 0, 0, false, false, f16, false, true},
        GemmCase{"naive", 127, 65, 201, 0, 0, true, false, f32, false, true},
        GemmCase{"shared", 17, 1, 33, 0, 0, false, true, f32, false, false},
        GemmCase{"shared", 48, 64, 80, 3, 0, false, true, f16, false, true},
        GemmCase{"coopmat", 64, 48, 96, 0, 0, true, false, f16, false, false},
        GemmCase{"coopmat", 127, 65, 201, 0, 0, false, true, f16, true, true},
        GemmCase{"tiled/x2/y8", 130, 72, 65, 0, 0, false, false, f16, false, true},
        GemmCase{"tiled/x4/y8", 96, 128, 272, 2, 2, true, true, f16, true, false},
        GemmCase{"blocks/x4", 509, 127, 384, 0, 0, false, false, f16, false, true},
        GemmCase{"blocks/x4", 144, 512, 160, 2, 0, true, false, f16, false, true},
        GemmCase{"blocks@32x4/x2/depth32", 512, 80, 272, 0, 0, false, true, f16, false, false},
        GemmCase{"blocks@32x4/x2/depth32", 17, 65, 1, 0, 3, true, true, f16, false, true},
        GemmCase{"blocks@32x4/x2/wide4", 160, 96, 144, 0, 0, false, false, f16, true, true, "fragments"},
        GemmCase{"coopmat", 33, 65, 47, 0, 0, true, true, f32, true, false, "fragments"},
        GemmCase{"tiled/x2/y8", 65, 40, 70, 0, 0, false, true, f32, false, true, "fragments"},
        GemmCase{"direct@32x4/x2/y16", 130, 127, 65, 2, 2, true, false, f16, false, true, "fragments"},
        GemmCase{"direct@32x4/x2/y16/ahead2", 160, 96, 144, 0, 0, false, false, f16, false, false}));

// The message of a graph that is refused, without the place.
std::string refused(const std::vector<std::vector<uint32_t>>& sizes, const std::string& parameters = "") {
  const Folder folder;
  MemoryGraph graph;
  graph.text =
      "lacuna:1\nmodule:coopmat-gemm:01\nmodule:o-npy:01\nconnect:coopmat-gemm:01:output:o-npy:01:array\n" +
      parameters + fmt::format("param:o-npy:01:filename:\"{}\"\n", folder.file("out.npy"));
  const char* const names[] = {"a", "b", "c", "bias"};
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!sizes[i].empty()) {
      Numbers numbers{sizes[i], {}};
      size_t count = 1;
      for (const uint32_t size : sizes[i])
        count *= size;
      numbers.values.assign(count, 1.0);
      writeNumbers(folder.file(names[i]), numbers, f16);
      graph.text += fmt::format(
          "module:i-npy:{0}\nparam:i-npy:{0}:filename:\"{1}\"\nconnect:i-npy:{0}:array:coopmat-gemm:01:{0}\n",
          names[i], folder.file(names[i]));
    }
  const std::string text = load(graph).diagnostics.render();
  const size_t first = text.find("01: ");
  return text.substr(first, text.find('\n') - first);
}

TEST(GemmRefuses, ShapesThatDoNotFit) {
  EXPECT_EQ(refused({{3, 4}, {5, 6}}),
            "01: 'a' has the shape (3, 4) and 'b' has the shape (5, 6): 4 columns of the one meet 5 rows of "
            "the other");
  EXPECT_EQ(refused({{3, 4}, {4, 6}}, "param:coopmat-gemm:01:transpose_b:true\n"),
            "01: 'a' has the shape (3, 4) and 'b' has the shape (4, 6), transposed: 4 columns of the one "
            "meet 6 rows "
            "of the other");
  EXPECT_EQ(refused({{2, 3, 4}, {5, 4, 6}}),
            "01: 'a' has the shape (2, 3, 4) and 'b' has the shape (5, 4, 6): batches of 2 and of 5");
  EXPECT_EQ(refused({{12}, {4, 6}}),
            "01: 'a' has the shape (12,): expected a matrix, of two sizes, or a batch of them, of three");
  EXPECT_EQ(refused({{3, 4}, {4, 6}, {6, 3}, {5}}),
            "01: 'c' has the shape (6, 3), but the product has (3, 6); 'bias' has the shape (5,), but the "
            "product has "
            "(3, 6): expected one number for each of 6 columns");
}

}  // namespace
}  // namespace lacuna::test
