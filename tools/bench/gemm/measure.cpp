#include "tools/bench/gemm/measure.h"

#include <fmt/format.h>

#include <algorithm>

#include "graph/compile/compile.h"
#include "graph/median.h"
#include "tools/bench/check.h"
#include "tools/bench/gemm/graph.h"
#include "tools/bench/gemm/study.h"
#include "tools/bench/report.h"

namespace lacuna {
namespace {

constexpr double packingPreheat = 0.1;  // of a product's

}  // namespace

RowOfRuns GemmFilter::productsOf(BenchChain& chain) {
  return {chain, chain.passes().size() - 1, true, gemmSpanMs};
}

GemmFilter::GemmFilter(vk::Device& device, const std::vector<std::string>& modules, const GemmTask& task,
                       const GemmSamples& samples)
    : device_(device),
      modules_(modules),
      task_(task),
      samples_(samples),
      model_(device.info().limits),
      graph_(gemmGraph(task, modules)) {}

// The last one of those that the module builds.
const Node& GemmFilter::node() const {
  const auto found = std::find_if(graph_.nodes.rbegin(), graph_.nodes.rend(), [](const Node& node) {
    return node.name.starts_with(std::string(gemmNode) + "/");
  });
  if (found == graph_.nodes.rend()) {
    throw BenchMistake("lacuna: the module coopmat-gemm that is found builds no product\n");
  }
  return *found;
}

std::vector<const VariantDescription*> GemmFilter::variants() const {
  return variantsOf(graph_, node());
}

std::string GemmFilter::rejectionOf(const KernelSchedule& schedule) const {
  return rejection(graph_, node(), schedule, model_);
}

std::vector<KernelSchedule> GemmFilter::schedulesOf(const VariantDescription& variant,
                                                    const std::string& candidates) const {
  std::vector<KernelSchedule> all = allKernelSchedules(variant);
  if (candidates == "all") {
    return all;
  }
  const GemmStudyKernel* kernel = gemmStudyKernel(variant.name);
  if (candidates == "best" && kernel != nullptr && kernel->isByBlocks) {
    std::erase_if(all, [](const KernelSchedule& schedule) {
      const auto [width, height] = pixelsOfWorkgroup(schedule);
      return width != height;
    });
    return all;
  }
  // One that is refused shows why.
  const auto fitting =
      std::find_if(all.begin(), all.end(), [&](const auto& s) { return rejectionOf(s).empty(); });
  return {fitting == all.end() ? all.front() : *fitting};
}

std::vector<GemmGroup> GemmFilter::groups(const std::vector<std::string>& asked,
                                          const std::string& candidates) const {
  std::vector<GemmGroup> found;
  for (const VariantDescription* variant : variants()) {
    GemmGroup group{variant};
    bool isWhole = asked.empty();
    for (const std::string& name : asked) {
      const auto named = kernelScheduleNamed(variants(), name);
      if (named && named->variant == variant && name.find_first_of("@/") == std::string::npos) {
        isWhole = true;
      } else if (named && named->variant == variant) {
        group.schedules.push_back(*named);
      }
    }
    if (isWhole && group.schedules.empty()) {
      group.schedules = schedulesOf(*variant, candidates);
      group.isSearched = candidates == "best" && group.schedules.size() == 1;
    }
    if (!group.schedules.empty()) {
      found.push_back(std::move(group));
    }
  }
  return found;
}

OrderedPasses GemmFilter::compiled(const std::string& schedule, std::string& refused) const {
  CompileOptions options;
  options.device = model_;
  options.schedules[node().name] = schedule;
  Diagnostics diagnostics;
  OrderedPasses passes = passesOf(graph_, options, diagnostics);
  if (diagnostics.hasErrors()) {
    refused = diagnostics.sorted().front().message;
    return passes;
  }
  return withEmptyOutput(std::move(passes), node().name);
}

GemmFilter::Opened GemmFilter::open(const KernelSchedule& schedule) const {
  Opened opened{{{"variant", schedule.variant->name}, {"schedule", print(schedule)}}};
  std::string refused = rejectionOf(schedule);
  OrderedPasses passes = refused.empty() ? compiled(print(schedule), refused) : OrderedPasses{};
  try {
    if (refused.empty()) {
      auto chain = std::make_unique<BenchChain>(device_, gemmNode, std::move(passes), modules_);
      const double error = samples_.errorOf(chain->compute());
      if (isRight(opened.row, error, allowedError(task_))) {
        opened.row["error"] = error;
        opened.chain = std::move(chain);
      }
    }
  } catch (const vk::DeviceError& error) {
    refused = error.what();
  }
  if (!refused.empty()) {
    opened.row["refused"] = refused;
  }
  return opened;
}

Json GemmFilter::measure(const KernelSchedule& schedule, const BenchEffort& effort) const {
  Opened opened = open(schedule);
  if (opened.chain != nullptr) {
    RowOfRuns products = productsOf(*opened.chain);
    products.preheat(effort.preheatMs);
    const std::vector<double> samples = products.samples(effort);
    opened.row["ms"] = median(samples);
    opened.row["leastMs"] = *std::min_element(samples.begin(), samples.end());
    opened.row["mostMs"] = *std::max_element(samples.begin(), samples.end());
    opened.row["runs"] = samples.size();
    opened.row["productsPerRun"] = products.times();
  }
  return std::move(opened.row);
}

std::vector<Json> GemmFilter::measure(const GemmGroup& group, const BenchEffort& effort) const {
  if (group.isSearched) {
    return measureFastest(group, effort);
  }
  std::vector<Json> rows;
  for (const KernelSchedule& schedule : group.schedules) {
    rows.push_back(measure(schedule, effort));
  }
  return rows;
}

Json GemmFilter::packing(const std::string& schedule, const BenchEffort& effort) const {
  std::string refused;
  BenchChain chain(device_, gemmNode, compiled(schedule, refused), modules_);
  if (chain.passes().size() == 1) {
    return nullptr;
  }
  chain.run();
  double ms = 0.0, bytes = 0.0;
  for (size_t pass = 0; pass + 1 < chain.passes().size(); ++pass) {
    RowOfRuns copies(chain, pass, false, gemmSpanMs);
    copies.preheat(packingPreheat * effort.preheatMs);
    ms += median(copies.samples(effort));
    bytes += chain.bytes(pass);
  }
  return {{"ms", ms}, {"bytes", bytes}, {"bytesPerSecond", bytes / (ms * 1e-3)}};
}

}  // namespace lacuna
