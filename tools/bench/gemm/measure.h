#pragma once
// A product of two random matrices by coopmat-gemm, under any of its schedules.

#include <memory>
#include <string>
#include <vector>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "tools/bench/gemm/samples.h"
#include "tools/bench/gemm/tables.h"
#include "tools/bench/measure.h"
#include "tools/bench/row_of_runs.h"

namespace lacuna {

// What is measured of a variant: a row each, or the fastest of what a search finds among all its schedules.
struct GemmGroup {
  const VariantDescription* variant = nullptr;
  std::vector<KernelSchedule> schedules = {};
  bool isSearched = false;
};

class GemmFilter {
 public:
  // `samples`: of the task's shape; must outlive the filter. Throws BenchMistake: a module can't be used.
  GemmFilter(vk::Device& device, const std::vector<std::string>& modules, const GemmTask& task,
             const GemmSamples& samples);
  GemmFilter(const GemmFilter&) = delete;
  GemmFilter& operator=(const GemmFilter&) = delete;

  std::vector<const VariantDescription*> variants() const;
  // In the module's order. `candidates`: of each variant the "first" that the device can run, the "best", or
  // "all"; for variants that the study has with several blocks, "best" is each square one. Where names are
  // asked for, "tiled" or "tiled@32x8/x4", those.
  std::vector<GemmGroup> groups(const std::vector<std::string>& asked, const std::string& candidates) const;

  Json measure(const KernelSchedule& schedule, const BenchEffort& effort) const;
  // A row each, or the fastest one and before it those that are wrong.
  std::vector<Json> measure(const GemmGroup& group, const BenchEffort& effort) const;
  // Passes that copy the factors into panels, in no product's time, under a schedule that the device can run:
  // "ms", "bytes", "bytesPerSecond". Null where the kernel reads the factors as they come.
  Json packing(const std::string& schedule, const BenchEffort& effort) const;

 private:
  struct Opened {
    Json row;
    std::unique_ptr<BenchChain> chain = nullptr;  // null: refused, or wrong
  };
  const Node& node() const;
  std::string rejectionOf(const KernelSchedule& schedule) const;
  std::vector<KernelSchedule> schedulesOf(const VariantDescription& variant,
                                          const std::string& candidates) const;
  OrderedPasses compiled(const std::string& schedule, std::string& refused) const;
  static RowOfRuns productsOf(BenchChain& chain);
  Opened open(const KernelSchedule& schedule) const;
  std::vector<Json> measureFastest(const GemmGroup& group, const BenchEffort& effort) const;

  vk::Device& device_;
  std::vector<std::string> modules_;
  GemmTask task_;
  const GemmSamples& samples_;
  DeviceModel model_;
  NodeGraph graph_;  // with a sink in memory
};

}  // namespace lacuna
