// shared/matrix.glsl: products of matrices by every way from memory and back, against doubles.

#include <cstring>

#include "tests/gpu/nodes_support.h"

namespace lacuna::test {
namespace {

constexpr uint32_t rows = 64, inner = 48, columns = 48;
constexpr uint32_t sizeA = rows * inner, sizeB = inner * columns;

// Row by row; values that halves hold exactly, so that loading doesn't change them.
using Numbers = std::vector<double>;

Numbers randomHalves(std::mt19937_64& random, size_t count) {
  std::normal_distribution<double> normal;
  Numbers numbers(count);
  for (double& each : numbers)
    each = roundToHalf(normal(random));
  return numbers;
}

// A matrix of this many columns as a plane, which holds it row by row or column by column.
Image plane(const Numbers& numbers, uint32_t width, bool byColumns) {
  const auto height = static_cast<uint32_t>(numbers.size()) / width;
  Image image;
  image.type = {Channels::y, Format::f32, ColourTag::data, {width, height}, width * height};
  for (uint32_t i = 0; i < width * height; ++i) {
    const auto value = static_cast<float>(byColumns ? numbers[i % height * width + i / height] : numbers[i]);
    image.words.push_back(0);
    std::memcpy(&image.words.back(), &value, sizeof value);
  }
  return image;
}

double halfOf(const Image& image, uint32_t index) {
  Image pixels = makeImage(Channels::any2, Format::f16, {1, 1}, ColourTag::data);
  pixels.words[0] = image.words[index / 2];
  return pixels.at(0, 0, static_cast<int>(index % 2));
}

struct MatrixCase {
  const char* schedule;
  const char* memory;
  bool columnsA, columnsB, columnsOutput, half;
};

std::ostream& operator<<(std::ostream& out, const MatrixCase& use) {
  return out << use.schedule << ", " << use.memory << (use.columnsA ? ", columns of A" : "")
             << (use.columnsB ? ", columns of B" : "") << (use.columnsOutput ? ", columns come out" : "")
             << (use.half ? ", half precision" : "");
}

class RandomMatrix : public testing::TestWithParam<MatrixCase> {
 protected:
  RandomMatrix() {
    for (uint32_t y = 0; y < rows; ++y) {
      for (uint32_t x = 0; x < columns; ++x) {
        double sum = bias_[x], size = std::abs(bias_[x]);
        for (uint32_t k = 0; k < inner; ++k) {
          const double product = a_[y * inner + k] * b_[k * columns + x];
          sum += product;
          size += std::abs(product);
        }
        expected_.push_back(0.5 * sum);
        magnitude_.push_back(0.5 * size);
      }
    }
  }

  MemoryGraph graph() const {
    const MatrixCase& use = GetParam();
    MemoryGraph text = nodesOf({{"a", plane(a_, inner, use.columnsA)},
                                {"b", plane(b_, columns, use.columnsB)},
                                {"bias", plane(bias_, columns, false)}},
                               "");
    for (const char* name : {"a", "b", "bias"})
      text.text += fmt::format("i-planes:{0} {0}=matrix-product\n", name);
    const std::map<std::string, bool> set = {{"columns_a", use.columnsA},
                                             {"columns_b", use.columnsB},
                                             {"columns_output", use.columnsOutput},
                                             {"half_precision", use.half}};
    for (const auto& [name, value] : set)
      text.text += fmt::format("param:matrix-product:01:{}:{}\n", name, value);
    text.text += fmt::format("param:matrix-product:01:memory:{}\n", use.memory);
    for (const char* name : {"output", "halves", "copies"})
      text.text += fmt::format("matrix-product:01:{0} o-array:{0}\n", name);
    return text;
  }

  // The error of this many roundings to half of the largest partial sum, and of the sum in single precision.
  double tolerance(uint32_t index, int roundings) const {
    return magnitude_[index] * (roundings * std::exp2(-11) + inner * std::exp2(-24)) + std::exp2(-24);
  }

  std::mt19937_64& random_ = testRandom();
  Numbers a_ = randomHalves(random_, sizeA), b_ = randomHalves(random_, sizeB);
  Numbers bias_ = randomHalves(random_, columns);
  Numbers expected_, magnitude_;
};

TEST_P(RandomMatrix, ProductsAreThoseOfDoubles) {
  const MatrixCase& use = GetParam();
  const bool doubles = use.half || std::strncmp(use.memory, "shared", 6) != 0;
  const auto results = run(graph(), use.schedule);
  const Image &output = results.at("output"), &halves = results.at("halves"), &copies = results.at("copies");
  const int roundings = use.half ? 3 + 1 : 0;  // a step each, and the scale
  for (uint32_t i = 0; i < rows * columns; ++i) {
    const uint32_t y = i / columns, x = i % columns;
    const double sum = output.at(use.columnsOutput ? x * rows + y : i, 0, 0);
    ASSERT_NEAR(sum, expected_[i], tolerance(i, roundings)) << "row " << y << ", column " << x;
    ASSERT_EQ(halfOf(halves, i), roundToHalf(sum)) << "row " << y << ", column " << x;
    for (uint32_t part = 0; part < 3; ++part) {
      const double factor = part == 2 && doubles ? 2.0 : 1.0;
      ASSERT_EQ(copies.at(part * rows * columns + i, 0, 0), roundToHalf(factor * sum))
          << "part " << part << ", row " << y << ", column " << x;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, RandomMatrix,
                         testing::Values(MatrixCase{"auto", "words", false, false, false, false},
                                         MatrixCase{"blocks/r1/c1", "words", true, true, true, true},
                                         MatrixCase{"blocks/r1/c1", "quads", false, true, true, false},
                                         MatrixCase{"auto", "quads", true, false, false, true},
                                         MatrixCase{"blocks/r1", "shared_quads", false, false, true, true},
                                         MatrixCase{"auto", "shared_quads", true, true, false, false},
                                         MatrixCase{"blocks/c1", "shared_halves", false, true, false, true},
                                         MatrixCase{"blocks/r1/c1", "shared_halves", true, false, true,
                                                    false}));

}  // namespace
}  // namespace lacuna::test
