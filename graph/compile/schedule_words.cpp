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
    // Features of a neighbouring subimage's pixel would have to be looked up tap by tap.
    {{"mirrored", "taps beyond a subimage come from its mirrored neighbour: not exact"},
     [](const StencilSchedule& s) { return s.permutes() && !s.rereads; },
     [](const StencilSchedule& s) { return s.embedding.mirrored; },
     [](StencilSchedule& s) { s.embedding.mirrored = true; }},
    {{"reread", "features stay in the original layout and are read there"},
     [](const StencilSchedule& s) { return s.permutes() && !s.embedding.mirrored; },
     [](const StencilSchedule& s) { return s.rereads; },
     [](StencilSchedule& s) { s.rereads = true; }},
    {{"unstaged", "shared memory holds stored pixels, taps are made of them one by one"},
     [](const StencilSchedule& s) { return s.shares(); },
     [](const StencilSchedule& s) { return s.unstaged; },
     [](StencilSchedule& s) { s.unstaged = true; }},
    {{"reshaped", "subgroups in shapes without bank conflicts"},
     [](const StencilSchedule& s) { return s.family == Family::tiled; },
     [](const StencilSchedule& s) { return s.reshapes; },
     [](StencilSchedule& s) { s.reshapes = true; }},
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
