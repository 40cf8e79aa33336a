#include "graph/compile/schedule_words.h"

namespace lacuna {
namespace {

struct Rule {
  ScheduleWord text;
  bool (*fits)(const StencilSchedule&);
  bool (*has)(const StencilSchedule&);
  void (*add)(StencilSchedule&);
};

const Rule rules[] = {
    {{"local", "subimages in local subdivision order"},
     [](const StencilSchedule& s) { return s.permutes(); },
     [](const StencilSchedule& s) { return s.embedding.order == SubimageOrder::localSubdivision; },
     [](StencilSchedule& s) { s.embedding.order = SubimageOrder::localSubdivision; }},
};

}  // namespace

const std::vector<ScheduleWord>& scheduleWords() {
  static const std::vector<ScheduleWord> words = [] {
    std::vector<ScheduleWord> all;
    for (const Rule& rule : rules) {
      all.push_back(rule.text);
    }
    return all;
  }();
  return words;
}

std::string wordsOf(const StencilSchedule& schedule) {
  std::string text;
  for (const Rule& rule : rules) {
    if (rule.has(schedule)) {
      text += "-" + std::string(rule.text.word);
    }
  }
  return text;
}

bool addWord(StencilSchedule& schedule, std::string_view word) {
  for (const Rule& rule : rules) {
    if (rule.text.word == word && rule.fits(schedule) && !rule.has(schedule)) {
      rule.add(schedule);
      return true;
    }
  }
  return false;
}

}  // namespace lacuna
