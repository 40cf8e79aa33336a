#include "graph/run/stream.h"

#include <algorithm>

namespace lacuna {
namespace {

// The least number from `least` to `most` that fits. `most` fits, and so does every number above one that
// fits.
template <class Fits>
size_t leastThat(size_t least, size_t most, const Fits& fits) {
  while (least < most) {
    const size_t middle = least + (most - least) / 2;
    if (fits(middle))
      most = middle;
    else
      least = middle + 1;
  }
  return most;
}

class Parts {
 public:
  Parts(const FrameSet& frames, const std::function<size_t(const FrameSet&)>& cost)
      : frames_(frames), cost_(cost) {}

  // Parts of at most this cost, or of one frame.
  std::vector<FrameSet> of(size_t mostCost) const {
    std::vector<FrameSet> parts;
    FrameSet left = frames_;
    while (!left.empty()) {
      const size_t size = leastThat(1, left.size(), [&](size_t more) {
        return more == left.size() || cost_(left.first(more + 1)) > mostCost;
      });
      parts.push_back(left.first(size));
      left = left.without(parts.back());
    }
    return parts;
  }

 private:
  const FrameSet& frames_;
  const std::function<size_t(const FrameSet&)>& cost_;
};

}  // namespace

std::vector<FrameSet> chunksOf(const FrameSet& frames, size_t count,
                               const std::function<size_t(const FrameSet& part)>& cost) {
  if (frames.empty())
    return {};
  const Parts parts(frames, cost);
  return parts.of(leastThat(1, cost(frames), [&](size_t most) {
    const std::vector<FrameSet> made = parts.of(most);
    return made.size() <= count &&
           std::all_of(made.begin(), made.end(), [&](const FrameSet& part) { return cost(part) <= most; });
  }));
}

}  // namespace lacuna
