#pragma once
// Shows what each stage of graph/compile made, as its type prints itself. Nothing is printed without a
// trace.

#include <functional>
#include <string>
#include <utility>

namespace lacuna {

class StageTrace {
 public:
  using See = std::function<void(const std::string& stage, const std::string& printed)>;

  StageTrace() = default;
  explicit StageTrace(See see) : see_(std::move(see)) {}

  // Passes on what a stage made.
  template <class Made>
  Made operator()(const char* stage, Made made) const {
    if (see_)
      see_(stage, print(made));
    return made;
  }

 private:
  See see_;
};

}  // namespace lacuna
