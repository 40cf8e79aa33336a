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

// The first option that a benchmark which simulates has no use for; empty: none.
std::string unused(const BenchArguments& a) {
  const BenchArguments plain;
  const bool borders = a.name == "borders";
  return !a.device.empty()                      ? "--device"
         : !a.schedules.empty()                 ? "--schedule"
         : !a.beside.empty()                    ? "--beside"
         : !a.modules.empty()                   ? "--modules"
         : !a.output.empty()                    ? "--output"
         : a.quick                              ? "--quick"
         : a.runs != plain.runs                 ? "--runs"
         : a.limitSeconds != plain.limitSeconds ? "--limit"
         : a.preheatMs != plain.preheatMs       ? "--preheat"
         : borders && !a.filters.empty()        ? "--filter"
                                                : "";
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
  if (arguments.name == "atrous") {
    return runBenchAtrous(arguments, std::move(sizes));
  }
  if (const std::string option = unused(arguments); !option.empty()) {
    fmt::print(stderr, "lacuna: {} says nothing to bench {}: it runs on no device\n", option, arguments.name);
    return exitUsage;
  }
  return arguments.name == "caches" ? runBenchCaches(arguments, std::move(sizes))
                                    : runBenchBorders(arguments, std::move(sizes));
}

}  // namespace lacuna
