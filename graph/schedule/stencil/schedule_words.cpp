#include "graph/schedule/stencil/schedule_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "graph/config/diagnostics.h"
#include "graph/config/text.h"
#include "graph/families/family.h"

namespace lacuna {
namespace {

struct Rule {
  std::string_view word;
  bool (*fits)(const StencilSchedule&);
  bool (*has)(const StencilSchedule&);
  void (*add)(StencilSchedule&);
};

const Rule rules[] = {
    {"local", [](const StencilSchedule& s) { return s.permutes(); },
     [](const StencilSchedule& s) { return s.embedding.order == SubimageOrder::localSubdivision; },
     [](StencilSchedule& s) { s.embedding.order = SubimageOrder::localSubdivision; }},
    // Features of a neighbouring subimage's pixel would have to be looked up tap by tap.
    {"mirrored", [](const StencilSchedule& s) { return s.permutes() && !s.rereads; },
     [](const StencilSchedule& s) { return s.embedding.mirrored; },
     [](StencilSchedule& s) { s.embedding.mirrored = true; }},
    {"reread", [](const StencilSchedule& s) { return s.permutes() && !s.embedding.mirrored; },
     [](const StencilSchedule& s) { return s.rereads; }, [](StencilSchedule& s) { s.rereads = true; }},
    {"reshaped", [](const StencilSchedule& s) { return s.family->mayReshape() && !s.pads; },
     [](const StencilSchedule& s) { return s.reshapes; }, [](StencilSchedule& s) { s.reshapes = true; }},
    {"padded", [](const StencilSchedule& s) { return s.family->mayReshape() && !s.reshapes; },
     [](const StencilSchedule& s) { return s.pads; }, [](StencilSchedule& s) { s.pads = true; }},
    {"unstaged", [](const StencilSchedule& s) { return s.family->mayReshape(); },
     [](const StencilSchedule& s) { return s.decodesAtTaps; },
     [](StencilSchedule& s) { s.decodesAtTaps = true; }},
};

}  // namespace

std::string wrongWord(std::string_view name) {
  const std::string_view head = name.substr(0, name.find_first_of("@/"));
  const std::string family(head.substr(0, head.find('-')));
  const auto named = schedulesNamed(family + "/", false);
  if (named.empty() || family.size() == head.size())
    return {};
  StencilSchedule schedule = named.front();
  std::string good = family;
  for (size_t at = family.size(); at < head.size();) {
    const size_t end = std::min(head.find('-', at + 1), head.size());
    const std::string_view word = head.substr(at + 1, end - at - 1);
    at = end;
    if (addWord(schedule, word)) {
      good += "-" + std::string(word);
      continue;
    }
    std::string others;
    for (const Rule& rule : rules)
      if (rule.fits(schedule) && !rule.has(schedule))
        others += (others.empty() ? " takes -" : ", -") + std::string(rule.word);
    return fmt::format("{}{}, not -{}", good, others.empty() ? " takes nothing more" : others, word);
  }
  return {};
}

std::string scheduleHint(std::string_view name) {
  std::string hint = wrongWord(name);
  if (hint.empty())
    hint = didYouMean(std::string(name.substr(0, name.find_first_of("@/"))), scheduleFamilies());
  return hint.empty() ? fmt::format("there are {}; then /image or /buffer, then /pass, /carried or /gathered",
                                    joinNames(scheduleFamilies()))
                      : hint;
}

std::string wordsOf(const StencilSchedule& schedule) {
  std::string text;
  for (const Rule& rule : rules)
    if (rule.has(schedule))
      text += "-" + std::string(rule.word);
  return text;
}

bool addWord(StencilSchedule& schedule, std::string_view word) {
  for (const Rule& rule : rules) {
    if (rule.word == word && rule.fits(schedule) && !rule.has(schedule)) {
      rule.add(schedule);
      return true;
    }
  }
  return false;
}

std::optional<std::array<uint32_t, 2>> workgroupNamed(const std::string& word) {
  std::array<uint32_t, 2> size{};
  int used = 0;
  if (word.find_first_not_of("0123456789x") != std::string::npos ||
      std::sscanf(word.c_str(), "%4ux%4u%n", &size[0], &size[1], &used) != 2 ||
      static_cast<size_t>(used) != word.size() || size[0] == 0 || size[1] == 0)
    return std::nullopt;
  return size;
}

}  // namespace lacuna
