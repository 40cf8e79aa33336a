#include "graph/run/quiet_tuning.h"

#include <algorithm>
#include <map>

namespace lacuna {
namespace {

constexpr double shareOfRun = 0.1;
constexpr double mostSeconds = 10.0;
constexpr double secondsEach = 0.2;  // to compile one schedule and to run it a few times
constexpr size_t fewest = 2, most = 8;
constexpr int mostOfFamily = 3;   // variants of one family don't crowd out the others
constexpr double nearTop = 1.35;  // times the best estimate: what the model may be wrong by

std::string familyOf(const std::string& schedule) {
  return schedule.substr(0, schedule.find_first_of("0123456789@/-"));
}

}  // namespace

QuietTuning quietTuning(const Choice& choice, const QuietSituation& situation) {
  const auto& all = choice.candidates;
  const bool isKnown =
      std::any_of(all.begin(), all.end(), [](const Candidate& c) { return !c.measured.empty(); });
  if (isKnown || choice.asked || all.empty() || !all.front().rejected.empty()) {
    return {};
  }
  const double expected = 1e-3 * all.front().ms * situation.frames;
  QuietTuning tuning;
  tuning.seconds = situation.always ? mostSeconds : std::min(mostSeconds, shareOfRun * expected);
  const auto affordable = static_cast<size_t>(tuning.seconds / secondsEach);
  if ((situation.cpu && !situation.always) || affordable < fewest) {
    return {};
  }
  std::map<std::string, int> families;
  for (const Candidate& candidate : all) {
    const bool isNear = candidate.rejected.empty() && candidate.ms <= nearTop * all.front().ms;
    if (isNear && tuning.schedules.size() < std::min(most, affordable) &&
        families[familyOf(candidate.schedule)]++ < mostOfFamily) {
      tuning.schedules.push_back(candidate.schedule);
    }
  }
  return tuning.schedules.size() < fewest ? QuietTuning{} : tuning;
}

}  // namespace lacuna
