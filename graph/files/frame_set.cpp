#include "graph/files/frame_set.h"

#include <algorithm>

namespace lacuna {
namespace {

int64_t lengthOf(const FrameSet::Run& run) {
  return int64_t{run.last} - run.first + 1;
}

// Whether there are frames between them that neither has.
bool isFarBelow(const FrameSet::Run& a, const FrameSet::Run& b) {
  return int64_t{a.last} + 1 < b.first;
}

}  // namespace

FrameSet::FrameSet(const std::vector<int>& frames) {
  std::vector<int> sorted = frames;
  std::sort(sorted.begin(), sorted.end());
  for (const int frame : sorted)
    add(frame);
}

FrameSet::FrameSet(std::vector<Run> runs) {
  std::sort(runs.begin(), runs.end(), [](const Run& a, const Run& b) { return a.first < b.first; });
  for (const Run& run : runs)
    add(run);
}

FrameSet FrameSet::range(int first, int last) {
  return FrameSet(std::vector<Run>{{first, last}});
}

size_t FrameSet::size() const {
  int64_t count = 0;
  for (const Run& run : runs_)
    count += lengthOf(run);
  return static_cast<size_t>(count);
}

std::optional<int> FrameSet::lastUpTo(int frame) const {
  const auto above = std::upper_bound(runs_.begin(), runs_.end(), frame,
                                      [](int value, const Run& run) { return value < run.first; });
  return above == runs_.begin() ? std::nullopt : std::optional(std::min(frame, std::prev(above)->last));
}

void FrameSet::add(Run run) {
  if (run.last < run.first)
    return;
  // The runs that it joins.
  const auto first = std::lower_bound(runs_.begin(), runs_.end(), run, isFarBelow);
  const auto end = std::upper_bound(first, runs_.end(), run, isFarBelow);
  if (first == end) {
    runs_.insert(first, run);
    return;
  }
  *first = {std::min(first->first, run.first), std::max(std::prev(end)->last, run.last)};
  runs_.erase(std::next(first), end);
}

FrameSet FrameSet::with(const FrameSet& others) const {
  std::vector<Run> both = runs_;
  both.insert(both.end(), others.runs_.begin(), others.runs_.end());
  return FrameSet(std::move(both));
}

FrameSet FrameSet::between(int first, int last) const {
  FrameSet found;
  auto at = std::lower_bound(runs_.begin(), runs_.end(), first,
                             [](const Run& run, int value) { return run.last < value; });
  for (; first <= last && at != runs_.end() && at->first <= last; ++at)
    found.runs_.push_back({std::max(at->first, first), std::min(at->last, last)});
  return found;
}

FrameSet FrameSet::within(const FrameSet& others) const {
  FrameSet found;
  for (const Run& run : others.runs_) {
    const FrameSet part = between(run.first, run.last);
    found.runs_.insert(found.runs_.end(), part.runs_.begin(), part.runs_.end());
  }
  return found;
}

FrameSet FrameSet::without(const FrameSet& others) const {
  FrameSet left;
  auto other = others.runs_.begin();
  for (const Run& run : runs_) {
    int64_t from = run.first;
    for (; other != others.runs_.end() && other->first <= run.last; ++other) {
      if (other->first > from)
        left.runs_.push_back({static_cast<int>(from), other->first - 1});
      from = std::max(from, int64_t{other->last} + 1);
      if (other->last > run.last)
        break;  // this run may reach into the next one
    }
    if (from <= run.last)
      left.runs_.push_back({static_cast<int>(from), run.last});
  }
  return left;
}

FrameSet FrameSet::first(size_t count) const {
  FrameSet found;
  auto left = static_cast<int64_t>(count);
  for (auto run = runs_.begin(); run != runs_.end() && left > 0; ++run) {
    const int64_t taken = std::min(left, lengthOf(*run));
    found.runs_.push_back({run->first, static_cast<int>(run->first + taken - 1)});
    left -= taken;
  }
  return found;
}

FrameSet FrameSet::shifted(int offset) const {
  FrameSet moved = *this;
  for (Run& run : moved.runs_) {
    run.first += offset;
    run.last += offset;
  }
  return moved;
}

}  // namespace lacuna
