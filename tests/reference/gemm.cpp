#include "tests/reference/gemm.h"

#include <Imath/half.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

size_t countOf(const std::vector<uint32_t>& sizes) {
  size_t count = 1;
  for (const uint32_t size : sizes)
    count *= size;
  return count;
}

std::vector<uint32_t> sizesFor(uint32_t batch, uint32_t rows, uint32_t columns) {
  return batch > 0 ? std::vector{batch, rows, columns} : std::vector{rows, columns};
}

double factorAt(const Numbers& m, uint32_t batch, bool transposed, size_t row, size_t column) {
  const size_t rows = m.sizes[m.sizes.size() - 2], columns = m.sizes.back();
  const size_t first = m.sizes.size() == 3 ? batch * rows * columns : 0;
  const double value = m.values[first + (transposed ? column * columns + row : row * columns + column)];
  return roundToHalf(value);  // factors are rounded to halves
}

}  // namespace

Numbers evenNumbers(const std::vector<uint32_t>& sizes, double value) {
  return {sizes, std::vector<double>(countOf(sizes), value)};
}

Numbers randomNumbers(std::mt19937_64& random, const std::vector<uint32_t>& sizes, Format format) {
  Numbers numbers = evenNumbers(sizes, 0.0);
  std::normal_distribution<double> normal;
  for (double& each : numbers.values) {
    const auto value = static_cast<float>(normal(random));
    each = format == Format::f16 ? roundToHalf(value) : value;
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

std::vector<uint32_t> GemmCase::sizes() const {
  return sizesFor(batch(), rows, columns);
}

std::ostream& operator<<(std::ostream& out, const GemmCase& of) {
  return out << fmt::format("{}x{}x{}, batches {} and {}{}{}, {} to {}{}{}{}", of.rows, of.inner, of.columns,
                            of.batchA, of.batchB, of.transposeA ? ", a transposed" : "",
                            of.transposeB ? ", b transposed" : "", name(of.format), name(of.output),
                            of.halfSums ? ", sums in halves" : "", of.added ? ", c and bias" : "",
                            of.pack == std::string("none") ? "" : std::string(", packed in ") + of.pack);
}

GemmInputs randomInputs(std::mt19937_64& random, const GemmCase& of) {
  GemmInputs in;
  const auto factor = [&](uint32_t batch, bool transposed, uint32_t rows, uint32_t columns) {
    return randomNumbers(random, sizesFor(batch, transposed ? columns : rows, transposed ? rows : columns),
                         of.format);
  };
  in.a = factor(of.batchA, of.transposeA, of.rows, of.inner);
  in.b = factor(of.batchB, of.transposeB, of.inner, of.columns);
  if (of.added) {
    in.c = randomNumbers(random, sizesFor(of.batchA, of.rows, of.columns), of.format);
    in.bias = randomNumbers(random, {of.columns}, Format::f32);
    in.alpha = uniform(random, 0.5, 2.0);
    in.beta = uniform(random, -3.0, 3.0);
    in.relu = pick(random, 0, 1) == 1;
  }
  return in;
}

std::vector<double> expectedProduct(const GemmCase& of, const GemmInputs& in) {
  std::vector<double> output;
  for (uint32_t batch = 0; batch < std::max(of.batch(), 1U); ++batch)
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
        output.push_back(in.relu && v < 0.0 ? 0.0 : v);  // NaN stays
      }
  return output;
}

MemoryGraph gemmGraph(const Folder& folder, const GemmCase& of, const GemmInputs& in) {
  MemoryGraph graph;
  graph.text =
      fmt::format("coopmat-gemm array=o-npy\nparam:o-npy:01:filename:\"{}\"\n", folder.file("out.npy"));
  const auto set = [&](const char* parameter, const auto& value) {
    graph.text += fmt::format("param:coopmat-gemm:01:{}:{}\n", parameter, value);
  };
  const auto bring = [&](const char* input, const Numbers& numbers, Format format) {
    graph.text += fmt::format("i-npy:{0}:array {0}=coopmat-gemm\nparam:i-npy:{0}:filename:\"{1}\"\n", input,
                              folder.file(fmt::format("{}.npy", input)));
    writeNumbers(folder.file(fmt::format("{}.npy", input)), numbers, format);
  };
  set("transpose_a", of.transposeA);
  set("transpose_b", of.transposeB);
  set("accumulate", of.halfSums ? "f16" : "f32");
  if (of.output != of.format)  // which is what `auto` means here
    set("format", name(of.output));
  set("pack", of.pack);
  set("relu", in.relu);
  bring("a", in.a, of.format);
  bring("b", in.b, of.format);
  if (of.added) {
    set("alpha", in.alpha);
    set("beta", in.beta);
    bring("c", in.c, of.format);
    bring("bias", in.bias, Format::f32);
  }
  return graph;
}

std::vector<GemmSchedule> gemmSchedules(const MemoryGraph& graph) {
  const LoadedGraph loaded = load(graph);
  EXPECT_EQ(loaded.diagnostics.render(), "");
  const DeviceModel device = testDevice().info().limits;
  std::vector<GemmSchedule> all;
  for (const Node& node : loaded.graph.nodes)
    if (node.name.starts_with("coopmat-gemm:01:"))
      for (const VariantDescription* variant : variantsOf(loaded.graph, node))
        for (const KernelSchedule& schedule : allKernelSchedules(*variant)) {
          all.push_back(
              {node.name, variant->name, print(schedule), rejection(loaded.graph, node, schedule, device)});
          for (const int32_t constant : schedule.constants)
            all.back().size *= constant;
        }
  return all;
}

std::vector<std::string> gemmScheduleNames(const MemoryGraph& graph, int part, std::mt19937_64* drawn) {
  std::map<std::string, std::vector<GemmSchedule>> byVariant;
  for (const GemmSchedule& schedule : gemmSchedules(graph))
    if (schedule.rejected.empty())
      byVariant[schedule.variant].push_back(schedule);
  const bool isSlow = testDevice().info().limits.matrices == MatrixKind::emulated;
  std::vector<std::string> names;
  const int turns = std::min(3, static_cast<int>(byVariant.size()));
  int index = 0;
  for (auto& [variant, all] : byVariant) {
    if (isSlow && index++ % turns != part % turns)
      continue;
    size_t count = drawn == nullptr ? 1 : all.size();
    if (isSlow) {
      std::stable_sort(all.begin(), all.end(),
                       [](const GemmSchedule& a, const GemmSchedule& b) { return a.size < b.size; });
      count = (count + 3) / 4;
    }
    names.push_back(
        all[count == 1 ? 0 : static_cast<size_t>(pick(*drawn, 0, static_cast<int>(count) - 1))].name);
  }
  return names;
}

}  // namespace lacuna::test
