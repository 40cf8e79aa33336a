#include "tools/bench/chain.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "graph/lists.h"
#include "tools/timing/preheat.h"

namespace lacuna {
namespace {

constexpr double spanMargin = 1.2;  // so that spans remain long enough while clocks rise
constexpr double mostRuns = 10000.0;
constexpr double trialPreheat = 0.1;  // of a schedule that is measured
constexpr int trialRounds = 5;
constexpr size_t mostOpen = 2;  // more don't fit into memory for products of large matrices

double sum(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

Shaders compiled(const Lab& lab, FrameGraph schedule, const std::function<void(Shaders&)>& change) {
  Shaders shaded = shade(std::move(schedule), lab.modules);
  if (change)
    change(shaded);
  return compileShaders(std::move(shaded), ShaderCache(ShaderCache::defaultFolder()));
}

}  // namespace

BenchChain::BenchChain(Lab& lab, const std::string& node, FrameGraph schedule,
                       const std::function<void(Shaders&)>& change)
    : executable_(commandsOf(lab.device, compiled(lab, std::move(schedule), change), {})) {
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
  const auto all = [this](PassId p) { return withoutDownloads(p); };
  lacuna::preheat([&] { return repeated_ ? times_ * timeRepeated() : time(false, all).totalMs; }, ms);
}

std::vector<double> BenchChain::run() {
  if (repeated_) {
    double one = timeRepeated();
    while (lengthen(one))
      one = timeRepeated();
    return {one};
  }
  const vk::Timings timings = time(true, [this](PassId p) { return withoutDownloads(p); });
  std::vector<double> ms;
  for (const PassId p : passes_)
    ms.push_back(timings.passMs[p]);
  return ms;
}

void BenchChain::repeat(size_t pass, bool alone, double spanMs) {
  repeated_ = passes_[pass];
  alone_ = alone;
  spanMs_ = spanMs;
  times_ = 1;
  lengthen(timeRepeated());
}

double BenchChain::timeRepeated() {
  const vk::Timings timings = time(true, [this](PassId each) {
    return each == repeated_ ? times_ : !alone_ && each < repeated_ ? 1 : 0;
  });
  return timings.passMs[repeated_] / times_;
}

bool BenchChain::lengthen(double ms) {
  if (times_ * ms >= spanMs_ || times_ >= mostRuns)
    return false;
  const double wanted = spanMargin * spanMs_ / std::max(ms, 1e-6);
  times_ = static_cast<int>(std::clamp(std::ceil(wanted), times_ + 1.0, mostRuns));
  return true;
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
  double all = 0.0;
  for (size_t pass = 0; pass < passes_.size(); ++pass)
    all += bytes(pass);
  return all;
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
  for (const auto& [resource, how] : touched)
    bytes += how.first != how.second ? contentBytes(schedule().resources[resource]) : 0;
  return static_cast<double>(bytes);
}

std::unique_ptr<BenchChain> openChain(Lab& lab, const NodeGraph& graph, const ForcedSchedules& schedules,
                                      const std::string& timed, Json& row, const ChainOptions& options) {
  std::string refused;
  FrameGraph passes = lab.passesOf(graph, schedules, refused, options.fuses);
  if (refused.empty()) {
    try {
      return std::make_unique<BenchChain>(
          lab, timed, options.change ? options.change(std::move(passes)) : std::move(passes),
          options.changeShaders);
    } catch (const vk::DeviceError& error) {
      refused = error.what();
    }
  }
  row["refused"] = refused;
  return nullptr;
}

void measure(BenchChain& chain, const BenchEffort& effort, Json& row) {
  chain.preheat(effort.preheatMs);
  std::vector<std::vector<double>> samples;
  std::vector<double> totals;
  BenchRuns runs(effort);
  while (runs.next()) {
    const std::vector<double> ms = chain.run();
    samples.resize(ms.size());
    for (size_t p = 0; p < ms.size(); ++p)
      samples[p].push_back(ms[p]);
    totals.push_back(sum(ms));
  }
  double ms = 0.0;
  Json passes = Json::array();
  for (size_t p = 0; p < samples.size(); ++p) {
    passes.push_back({{"name", samples.size() == chain.passes().size() ? chain.passes()[p] : "repeated"},
                      {"ms", median(samples[p])}});
    ms += msOf(&passes.back());
  }
  row["ms"] = ms;
  row["leastMs"] = *std::min_element(totals.begin(), totals.end());
  row["mostMs"] = *std::max_element(totals.begin(), totals.end());
  row["runs"] = runs.count();
  row["timesInARow"] = chain.timesInARow();
  row["passes"] = std::move(passes);
  row["bytes"] = chain.bytes();
}

std::vector<TimedSchedule> timeTogether(const std::vector<std::string>& schedules, const OpenChain& open,
                                        double preheatMs, const RoundsOptions& options, Json& rows) {
  std::map<std::string, std::unique_ptr<BenchChain>> chains;
  ScheduleTimer timer;
  timer.open = [&](const std::string& name) {
    Json row;
    auto chain = open(name, row);
    if (chain == nullptr) {
      rows.push_back(std::move(row));
      return false;
    }
    chain->preheat(preheatMs);
    chains[name] = std::move(chain);
    return true;
  };
  timer.time = [&](const std::string& name) { return sum(chains.at(name)->run()); };
  timer.close = [&](const std::string& name) { chains.erase(name); };
  timer.seconds = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  return timeInRounds(schedules, timer, options).measured;
}

void measureRows(const std::vector<std::string>& schedules, bool best, const OpenChain& open,
                 const BenchEffort& effort, Json& rows, const decltype(RoundsOptions::more)& more) {
  std::vector<std::string> chosen = schedules;
  if (best && (schedules.size() > 1 || more)) {
    RoundsOptions rounds;
    rounds.rounds = trialRounds;
    rounds.most = mostOpen;
    rounds.more = more;
    Json unopened = Json::array();
    const auto ranked = timeTogether(schedules, open, trialPreheat * effort.preheatMs, rounds, unopened);
    for (const Json& row : unopened)
      if (row.contains("wrong") || (ranked.empty() && &row == &unopened.front()))
        rows.push_back(row);
    chosen.clear();
    if (!ranked.empty())
      chosen.push_back(ranked.front().name);
  }
  for (const std::string& schedule : chosen) {
    Json row;
    if (const auto chain = open(schedule, row))
      measure(*chain, effort, row);
    rows.push_back(std::move(row));
  }
}

}  // namespace lacuna
