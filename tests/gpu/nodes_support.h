#pragma once
// Graphs around one of the modules in tests/gpu/modules.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tests/support/memory_graph.h"
#include "tests/support/random_case.h"

namespace lacuna::test {

// Sources by name, each an i-memory, i-planes or i-array, and connected.
using Sources = std::map<std::string, Image>;

// Sources, then lines of the graph file.
class NodeGraphText {
 public:
  explicit NodeGraphText(Sources sources) {
    graph_.modulePath = {moduleFolder(), testFolder() + "/gpu/modules"};
    graph_.text = "lacuna:1\n";
    for (const auto& [name, image] : sources)
      line("module:" + moduleOf(image) + ":" + name);
    graph_.sources = std::move(sources);
  }

  NodeGraphText& line(const std::string& text) {
    graph_.text += text + "\n";
    return *this;
  }
  NodeGraphText& module(const std::string& name) { return line("module:" + name + ":01"); }
  // "in" "box-sum:01:input"
  NodeGraphText& feed(const std::string& source, const std::string& input) {
    return line("connect:" + moduleOf(graph_.sources.at(source)) + ":" + source + ":output:" + input);
  }
  NodeGraphText& sink(const std::string& output, const std::string& name = "out",
                      const std::string& to = "o-memory") {
    return line("module:" + to + ":" + name).line("connect:" + output + ":" + to + ":" + name + ":input");
  }
  NodeGraphText& arraySink(const std::string& output, int count, const std::string& name = "out") {
    return sink(output, name, "o-array-" + std::to_string(count));
  }

  Image run(int frames = 1) const { return test::run(graph_, "auto", frames).at("out"); }
  std::map<std::string, Image> runAll(const std::string& schedule = "auto", int frames = 1) const {
    return test::run(graph_, schedule, frames);
  }
  const MemoryGraph& graph() const { return graph_; }

 private:
  static std::string moduleOf(const Image& image) {
    return image.type.isPlanes() ? "i-planes" : image.type.isArray() ? "i-array" : "i-memory";
  }

  MemoryGraph graph_;
};

// 1x1, a strip, primes, and a random one.
class NodeTest : public testing::TestWithParam<int> {
 protected:
  NodeTest() {
    const Extent extents[] = {{1, 1}, {17, 1}, {127, 509}, randomExtent(random)};
    extent = extents[GetParam()];
    trace_ = std::make_unique<testing::ScopedTrace>(__FILE__, __LINE__,
                                                    fmt::format("{}x{}", extent.width, extent.height));
  }

  Image image(Channels channels, Format format) {
    return randomImage(random, channels, format, extent, false);
  }
  double uniform(double from, double to) { return std::uniform_real_distribution<double>(from, to)(random); }

  std::mt19937_64& random = testRandom();
  Extent extent;

 private:
  std::unique_ptr<testing::ScopedTrace> trace_;
};

using Expected = std::function<double(uint32_t x, uint32_t y, int component)>;

// `tolerance` is relative to the expected value, or to 0.01 where that is smaller.
inline void expectPixels(const Image& image, const Expected& expected, double tolerance) {
  for (uint32_t y = 0; y < image.type.extent.height; ++y) {
    for (uint32_t x = 0; x < image.type.extent.width; ++x) {
      for (int c = 0; c < componentCount(image.type.channels); ++c) {
        const double wanted = expected(x, y, c);
        ASSERT_NEAR(image.at(x, y, c), wanted, tolerance * std::max(std::abs(wanted), 0.01))
            << "pixel " << x << " " << y << ", component " << c;
      }
    }
  }
}

}  // namespace lacuna::test
