#include "graph/frame/order.h"

#include <algorithm>

#include "graph/frame/lifetime.h"

namespace lacuna {
namespace {

// Passes that must come before each pass: those before it whose accesses to the same resource conflict.
std::vector<std::vector<int>> dependencies(const Passes& passes) {
  std::vector<std::vector<int>> result(passes.passes.size());
  std::vector<int> lastWriter(passes.resources.size(), -1);
  std::vector<std::vector<int>> readers(passes.resources.size());
  for (size_t i = 0; i < passes.passes.size(); ++i) {
    const int pass = static_cast<int>(i);
    std::vector<int>& before = result[i];
    for (const Access& access : passes.passes[i].accesses) {
      if (lastWriter[access.resource] >= 0)
        before.push_back(lastWriter[access.resource]);
      if (access.kind != AccessKind::read)
        before.insert(before.end(), readers[access.resource].begin(), readers[access.resource].end());
    }
    for (const Access& access : passes.passes[i].accesses) {
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
  explicit Orderer(const Passes& passes)
      : passes_(passes), usesLeft_(passes.resources.size(), 0), live_(passes.resources.size(), false) {
    for (const Pass& pass : passes.passes)
      for (int r : resourcesOf(pass))
        ++usesLeft_[r];
    for (size_t r = 0; r < passes.resources.size(); ++r)
      live_[r] = passes.resources[r].persistent;
  }

  std::vector<int> run() {
    const std::vector<std::vector<int>> before = dependencies(passes_);
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
    for (int r : resourcesOf(passes_.passes[pass])) {
      const Resource& resource = passes_.resources[r];
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
    for (int r : resourcesOf(passes_.passes[pass])) {
      --usesLeft_[r];
      live_[r] = passes_.resources[r].persistent || usesLeft_[r] > 0;
    }
  }

  const Passes& passes_;
  std::vector<int> usesLeft_;  // passes to come, by resource
  std::vector<bool> live_;     // by resource
};

uint64_t peakBytes(OrderedPasses passes) {
  const std::vector<uint64_t> live = liveBytes(lifetimes({std::move(passes)}));
  return live.empty() ? 0 : *std::max_element(live.begin(), live.end());
}

}  // namespace

OrderedPasses order(FramePasses passes) {
  const std::vector<int> sequence = Orderer(passes).run();
  const OrderedPasses given{std::move(passes)};
  OrderedPasses ordered = given;
  for (size_t i = 0; i < sequence.size(); ++i)
    ordered.passes[i] = given.passes[sequence[i]];
  return peakBytes(ordered) < peakBytes(given) ? ordered : given;
}

}  // namespace lacuna
