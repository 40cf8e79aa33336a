#include "graph/schedule/stencil/schedule_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/families/family.h"
#include "graph/schedule/stencil/schedule_words.h"

namespace lacuna {
namespace {

std::string plainName(const StencilSchedule& s) {
  for (const FamilyShape& shape : s.family->shapes())
    if (shape.columns == s.columns && shape.rows == s.rows && shape.fused == s.fused)
      return std::string(shape.name);
  return std::string(s.family->name());
}

std::string familyName(const StencilSchedule& s) {
  return plainName(s) + wordsOf(s);
}

std::string rest(const StencilSchedule& s) {
  static const std::array<const char*, 4> synthesis = {"", "/pass", "/carried", "/gathered"};
  return fmt::format("/{}{}", s.storage == ResourceKind::image ? "image" : "buffer",
                     synthesis[static_cast<size_t>(s.synthesis)]);
}

}  // namespace

StencilSchedule plainSchedule(bool synthesis) {
  const StencilFamily& family = baselineFamily();
  StencilSchedule plain = scheduleOf(family, family.shapes().front(), ResourceKind::buffer);
  plain.synthesis = synthesis ? Synthesis::pass : Synthesis::none;
  return plain;
}

uint32_t sharedBytes(const NodeGraph& graph, const Node& node, const StencilSchedule& schedule) {
  return schedule.family->sharedBytes({graph, node, schedule});
}

std::string print(const StencilSchedule& s) {
  return fmt::format("{}@{}x{}{}", familyName(s), s.workgroup[0], s.workgroup[1], rest(s));
}

namespace {

// Adds a shape with each form of synthesis that pays in its layout: the last level of a permuted one would
// gather from as many layouts as there are levels.
void addForms(const StencilSchedule& schedule, bool synthesis, std::vector<StencilSchedule>& all) {
  if (!synthesis) {
    all.push_back(schedule);
    return;
  }
  for (const Synthesis form : {Synthesis::pass, Synthesis::carried, Synthesis::gathered}) {
    if (form != Synthesis::gathered || !schedule.permutes()) {
      all.push_back(schedule);
      all.back().synthesis = form;
    }
  }
}

std::vector<StencilSchedule> listSchedules(bool synthesis, bool byName) {
  std::vector<StencilSchedule> all;
  for (const StencilFamily* family : families()) {
    for (const FamilyShape& shape : family->shapes()) {
      for (const ResourceKind storage : {ResourceKind::image, ResourceKind::buffer})
        if (shape.byName == byName)
          addForms(scheduleOf(*family, shape, storage), synthesis, all);
    }
  }
  return all;
}

std::vector<StencilSchedule> allAndByName(bool synthesis) {
  std::vector<StencilSchedule> all = listSchedules(synthesis, false);
  const std::vector<StencilSchedule> more = listSchedules(synthesis, true);
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

std::vector<StencilSchedule> allSchedules(bool synthesis) {
  return listSchedules(synthesis, false);
}

namespace {

bool nameStarts(const StencilSchedule& schedule, const std::string& prefix) {
  return (familyName(schedule) + rest(schedule)).compare(0, prefix.size(), prefix) == 0;
}

// The schedules of a name with a complete family and words in any order: tiled-local/buf.
std::vector<StencilSchedule> schedulesWithWords(const std::string& name, bool synthesis) {
  const size_t slash = std::min(name.find('/'), name.size());
  std::vector<std::string> words;
  for (size_t at = name.find('-'); at < slash;) {
    const size_t end = std::min(name.find('-', at + 1), slash);
    words.push_back(name.substr(at + 1, end - at - 1));
    at = end;
  }
  const std::string family = name.substr(0, std::min(name.find('-'), slash));
  std::vector<StencilSchedule> found;
  for (StencilSchedule s : allSchedules(synthesis)) {
    const bool meant =
        !words.empty() && plainName(s) == family && rest(s).compare(0, name.size() - slash, name, slash) == 0;
    if (meant && std::all_of(words.begin(), words.end(), [&](const auto& word) { return addWord(s, word); }))
      found.push_back(s);
  }
  return found;
}

}  // namespace

std::vector<std::string> scheduleFamilies() {
  std::vector<std::string> names;
  for (const StencilSchedule& schedule : allAndByName(false))
    if (std::find(names.begin(), names.end(), familyName(schedule)) == names.end())
      names.push_back(familyName(schedule));
  return names;
}

std::vector<StencilSchedule> schedulesNamed(std::string_view name, bool synthesis) {
  std::string plain(name);
  if (!synthesis) {
    // A name for all filters may have parts that this one doesn't need.
    for (const char* form : {"/pass", "/carried", "/gathered"})
      if (const std::string suffix = form; plain.ends_with(suffix))
        plain.resize(plain.size() - suffix.size());
  }
  uint32_t workgroup[2] = {0, 0};
  if (const size_t at = plain.find('@'); at != std::string::npos) {
    const size_t slash = std::min(plain.find('/', at), plain.size());
    const auto shape = workgroupNamed(plain.substr(at + 1, slash - at - 1));
    if (!shape)
      return {};
    std::copy(shape->begin(), shape->end(), workgroup);
    plain.erase(at, slash - at);
  }
  std::vector<StencilSchedule> found = plain.empty() ? allSchedules(synthesis) : allAndByName(synthesis);
  found.erase(
      std::remove_if(found.begin(), found.end(), [&](const auto& s) { return !nameStarts(s, plain); }),
      found.end());
  if (found.empty())
    found = schedulesWithWords(plain, synthesis);
  for (StencilSchedule& s : found) {
    s.workgroup[0] = workgroup[0] != 0 ? workgroup[0] : s.workgroup[0];
    s.workgroup[1] = workgroup[1] != 0 ? workgroup[1] : s.workgroup[1];
  }
  return found;
}

}  // namespace lacuna
