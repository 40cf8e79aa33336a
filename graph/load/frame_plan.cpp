#include "graph/load/frame_plan.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace lacuna {
namespace {

class Planner {
 public:
  Planner(const WarmUp& warmUp, MissingFiles missing, const std::function<bool(int)>& has)
      : count_(static_cast<size_t>(warmUp.frames.value_or(std::numeric_limits<int>::max()))),
        goesOver_(missing == MissingFiles::skip),
        has_(has) {}

  void add(int frame) {
    std::vector<int> before;  // descending
    int at = frame - 1;
    for (; at > last_ && before.size() < count_; --at) {
      if (has_(at)) {
        before.push_back(at);
      } else if (!goesOver_) {
        plan_.stoppedBy = at;
        break;
      }
    }
    while (at > last_ && goesOver_ && !has_(at)) {
      --at;
    }
    if (at > last_ || last_ < 0) {
      plan_.starts.push_back(before.empty() ? frame : before.back());
    }
    plan_.warmUp.insert(plan_.warmUp.end(), before.rbegin(), before.rend());
    plan_.frames.push_back(frame);
    last_ = frame;
  }

  FramePlan take() { return std::move(plan_); }

 private:
  size_t count_;
  bool goesOver_;
  const std::function<bool(int)>& has_;
  FramePlan plan_;
  int last_ = -1;  // frame that is computed
};

}  // namespace

std::vector<int> frameRange(int first, int last) {
  std::vector<int> frames(static_cast<size_t>(std::max(0, last - first + 1)));
  std::iota(frames.begin(), frames.end(), first);
  return frames;
}

std::vector<int> framesToWrite(const ModuleGraph& graph) {
  return frameRange(graph.writesLast ? graph.frames - 1 : 0, graph.frames - 1);
}

FramePlan planFrames(const std::vector<int>& wanted, const WarmUp& warmUp, MissingFiles missing,
                     const std::function<bool(int frame)>& has) {
  Planner planner(warmUp, missing, has);
  for (const int frame : wanted) {
    planner.add(frame);
  }
  return planner.take();
}

}  // namespace lacuna
