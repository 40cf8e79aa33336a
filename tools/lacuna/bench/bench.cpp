#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string_view>

#include "tools/lacuna/bench/benches.h"
#include "tools/lacuna/shell/messages.h"
#include "tools/lacuna/shell/size_text.h"

namespace lacuna {
namespace {

// The first option that the benchmark has no use for; empty: none.
std::string unused(const BenchArguments& a) {
  struct Option {
    const char* name;
    bool given;
    std::string_view usedBy;
  };
  const BenchArguments plain;
  const Option options[] = {
      {"a graph", !a.graph.empty(), "graph"},
      {"--param", !a.parameters.empty(), "graph"},
      {"--frames", !a.frames.empty(), "graph"},
      {"--size", !a.sizes.empty(), "atrous bilateral gemm pathtrace rhf unet caches borders"},
      {"--scene", !a.scenes.empty(), "pathtrace rhf"},
      {"--bins", a.bins != plain.bins, "rhf"},
      {"--weights", !a.weights.empty(), "unet"},
      {"--samples", a.samples != plain.samples, "rhf"},
      {"--radius", !a.radii.empty(), "bilateral"},
      {"--candidates", a.candidates != plain.candidates, "bilateral gemm rhf"},
      {"--shape", !a.shapes.empty(), "gemm"},
      {"--accumulate", !a.accumulate.empty(), "gemm"},
      {"--pack", !a.pack.empty(), "gemm"},
      {"--filter", !a.filters.empty(), "atrous caches"},
      {"--device", !a.device.empty(), "atrous bilateral device gemm graph pathtrace rhf unet"},
      {"--schedule", !a.schedules.empty(), "atrous bilateral gemm graph rhf unet"},
      {"--beside", !a.beside.empty(), "atrous"},
      {"--modules", !a.modules.empty(), "atrous bilateral device gemm graph pathtrace rhf unet"},
      {"--output", !a.output.empty(), "atrous bilateral device gemm graph pathtrace rhf unet"},
      {"--quick", a.quick, "atrous device"},
      {"--part", !a.parts.empty(), "device"},
      {"--plots", !a.plots.empty(), "device"},
      {"--kept", a.kept, "device"},
      {"--statistics", a.statistics, "graph"},
      {"--runs", a.runs != plain.runs, "atrous bilateral device gemm graph pathtrace rhf unet"},
      {"--limit", a.limitSeconds != plain.limitSeconds,
       "atrous bilateral device gemm graph pathtrace rhf unet"},
      {"--preheat", a.preheatMs != plain.preheatMs, "atrous bilateral device gemm graph pathtrace rhf unet"},
  };
  for (const Option& option : options) {
    if (option.given && option.usedBy.find(a.name) == std::string_view::npos) {
      return option.name;
    }
  }
  return {};
}

}  // namespace

bool isAsked(const std::vector<std::string>& asked, std::string_view filter) {
  return asked.empty() || std::find(asked.begin(), asked.end(), filter) != asked.end();
}

int runBench(const BenchArguments& given) {
  if (const std::string option = unused(given); !option.empty()) {
    printError(fmt::format("{} is not an option of `bench {}`", option, given.name));
    return exitUsage;
  }
  BenchArguments arguments = given;
  if (arguments.candidates.empty()) {
    arguments.candidates = arguments.name == "gemm" ? "best" : "first";
  }
  if (arguments.name == "gemm") {
    return runBenchGemm(arguments);  // its sizes are another kind
  }
  std::vector<Extent> sizes;
  for (const std::string& text : arguments.sizes) {
    const std::optional<Extent> size = parseSize(text);
    if (!size) {
      printError(fmt::format("--size {}: expected WIDTHxHEIGHT, such as 1920x1080", text));
      return exitUsage;
    }
    sizes.push_back(*size);
  }
  if (arguments.name == "graph") {
    return runBenchGraph(arguments);
  }
  if (arguments.name == "device") {
    return runBenchDevice(arguments);
  }
  if (arguments.name == "bilateral") {
    return runBenchBilateral(arguments, std::move(sizes));
  }
  if (arguments.name == "rhf") {
    return runBenchRhf(arguments, std::move(sizes));
  }
  if (arguments.name == "unet") {
    return runBenchUnet(arguments, std::move(sizes));
  }
  if (arguments.name == "pathtrace") {
    return runBenchPathtrace(arguments, std::move(sizes));
  }
  return arguments.name == "atrous"   ? runBenchAtrous(arguments, std::move(sizes))
         : arguments.name == "caches" ? runBenchCaches(arguments, std::move(sizes))
                                      : runBenchBorders(arguments, std::move(sizes));
}

}  // namespace lacuna
