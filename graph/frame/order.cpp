#include "graph/frame/stages.h"

#include <algorithm>

#include "graph/lists.h"

namespace lacuna {
namespace {

// Passes that must come before each pass: those before it whose accesses to the same resource conflict.
Table<PassId, std::vector<PassId>> dependencies(const Passes& passes) {
  Table<PassId, std::vector<PassId>> result(passes.passes.size());
  Table<ResourceId, PassId> lastWriter(passes.resources.size());
  Table<ResourceId, std::vector<PassId>> readers(passes.resources.size());
  for (const PassId pass : passes.passes.ids()) {
    std::vector<PassId>& before = result[pass];
    for (const Access& access : passes.passes[pass].accesses) {
      if (lastWriter[access.resource])
        before.push_back(lastWriter[access.resource]);
      if (access.kind != AccessKind::read)
        before.insert(before.end(), readers[access.resource].begin(), readers[access.resource].end());
    }
    for (const Access& access : passes.passes[pass].accesses) {
      if (access.kind != AccessKind::read) {
        lastWriter[access.resource] = pass;
        readers[access.resource].clear();
      }
      readers[access.resource].push_back(pass);
    }
    std::ranges::sort(before);
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
      for (const ResourceId r : resourcesOf(pass))
        ++usesLeft_[r];
    for (const ResourceId r : passes.resources.ids())
      live_[r] = isKept(passes.resources[r]);
  }

  std::vector<PassId> run() {
    const Table<PassId, std::vector<PassId>> before = dependencies(passes_);
    Table<PassId, size_t> waiting(before.size());
    Table<PassId, std::vector<PassId>> after(before.size());
    std::vector<PassId> ready, result;
    for (const PassId pass : before.ids()) {
      waiting[pass] = before[pass].size();
      for (const PassId earlier : before[pass])
        after[earlier].push_back(pass);
      if (before[pass].empty())
        ready.push_back(pass);
    }
    while (!ready.empty()) {
      const auto best = std::ranges::min_element(ready, [this](PassId a, PassId b) {
        const int64_t growthA = growth(a), growthB = growth(b);
        return growthA != growthB ? growthA < growthB : a < b;
      });
      const PassId pass = *best;
      ready.erase(best);
      take(pass);
      result.push_back(pass);
      for (const PassId later : after[pass])
        if (--waiting[later] == 0)
          ready.push_back(later);
    }
    return result;
  }

  // The most that lives at once, persistent resources aside.
  int64_t peakBytes(const std::vector<PassId>& sequence) {
    int64_t live = 0, most = 0;
    for (const PassId pass : sequence) {
      const int64_t kept = live + growth(pass);
      for (const ResourceId r : resourcesOf(passes_.passes[pass]))
        live += live_[r] ? 0 : static_cast<int64_t>(passes_.resources[r].bytes);
      most = std::max(most, live);
      live = kept;
      take(pass);
    }
    return most;
  }

 private:
  static std::vector<ResourceId> resourcesOf(const Pass& pass) {
    std::vector<ResourceId> result;
    for (const Access& access : pass.accesses)
      if (!contains(result, access.resource))
        result.push_back(access.resource);
    return result;
  }

  // It takes memory, or none of ours, throughout.
  static bool isKept(const Resource& resource) { return resource.persistent || !resource.given.empty(); }

  // Bytes live after the pass less bytes live before it.
  int64_t growth(PassId pass) const {
    int64_t bytes = 0;
    for (const ResourceId r : resourcesOf(passes_.passes[pass])) {
      const Resource& resource = passes_.resources[r];
      if (isKept(resource))
        continue;
      const bool dies = usesLeft_[r] == 1;
      if (!live_[r] && !dies)
        bytes += static_cast<int64_t>(resource.bytes);
      if (live_[r] && dies)
        bytes -= static_cast<int64_t>(resource.bytes);
    }
    return bytes;
  }

  void take(PassId pass) {
    for (const ResourceId r : resourcesOf(passes_.passes[pass])) {
      --usesLeft_[r];
      live_[r] = isKept(passes_.resources[r]) || usesLeft_[r] > 0;
    }
  }

  const Passes& passes_;
  Table<ResourceId, int> usesLeft_;  // passes to come
  Table<ResourceId, bool> live_;
};

}  // namespace

FrameGraph order(FrameGraph passes) {
  const std::vector<PassId> sequence = Orderer(passes).run();
  std::vector<PassId> given;
  for (const PassId pass : passes.passes.ids())
    given.push_back(pass);
  FrameGraph ordered{std::move(passes)};
  if (Orderer(ordered).peakBytes(sequence) < Orderer(ordered).peakBytes(given)) {
    Table<PassId, Pass> inOrder;
    for (const PassId pass : sequence)
      inOrder.push_back(std::move(ordered.passes[pass]));
    ordered.passes = std::move(inOrder);
  }
  return ordered;
}

}  // namespace lacuna
