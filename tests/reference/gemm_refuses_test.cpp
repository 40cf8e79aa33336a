// The inputs that coopmat-gemm refuses, and its messages.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/reference/gemm.h"

namespace lacuna::test {
namespace {

// The first message, without its place, about a graph with these arrays; those without sizes are left out.
std::string refused(const std::vector<std::vector<uint32_t>>& sizes, const std::string& parameters = "") {
  const Folder folder;
  MemoryGraph graph;
  graph.text = "coopmat-gemm array=o-npy\n" + parameters +
               fmt::format("param:o-npy:01:filename:\"{}\"\n", folder.file("out.npy"));
  const char* const names[] = {"a", "b", "c", "bias"};
  for (size_t i = 0; i < sizes.size(); ++i)
    if (!sizes[i].empty()) {
      writeNumbers(folder.file(names[i]), evenNumbers(sizes[i], 1.0), Format::f16);
      graph.text += fmt::format("i-npy:{0}:array {0}=coopmat-gemm\nparam:i-npy:{0}:filename:\"{1}\"\n",
                                names[i], folder.file(names[i]));
    }
  const std::string text = load(graph).diagnostics.render();
  const size_t first = text.find("01: ");
  return first == std::string::npos ? text : text.substr(first, text.find('\n') - first);
}

TEST(GemmRefuses, FactorsThatDoNotMeet) {
  EXPECT_EQ(refused({{3, 4}, {5, 6}}),
            "01: 'a' has the shape (3, 4) and 'b' has the shape (5, 6): the first has 4 columns, but the "
            "second has 5 rows");
  EXPECT_EQ(refused({{3, 4}, {4, 6}}, "param:coopmat-gemm:01:transpose_b:true\n"),
            "01: 'a' has the shape (3, 4) and 'b' has the shape (4, 6), transposed: the first has 4 "
            "columns, but the second has 6 rows");
  EXPECT_EQ(refused({{3, 4}, {4, 6}}, "param:coopmat-gemm:01:transpose_a:true\n"),
            "01: 'a' has the shape (3, 4), transposed, and 'b' has the shape (4, 6): the first has 3 "
            "columns, but the second has 4 rows");
  EXPECT_EQ(refused({{2, 3, 4}, {5, 4, 6}}),
            "01: 'a' has the shape (2, 3, 4) and 'b' has the shape (5, 4, 6): batches of 2 and of 5");
  EXPECT_EQ(
      refused({{12}, {1, 4, 6, 2}}),
      "01: 'a' has the shape (12,): expected a matrix, with two sizes, or a batch of matrices, with three; "
      "'b' has the shape (1, 4, 6, 2): expected a matrix, with two sizes, or a batch of matrices, with "
      "three");
}

TEST(GemmRefuses, WhatIsAddedInAnotherShape) {
  EXPECT_EQ(refused({{3, 4}, {4, 6}, {6, 3}, {5}}),
            "01: 'c' has the shape (6, 3), but the product has (3, 6): expected that; 'bias' has the shape "
            "(5,), but the product has (3, 6): expected (6,), a number for each column");
  EXPECT_EQ(refused({{2, 3, 4}, {4, 6}, {3, 3, 6}}),
            "01: 'c' has the shape (3, 3, 6), but the product has (2, 3, 6): expected that, or (3, 6)");
  EXPECT_EQ(refused({{3, 4}, {4, 6}, {2, 3, 6}, {6, 1}}),
            "01: 'c' has the shape (2, 3, 6), but the product has (3, 6): expected that; 'bias' has the "
            "shape (6, 1), but the product has (3, 6): expected (6,), a number for each column");
  EXPECT_EQ(refused({{3, 4}, {4, 6}, {3, 6}, {6}}), "");
}

std::string firstMessage(const std::string& text) {
  MemoryGraph graph;
  graph.text = text;
  LoadedGraph loaded = load(graph);
  if (loaded.ok()) {
    CompileOptions options;
    options.device = testDevice().info().limits;
    compile(std::move(loaded.graph), options, loaded.diagnostics);
  }
  return loaded.diagnostics.hasErrors() ? loaded.diagnostics.sorted().front().message : "";
}

std::string randomFactors(uint32_t rows, uint32_t inner, uint32_t columns) {
  return fmt::format(
      "random-array:a a=coopmat-gemm array=o-npy\nrandom-array:b b=coopmat-gemm\n"
      "param:random-array:a:rows:{0}\nparam:random-array:a:columns:{1}\n"
      "param:random-array:b:rows:{1}\nparam:random-array:b:columns:{2}\n"
      "param:o-npy:01:filename:\"out.npy\"\n",
      rows, inner, columns);
}

TEST(GemmRefuses, MoreThanCanBeCounted) {
  EXPECT_EQ(
      firstMessage(randomFactors(60000, 16, 60000)),
      "coopmat-gemm:01: 'a' has the shape (60000, 16) and 'b' has the shape (16, 60000): the product has "
      "more than 2147483647 elements");
  EXPECT_EQ(firstMessage(randomFactors(3, 715827882, 1)),
            "coopmat-gemm:01: 'a' has the shape (3, 715827882): packed it has more than 2147483647 elements");
}

}  // namespace
}  // namespace lacuna::test
