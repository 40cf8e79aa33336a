#pragma once
// coopmat-gemm: products in double precision of the same halves, and graphs that make them by way of files.

#include <ostream>
#include <string>
#include <vector>

#include "tests/reference/files.h"

namespace lacuna::test {

// Numbers in the order of C, as in a file.
struct Numbers {
  std::vector<uint32_t> sizes;
  std::vector<double> values;
};

Numbers evenNumbers(const std::vector<uint32_t>& sizes, double value);
Numbers randomNumbers(std::mt19937_64& random, const std::vector<uint32_t>& sizes, Format format);
void writeNumbers(const std::string& file, const Numbers& numbers, Format format);

// The requested product, with a batch of 0: a matrix.
struct GemmCase {
  uint32_t rows = 1, inner = 1, columns = 1, batchA = 0, batchB = 0;
  bool transposeA = false, transposeB = false;
  Format format = Format::f16;  // of all inputs except the bias
  bool halfSums = false, added = false;
  const char* pack = "none";
  Format output = Format::f16;

  uint32_t batch() const { return std::max(batchA, batchB); }
  std::vector<uint32_t> sizes() const;  // of the output
};
std::ostream& operator<<(std::ostream& out, const GemmCase& of);

struct GemmInputs {
  Numbers a, b;
  Numbers c = {}, bias = {};  // where `added`
  double alpha = 1.0, beta = 1.0;
  bool relu = false;
};
GemmInputs randomInputs(std::mt19937_64& random, const GemmCase& of);

std::vector<double> expectedProduct(const GemmCase& of, const GemmInputs& in);

// Reads what it writes into the folder, and writes out.npy there.
MemoryGraph gemmGraph(const Folder& folder, const GemmCase& of, const GemmInputs& in);

// The possible kernels of coopmat-gemm:01 in a graph, each with the reason why the test device can't run it,
// or none.
struct GemmSchedule {
  std::string node, variant, name, rejected;
  int64_t size = 1;  // product of its constants: how much an invocation does, about
};
std::vector<GemmSchedule> gemmSchedules(const MemoryGraph& graph);

// A schedule of each variant that the device runs, for product number `part`: the first schedule, or a random
// one. A driver that computes matrices in plain arithmetic compiles large blocks for
// minutes: so each part takes every third variant (three parts take all), and draws from the smallest
// quarter.
std::vector<std::string> gemmScheduleNames(const MemoryGraph& graph, int part,
                                           std::mt19937_64* drawn = nullptr);

}  // namespace lacuna::test
