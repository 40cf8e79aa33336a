#pragma once
// Random schedules for the tests of the memory stages.

#include <gtest/gtest.h>

#include <random>
#include <string>

#include "graph/frame/frame_graph.h"
#include "tests/support/random.h"

namespace lacuna::test {

// The first of a row of seeds, each for one case.
inline unsigned drawnSeed() {
  return static_cast<unsigned>(testRandom()() >> 33U);
}

// With one seed after the other, until a case fails.
template <typename Case>
void forSeeds(unsigned count, const Case& tryOne) {
  const unsigned first = drawnSeed();
  for (unsigned seed = first; seed < first + count && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    tryOne(seed);
  }
}

inline std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    text += line + "\n";
  return text;
}

struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}
  int upTo(int last) { return std::uniform_int_distribution<int>(0, last)(engine); }
  bool oneIn(int n) { return upTo(n - 1) == 0; }
};

// A program over buffers and images: uploads, dispatches that read up to three earlier results and write
// one or two, counters (filled, then added to), feedback over frames, rewriting in place, also beside a new
// result, downloads.
class RandomSchedule {
 public:
  explicit RandomSchedule(unsigned seed) : random_(seed) {}

  FrameGraph make(int passes) {
    for (int i = random_.upTo(2); i >= 0; --i)
      addPass(PassKind::upload, {{addResource(false), AccessKind::write, AccessPoint::transfer, 0, 0}});
    for (int i = random_.upTo(1); i > 0; --i)
      feedback_.push_back(addResource(true));
    while (static_cast<int>(schedule_.passes.size()) < passes)
      step();
    for (const ResourceId r : feedback_)
      addPass(PassKind::copy, {{pick(), AccessKind::read, AccessPoint::transfer, 0, 0},
                               {r, AccessKind::write, AccessPoint::transfer, 1, 0}});
    addPass(PassKind::download, {{pick(), AccessKind::read, AccessPoint::transfer, 0, 0}});
    return schedule_;
  }

 private:
  ResourceId addResource(bool persistent) {
    Resource resource;
    resource.name = "r" + std::to_string(schedule_.resources.size());
    resource.kind = random_.oneIn(2) ? ResourceKind::image : ResourceKind::buffer;
    resource.bytes = 1024U << random_.upTo(4);
    resource.persistent = persistent;
    return schedule_.resources.add(resource);
  }

  void addPass(PassKind kind, std::vector<Access> accesses) {
    Pass pass;
    pass.name = "p" + std::to_string(schedule_.passes.size());
    pass.kind = kind;
    for (const Access& access : accesses)
      if (access.kind != AccessKind::read && !schedule_.resources[access.resource].persistent)
        written_.push_back(access.resource);
    pass.accesses = std::move(accesses);
    schedule_.passes.push_back(pass);
  }

  // One of the latest results more often than an old one.
  ResourceId pick() {
    const int last = static_cast<int>(written_.size()) - 1;
    return written_[last - random_.upTo(random_.oneIn(4) ? last : std::min(last, 3))];
  }

  AccessPoint shaderPoint(ResourceId resource, bool write) {
    if (schedule_.resources[resource].kind == ResourceKind::buffer)
      return AccessPoint::storageBuffer;
    return !write && random_.oneIn(2) ? AccessPoint::sampledImage : AccessPoint::storageImage;
  }

  void step() {
    if (random_.oneIn(8)) {
      const ResourceId counters = addResource(false);
      addPass(PassKind::fill, {{counters, AccessKind::write, AccessPoint::transfer, 0, 0}});
      return;
    }
    if (random_.oneIn(10)) {
      addPass(PassKind::download, {{pick(), AccessKind::read, AccessPoint::transfer, 0, 0}});
      return;
    }
    std::vector<Access> accesses;
    for (int i = random_.upTo(2); i >= 0; --i)
      add(accesses, pick(), AccessKind::read);
    if (!feedback_.empty() && random_.oneIn(5))
      add(accesses, feedback_[0], AccessKind::read);
    const bool rewrites = random_.oneIn(5);
    if (rewrites)
      add(accesses, pick(), random_.oneIn(2) ? AccessKind::readWrite : AccessKind::write);
    for (int i = random_.upTo(1) + (rewrites ? 0 : 1); i > 0; --i)
      add(accesses, addResource(false), AccessKind::write);
    addPass(PassKind::dispatch, accesses);
  }

  void add(std::vector<Access>& accesses, ResourceId resource, AccessKind kind) {
    accesses.push_back({resource, kind, shaderPoint(resource, kind != AccessKind::read),
                        static_cast<uint32_t>(accesses.size()), 0});
  }

  Random random_;
  FrameGraph schedule_;
  std::vector<ResourceId> written_, feedback_;
};

}  // namespace lacuna::test
