#include "graph/passes/order.h"

#include <algorithm>

#include "graph/passes/lifetime.h"

namespace lacuna {
namespace {

// Passes that must come before each pass: those before it whose accesses to the same resource conflict.
std::vector<std::vector<int>> dependencies(const Schedule& schedule) {
  std::vector<std::vector<int>> result(schedule.passes.size());
  std::vector<int> lastWriter(schedule.resources.size(), -1);
  std::vector<std::vector<int>> readers(schedule.resources.size());
  for (size_t i = 0; i < schedule.passes.size(); ++i) {
    const int pass = static_cast<int>(i);
    std::vector<int>& before = result[i];
    for (const Access& access : schedule.passes[i].accesses) {
      if (lastWriter[access.resource] >= 0)
        before.push_back(lastWriter[access.resource]);
      if (access.kind != AccessKind::read)
        before.insert(before.end(), readers[access.resource].begin(), readers[access.resource].end());
    }
    for (const Access& access : schedule.passes[i].accesses) {
      if (access.kind != AccessKind::read) {
        lastWriter[access.resource] = pass;
        readers[access.resource].clear();
      }
      readers[access.resource].push_back(pass);
    }
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    before.erase(std::remove(before.begin(), before.end(), pass), before.end());
  }
  return result;
}

class Orderer {
 public:
  explicit Orderer(const Schedule& schedule)
      : schedule_(schedule),
        usesLeft_(schedule.resources.size(), 0),
        live_(schedule.resources.size(), false) {
    for (const Pass& pass : schedule.passes)
      for (int r : resourcesOf(pass))
        ++usesLeft_[r];
    for (size_t r = 0; r < schedule.resources.size(); ++r)
      live_[r] = schedule.resources[r].persistent;
  }

  std::vector<int> run() {
    const std::vector<std::vector<int>> before = dependencies(schedule_);
    std::vector<int> waiting(before.size()), ready, result;
    std::vector<std::vector<int>> after(before.size());
    for (size_t pass = 0; pass < before.size(); ++pass) {
      waiting[pass] = static_cast<int>(before[pass].size());
      for (int earlier : before[pass])
        after[earlier].push_back(static_cast<int>(pass));
      if (before[pass].empty())
        ready.push_back(static_cast<int>(pass));
    }
    while (!ready.empty()) {
      const auto best = std::min_element(ready.begin(), ready.end(), [this](int a, int b) {
        const int64_t growthA = growth(a), growthB = growth(b);
        return growthA != growthB ? growthA < growthB : a < b;
      });
      const int pass = *best;
      ready.erase(best);
      take(pass);
      result.push_back(pass);
      for (int later : after[pass])
        if (--waiting[later] == 0)
          ready.push_back(later);
    }
    return result;
  }

 private:
  static std::vector<int> resourcesOf(const Pass& pass) {
    std::vector<int> result;
    for (const Access& access : pass.accesses)
      if (std::find(result.begin(), result.end(), access.resource) == result.end())
        result.push_back(access.resource);
    return result;
  }

  // Bytes live after the pass less bytes live before it.
  int64_t growth(int pass) const {
    int64_t bytes = 0;
    for (int r : resourcesOf(schedule_.passes[pass])) {
      const Resource& resource = schedule_.resources[r];
      if (resource.persistent)
        continue;
      const bool dies = usesLeft_[r] == 1;
      if (!live_[r] && !dies)
        bytes += static_cast<int64_t>(resource.bytes);
      if (live_[r] && dies)
        bytes -= static_cast<int64_t>(resource.bytes);
    }
    return bytes;
  }

  void take(int pass) {
    for (int r : resourcesOf(schedule_.passes[pass])) {
      --usesLeft_[r];
      live_[r] = schedule_.resources[r].persistent || usesLeft_[r] > 0;
    }
  }

  const Schedule& schedule_;
  std::vector<int> usesLeft_;  // passes to come, by resource
  std::vector<bool> live_;     // by resource
};

uint64_t peakBytes(const Schedule& schedule) {
  const std::vector<uint64_t> live = liveBytes(lifetimes(schedule));
  return live.empty() ? 0 : *std::max_element(live.begin(), live.end());
}

}  // namespace

Schedule order(Schedule schedule) {
  const std::vector<int> sequence = Orderer(schedule).run();
  Schedule ordered = schedule;
  for (size_t i = 0; i < sequence.size(); ++i)
    ordered.passes[i] = schedule.passes[sequence[i]];
  return peakBytes(ordered) < peakBytes(schedule) ? ordered : schedule;
}

}  // namespace lacuna
