#include "tools/bench/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

#include "graph/compile/compile.h"
#include "graph/median.h"
#include "graph/run/bandwidth.h"
#include "graph/run/session.h"
#include "graph/run/tune/tuning.h"
#include "graph/shader/compile.h"
#include "graph/shader/generate/shaders.h"
#include "tools/timing/preheat.h"

namespace lacuna {
namespace {

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

vk::DeviceOptions optionsFor(const std::string& select) {
  vk::DeviceOptions options;
  options.select = select;
  return options;
}

// On all cores, and kept on disk.
std::vector<std::shared_ptr<const SpirvWords>> compileShaders(
    const std::vector<const OrderedPasses*>& schedules) {
  std::vector<std::string> texts, names;
  for (const OrderedPasses* schedule : schedules) {
    for (const Pass& pass : schedule->passes) {
      texts.push_back(pass.glsl);
      names.push_back(pass.name);
    }
  }
  return ShaderCache(ShaderCache::defaultFolder()).compileAll(texts, names);
}

}  // namespace

BenchChain::BenchChain(vk::Device& device, const std::string& node, OrderedPasses schedule,
                       const std::vector<std::string>& modules) {
  generateShaders(schedule, modules);
  const auto spirv = compileShaders({&schedule});
  executable_ =
      std::make_unique<vk::Executable>(device, std::move(schedule), vk::Code(spirv.begin(), spirv.end()));
  const std::string prefixes[] = {node + ".", node + "/"};
  const auto& passes = executable_->schedule().passes;
  for (const PassId p : passes.ids()) {
    const std::string& name = passes[p].name;
    if (name == node || name.starts_with(prefixes[0]) || name.starts_with(prefixes[1])) {
      passes_.push_back(p);
      names_.push_back(name == node ? name : name.substr(node.size() + 1));
    }
  }
}

vk::Timings BenchChain::time(bool perPass, const std::function<int(PassId pass)>& repeats) {
  vk::Frame frame;
  frame.first = false;
  frame.repeats = repeats;
  frame.fillBlock = [this](PassId pass, std::span<std::byte> block) {
    fillBlock(schedule(), schedule().passes[pass], 0, block);
  };
  return executable_->time(frame, perPass);
}

int BenchChain::withoutDownloads(PassId pass) const {
  return schedule().passes[pass].kind == PassKind::download ? 0 : 1;
}

void BenchChain::preheat(double ms) {
  lacuna::preheat([this] { return time(false, [this](PassId p) { return withoutDownloads(p); }).totalMs; },
                  ms);
}

std::vector<double> BenchChain::run() {
  const vk::Timings timings = time(true, [this](PassId p) { return withoutDownloads(p); });
  std::vector<double> ms;
  for (const PassId p : passes_) {
    ms.push_back(timings.passMs[p]);
  }
  return ms;
}

double BenchChain::runInARow(size_t pass, int times, bool alone) {
  const PassId repeated = passes_[pass];
  const vk::Timings timings = time(true, [=](PassId each) {
    return each == repeated ? times : !alone && each < repeated ? 1 : 0;
  });
  return timings.passMs[repeated] / times;
}

std::span<const std::byte> BenchChain::compute() {
  const auto& passes = schedule().passes;
  time(false, [](PassId) { return 1; });
  const auto download = std::find_if(passes.begin(), passes.end(),
                                     [](const Pass& pass) { return pass.kind == PassKind::download; });
  return executable_->downloadMemory(PassId(download - passes.begin()));
}

double BenchChain::bytes(size_t pass) const {
  const Pass& of = schedule().passes[passes_[pass]];
  return static_cast<double>(of.bytesRead + of.bytesWritten);
}

double BenchChain::bytes() const {
  double sum = 0.0;
  for (size_t pass = 0; pass < passes_.size(); ++pass) {
    sum += bytes(pass);
  }
  return sum;
}

double BenchChain::floorBytes() const {
  std::map<ResourceId, std::pair<bool, bool>> touched;  // read, written by the chain
  for (const PassId p : passes_) {
    for (const Access& access : schedule().passes[p].accesses) {
      auto& [isRead, isWritten] = touched[access.resource];
      isRead = isRead || access.kind != AccessKind::write;
      isWritten = isWritten || access.kind != AccessKind::read;
    }
  }
  uint64_t bytes = 0;
  for (const auto& [resource, how] : touched) {
    bytes += how.first != how.second ? contentBytes(schedule().resources[resource]) : 0;
  }
  return static_cast<double>(bytes);
}

BenchDevice::BenchDevice(const std::string& select, const std::vector<std::string>& modules)
    : modules_(modules), device_(optionsFor(select)) {}

double BenchDevice::bandwidth() {
  return copyBandwidth(device_);
}

OrderedPasses BenchDevice::compiled(const BenchFilter& filter, Extent extent, const std::string& schedule,
                                    std::string& refused) {
  LoadOptions options;
  options.modulePath = modules_;
  options.memory = BenchImages::types(extent);
  LoadedGraph loaded = loadGraphText(filter.text, "bench.cfg", options);
  if (!loaded.ok()) {
    const Diagnostic error = loaded.diagnostics.sorted().front();
    throw std::runtime_error(
        fmt::format("the graph of {} can't be used: {} {}", filter.name, error.message, error.hint));
  }
  CompileOptions layoutOptions;
  layoutOptions.device = device_.info().limits;
  layoutOptions.schedules[filter.chain] = schedule;  // other chains of the module get their usual one
  layoutOptions.fuses = false;                       // the chain alone is measured
  layoutOptions.know = [cache = TuningCache(ShaderCache::defaultFolder(), device_.info(), modules_)](
                           const NodeGraph& filters) { return cache.know(filters); };
  OrderedPasses result = passesOf(std::move(loaded.graph), layoutOptions, loaded.diagnostics);
  refused = loaded.ok() ? "" : loaded.diagnostics.sorted().front().message;
  return result;
}

void BenchDevice::prepare(const BenchFilter& filter, Extent extent,
                          const std::vector<std::string>& schedules) {
  std::vector<OrderedPasses> all;
  for (const std::string& schedule : schedules) {
    std::string refused;
    OrderedPasses passes = compiled(filter, extent, schedule, refused);
    if (refused.empty()) {
      generateShaders(passes, modules_);
      all.push_back(std::move(passes));
    }
  }
  std::vector<const OrderedPasses*> pointers;
  for (const OrderedPasses& each : all) {
    pointers.push_back(&each);
  }
  compileShaders(pointers);
}

std::string BenchDevice::nameOf(const BenchFilter& filter, Extent extent, const std::string& schedule) {
  std::string refused;
  const OrderedPasses result = compiled(filter, extent, schedule, refused);
  for (const FilterPlan& choice : result.choices) {
    if (choice.filter == filter.chain && refused.empty()) {
      return choice.schedule;
    }
  }
  return {};
}

std::unique_ptr<BenchChain> BenchDevice::open(const BenchFilter& filter, const BenchImages& images,
                                              const std::string& schedule, std::string& refused) {
  OrderedPasses passes = compiled(filter, images.extent(), schedule, refused);
  if (!refused.empty()) {
    return nullptr;
  }
  try {
    return std::make_unique<BenchChain>(device_, filter.chain,
                                        replaceUploads(std::move(passes), images.pixels()), modules_);
  } catch (const vk::DeviceError& error) {
    refused = error.what();
    return nullptr;
  }
}

bool BenchRuns::next() {
  const std::chrono::duration<double> spent = Clock::now() - start_;
  return count_ < effort_.runs && (count_ < fewestRuns || spent.count() < effort_.seconds) && ++count_ > 0;
}

void measure(BenchChain& chain, const BenchEffort& effort, Json& row) {
  chain.preheat(effort.preheatMs);
  std::vector<std::vector<double>> samples(chain.passes().size());
  BenchRuns runs(effort);
  while (runs.next()) {
    const std::vector<double> ms = chain.run();
    for (size_t p = 0; p < ms.size(); ++p) {
      samples[p].push_back(ms[p]);
    }
  }
  double ms = 0.0;
  Json passes = Json::array();
  for (size_t p = 0; p < samples.size(); ++p) {
    passes.push_back({{"name", chain.passes()[p]}, {"ms", median(samples[p])}});
    ms += passes.back().at("ms").get<double>();
  }
  row["ms"] = ms;
  row["runs"] = runs.count();
  row["passes"] = std::move(passes);
  row["bytes"] = chain.bytes();
}

std::vector<double> measureInRounds(const std::vector<std::unique_ptr<BenchChain>>& chains,
                                    const BenchEffort& effort) {
  std::vector<std::vector<double>> samples(chains.size());
  for (size_t c = 0; c < chains.size(); ++c) {
    // The first one makes clocks rise, the others warm up their own shaders and caches.
    chains[c]->preheat(c == 0 ? effort.preheatMs : effort.preheatMs / static_cast<double>(chains.size()));
  }
  BenchEffort all = effort;
  all.seconds *= static_cast<double>(chains.size());
  BenchRuns rounds(all);
  while (rounds.next()) {
    for (size_t i = 0; i < chains.size(); ++i) {
      // There and back, so that nobody always follows the same one.
      const size_t c = rounds.count() % 2 == 0 ? chains.size() - 1 - i : i;
      samples[c].push_back(sum(chains[c]->run()));
    }
  }
  std::vector<double> medians;
  for (auto& each : samples) {
    medians.push_back(median(std::move(each)));
  }
  return medians;
}

}  // namespace lacuna
