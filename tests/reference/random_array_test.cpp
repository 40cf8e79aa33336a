// random-array against its definition in double precision, by way of a file.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/reference/files.h"
#include "tests/reference/random_words.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

struct ArrayCase {
  uint32_t batch, rows, columns;
  const char* distribution;
  const char* format;
  uint32_t seed;
};

FileArray makeArray(const ArrayCase& wanted) {
  const Folder folder;
  MemoryGraph graph;
  graph.text = fmt::format(
      "random-array array=o-npy\nparam:o-npy:01:filename:\"{}\"\nparam:random-array:01:batch:{}\n"
      "param:random-array:01:rows:{}\nparam:random-array:01:columns:{}\n"
      "param:random-array:01:distribution:{}\nparam:random-array:01:format:{}\n"
      "param:random-array:01:seed:{}\n",
      folder.file("a.npy"), wanted.batch, wanted.rows, wanted.columns, wanted.distribution, wanted.format,
      wanted.seed);
  runFiles(graph);
  return readArray(folder.file("a.npy"));
}

double definedValue(const ArrayCase& of, uint32_t row, uint32_t column) {
  const auto words = pcg4d({column, row, of.seed, 0xa77a9U});
  return of.distribution == std::string("normal") ? normalSamples(words)[0] : uniformSample(words[0]);
}

TEST(RandomArray, RandomIsWhatItsDefinitionSays) {
  std::mt19937_64& random = testRandom();
  for (const char* distribution : {"normal", "uniform"})
    for (const char* format : {"f16", "f32"})
      for (const auto& [batch, rows, columns] : {std::array{0U, 1U, 1U}, std::array{0U, 17U, 1U},
                                                 std::array{0U, 127U, 509U}, std::array{3U, 31U, 70U}}) {
        const ArrayCase of{batch,        rows,   columns,
                           distribution, format, static_cast<uint32_t>(pick(random, 0, 2147483647))};
        SCOPED_TRACE(
            fmt::format("{} {} {}x{}x{}, seed {}", distribution, format, batch, rows, columns, of.seed));
        const bool isNormal = distribution == std::string("normal"), isHalf = format == std::string("f16");
        const FileArray made = makeArray(of);
        const std::vector<uint32_t> sizes =
            batch > 0 ? std::vector{batch, rows, columns} : std::vector{rows, columns};
        ASSERT_EQ(sizesOf(made.type), sizes);
        ASSERT_EQ(made.type.format, *formatFromName(format));
        for (size_t i = 0; i < made.values.size(); ++i) {
          const double value =
              definedValue(of, static_cast<uint32_t>(i / columns), static_cast<uint32_t>(i % columns));
          // Uniform numbers are exact in f32. Logarithm and cosine are a device's own, with an absolute
          // error. A half may be a whole step away, since conversions may truncate.
          const double bound = (isNormal ? 1e-4 * std::max(std::abs(value), 1.0) : 0.0) +
                               (isHalf ? std::abs(value) / 1024 + 1.0 / (1 << 24) : 0.0);
          ASSERT_NEAR(made.values[i], value, bound) << i;
        }
      }
}

TEST(RandomArray, RandomSeedsGiveTheMomentsOfTheirDistribution) {
  std::mt19937_64& random = testRandom();
  for (const char* distribution : {"normal", "uniform"}) {
    const bool isNormal = distribution == std::string("normal");
    const FileArray made =
        makeArray({0, 127, 509, distribution, "f32", static_cast<uint32_t>(pick(random, 0, 2147483647))});
    double sum = 0, squares = 0;
    const double mean = isNormal ? 0.0 : 0.5, variance = isNormal ? 1.0 : 1.0 / 12;
    for (const double value : made.values) {
      sum += value - mean;
      squares += (value - mean) * (value - mean);
    }
    // Five standard deviations of mean and variance; the variance of squares is 2 for normal numbers and
    // 1/180 for uniform ones.
    const double count = static_cast<double>(made.values.size());
    EXPECT_LT(std::abs(sum / count), 5 * std::sqrt(variance / count));
    EXPECT_LT(std::abs(squares / count - variance), 5 * std::sqrt((isNormal ? 2.0 : 1.0 / 180) / count));
  }
}

}  // namespace
}  // namespace lacuna::test
