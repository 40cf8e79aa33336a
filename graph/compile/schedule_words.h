#pragma once
// What may follow a family's name: tiled-local/buffer. Words change where pixels or their features lie, or
// who reads them when; they go together, and only `mirrored` changes the result.

#include <string>
#include <string_view>
#include <vector>

#include "graph/compile/stencil_schedule.h"

namespace lacuna {

struct ScheduleWord {
  std::string_view word;
  std::string_view meaning;
};
const std::vector<ScheduleWord>& scheduleWords();

// "-local", in the order of scheduleWords(); "" for plain schedules.
std::string wordsOf(const StencilSchedule& schedule);

// False: no such word, the family has no use for it, or it is there already.
bool addWord(StencilSchedule& schedule, std::string_view word);

}  // namespace lacuna
