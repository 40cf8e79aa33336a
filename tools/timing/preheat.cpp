#include "tools/timing/preheat.h"

#include <algorithm>
#include <vector>

#include "graph/lists.h"

namespace lacuna {
namespace {

constexpr double partsOfPreheat = 4.0;
constexpr double mostPreheats = 5.0;
constexpr std::ptrdiff_t steadyParts = 3;
constexpr double steadyWithin = 0.01;
// A timestamp's resolution may make it 0, which would make the loop endless.
constexpr double leastRunMs = 1e-3;

bool areSteady(const std::vector<double>& medians) {
  if (static_cast<std::ptrdiff_t>(medians.size()) < steadyParts)
    return false;
  const auto [least, most] = std::minmax_element(medians.end() - steadyParts, medians.end());
  return *most <= *least * (1.0 + steadyWithin);
}

}  // namespace

void preheat(const std::function<double()>& run, double ms) {
  std::vector<double> medians;
  double spent = 0.0;
  do {
    std::vector<double> times;
    double part = 0.0;
    do {
      times.push_back(std::max(run(), leastRunMs));
      part += times.back();
    } while (part < ms / partsOfPreheat);
    spent += part;
    if (medians.empty() && times.size() == 1 && spent >= ms)
      return;
    medians.push_back(median(std::move(times)));
  } while (spent < ms || (spent < mostPreheats * ms && !areSteady(medians)));
}

}  // namespace lacuna
