#include "graph/frame/lifetime.h"

namespace lacuna {

Schedule lifetimes(Schedule schedule) {
  schedule.lifetimes.assign(schedule.resources.size(), Lifetime{});
  for (size_t pass = 0; pass < schedule.passes.size(); ++pass) {
    for (const Access& access : schedule.passes[pass].accesses) {
      Lifetime& life = schedule.lifetimes[access.resource];
      if (life.first < 0)
        life.first = static_cast<int>(pass);
      life.last = static_cast<int>(pass);
    }
  }
  for (size_t r = 0; r < schedule.resources.size(); ++r) {
    if (schedule.resources[r].persistent && schedule.lifetimes[r].first >= 0)
      schedule.lifetimes[r] = {0, static_cast<int>(schedule.passes.size()) - 1};
  }
  return schedule;
}

std::vector<int> liveAt(const Schedule& schedule, int pass) {
  std::vector<int> result;
  for (size_t r = 0; r < schedule.lifetimes.size(); ++r) {
    const Lifetime life = schedule.lifetimes[r];
    if (life.first >= 0 && life.first <= pass && pass <= life.last)
      result.push_back(static_cast<int>(r));
  }
  return result;
}

std::vector<uint64_t> liveBytes(const Schedule& schedule) {
  std::vector<uint64_t> live(schedule.passes.size(), 0);
  for (size_t pass = 0; pass < live.size(); ++pass)
    for (const int r : liveAt(schedule, static_cast<int>(pass)))
      live[pass] += schedule.resources[r].bytes;
  return live;
}

}  // namespace lacuna
