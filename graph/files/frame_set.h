#pragma once
// Numbers of frames, ascending, each once. Kept as runs of neighbours: a billion frames in a row take no more
// memory than one.
//
//   const lacuna::FrameSet frames = {3, 1, 2, 9};
//   for (const int frame : frames)         // 1, 2, 3, 9
//   for (const auto& run : frames.runs())  // 1 to 3, 9 to 9

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace lacuna {

class FrameSet {
 public:
  struct Run {
    int first = 0, last = 0;  // both included
    bool operator==(const Run&) const = default;
  };
  class Iterator;
  using value_type = int;
  using iterator = Iterator;
  using const_iterator = Iterator;

  FrameSet() = default;
  FrameSet(const std::vector<int>& frames);  // in any order, like the others
  FrameSet(std::initializer_list<int> frames) : FrameSet(std::vector<int>(frames)) {}
  // Runs may overlap; one whose last is less than its first is empty.
  explicit FrameSet(std::vector<Run> runs);
  static FrameSet range(int first, int last);  // a run

  bool empty() const { return runs_.empty(); }
  std::size_t size() const;                          // frames; takes as long as there are runs
  int front() const { return runs_.front().first; }  // not for an empty set, like back()
  int back() const { return runs_.back().last; }
  bool contains(int frame) const { return lastUpTo(frame) == frame; }
  std::optional<int> lastUpTo(int frame) const;  // the largest one that is not above it
  const std::vector<Run>& runs() const& { return runs_; }
  std::vector<Run> runs() && { return std::move(runs_); }
  Iterator begin() const;
  Iterator end() const;

  void add(Run run);
  void add(int frame) { add({frame, frame}); }

  FrameSet with(const FrameSet& others) const;
  FrameSet within(const FrameSet& others) const;  // the frames in both
  FrameSet between(int first, int last) const;    // both included
  FrameSet without(const FrameSet& others) const;
  FrameSet first(std::size_t count) const;  // at most this many
  FrameSet shifted(int offset) const;       // added to each

  bool operator==(const FrameSet&) const = default;

 private:
  std::vector<Run> runs_;  // ascending, with frames between them that are not in the set
};

class FrameSet::Iterator {
 public:
  using iterator_category = std::forward_iterator_tag;
  using value_type = int;
  using difference_type = std::ptrdiff_t;
  using pointer = const int*;
  using reference = int;

  Iterator() = default;
  int operator*() const { return static_cast<int>(run_->first + offset_); }
  Iterator& operator++() {
    const bool isLast = **this == run_->last;
    run_ += isLast ? 1 : 0;
    offset_ = isLast ? 0 : offset_ + 1;
    return *this;
  }
  Iterator operator++(int) {
    const Iterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const Iterator&) const = default;

 private:
  friend class FrameSet;
  explicit Iterator(const Run* run) : run_(run) {}

  const Run* run_ = nullptr;
  std::int64_t offset_ = 0;  // within the run
};

inline FrameSet::Iterator FrameSet::begin() const {
  return Iterator(runs_.data());
}

inline FrameSet::Iterator FrameSet::end() const {
  return Iterator(runs_.data() + runs_.size());
}

// What to do about a missing file. error: nothing runs. skip: its frame is skipped. hold: the last file
// before it is used again. After both, history that follows motion begins again; other feedback continues.
// wait: its frame is computed when the file is whole. span: as skip, but history goes on: motion leads to the
// last frame that ran.
enum class Missing { error, skip, hold, wait, span };
inline bool skipsFrames(Missing missing) {
  return missing == Missing::skip || missing == Missing::span;
}

}  // namespace lacuna
