#include <fmt/format.h>

#include <cstdio>
#include <optional>

#include "tools/lacuna/benches.h"

namespace lacuna {
namespace {

std::optional<Extent> parseSize(const std::string& text) {
  Extent extent;
  int used = 0;
  if (std::sscanf(text.c_str(), "%9ux%9u%n", &extent.width, &extent.height, &used) != 2 ||
      static_cast<size_t>(used) != text.size() || extent.width == 0 || extent.height == 0) {
    fmt::print(stderr, "lacuna: --size {}: expected WIDTHxHEIGHT, such as 1920x1080\n", text);
    return std::nullopt;
  }
  return extent;
}

}  // namespace

int runBench(const BenchArguments& arguments) {
  std::vector<Extent> sizes;
  for (const std::string& text : arguments.sizes) {
    const std::optional<Extent> size = parseSize(text);
    if (!size) {
      return exitUsage;
    }
    sizes.push_back(*size);
  }
  return arguments.name == "caches" ? runBenchCaches(arguments, sizes) : runBenchAtrous(arguments, sizes);
}

}  // namespace lacuna
