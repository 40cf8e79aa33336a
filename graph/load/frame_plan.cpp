#include "graph/load/frame_plan.h"

#include <limits>

namespace lacuna {
namespace {

class Planner {
 public:
  Planner(const WarmUp& warmUp, Missing missing, const FrameSet& there)
      : count_(static_cast<size_t>(warmUp.frames.value_or(std::numeric_limits<int>::max()))),
        goesOver_(missing == Missing::skip && !warmUp.cutsAtGaps),
        there_(there) {}

  // In a run of neighbouring frames, only the first has a gap before it.
  void add(const FrameSet::Run& run) {
    const FrameSet between = there_.between(last_ + 1, run.first - 1);
    const FrameSet usable = goesOver_ ? between : rowBefore(run.first, between);
    const size_t size = usable.size();
    const FrameSet warmUp = size > count_ ? usable.without(usable.first(size - count_)) : usable;
    const int first = warmUp.empty() ? run.first : warmUp.front();
    const bool leavesOut = goesOver_ ? size > count_ : first > last_ + 1;
    if (leavesOut || last_ < 0) {
      plan_.starts.add(first);
    }
    if (leavesOut && size < count_) {
      plan_.stoppedBy = first - 1;
    }
    for (const FrameSet::Run& before : warmUp.runs()) {
      plan_.warmUp.add(before);
    }
    plan_.frames.add(run);
    last_ = run.last;
  }

  FramePlan take() { return std::move(plan_); }

 private:
  // The frames without a gap before a frame.
  static FrameSet rowBefore(int frame, const FrameSet& frames) {
    const bool isRow = !frames.empty() && frames.back() == frame - 1;
    return isRow ? FrameSet::range(frames.runs().back().first, frames.back()) : FrameSet();
  }

  size_t count_;
  bool goesOver_;
  const FrameSet& there_;
  FramePlan plan_;
  int last_ = -1;  // frame that is computed
};

}  // namespace

FrameSet framesOf(const ModuleGraph& graph, const FrameList& list, Missing missing) {
  using Kind = FrameList::Kind;
  if (list.kind == Kind::all || (list.kind == Kind::asGraph && !graph.writesLast)) {
    return FrameSet::range(0, graph.frames - 1);
  }
  if (list.kind == Kind::numbers) {
    return list.numbers.shifted(-graph.firstNumber);
  }
  const int last = graph.frames - 1;
  return {missing == Missing::skip ? framesWithFiles(graph).lastUpTo(last).value_or(0) : last};
}

FrameSet framesToWrite(const ModuleGraph& graph) {
  return FrameSet::range(graph.writesLast ? graph.frames - 1 : 0, graph.frames - 1);
}

FramePlan planFrames(const FrameSet& wanted, const WarmUp& warmUp, Missing missing, const FrameSet& there) {
  Planner planner(warmUp, missing, there);
  for (const FrameSet::Run& run : wanted.runs()) {
    planner.add(run);
  }
  return planner.take();
}

}  // namespace lacuna
