#include "graph/schedule/stencil/schedule_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "graph/schedule/stencil/schedule_words.h"

namespace lacuna {
namespace {

std::string plainName(const StencilSchedule& s) {
  const std::string family(name(s.family));
  return s.family == Family::rows    ? family + std::to_string(s.rows)
         : s.family == Family::fused ? family + std::to_string(s.fused)
                                     : family;
}

std::string familyName(const StencilSchedule& s) {
  return plainName(s) + wordsOf(s);
}

std::string rest(const StencilSchedule& s) {
  static const std::array<const char*, 4> synthesis = {"", "/pass", "/carried", "/gathered"};
  return fmt::format("/{}{}", s.storage == ResourceKind::image ? "image" : "buffer",
                     synthesis[static_cast<size_t>(s.synthesis)]);
}

struct Shape {
  Family family;
  int rows;
  uint32_t imageWorkgroup[2];
  uint32_t bufferWorkgroup[2];
  int fused = 1;
  bool byName = false;  // exists by name alone
};

// Workgroups that were best in notes/measured-schedules.md or since (graph/README.md); `@WxH` overrides them.
constexpr std::array<Shape, 11> shapes = {{
    {Family::baseline, 1, {16, 16}, {16, 16}},
    {Family::rows, 2, {16, 16}, {32, 8}},
    {Family::rows, 3, {8, 8}, {16, 8}},
    {Family::rows, 4, {16, 8}, {32, 4}},
    {Family::rows, 5, {16, 8}, {32, 4}},
    {Family::rows, 6, {16, 8}, {32, 4}},
    {Family::permuted, 1, {16, 16}, {16, 16}},
    {Family::tiled, 1, {16, 8}, {16, 8}},
    {Family::lattice, 1, {16, 16}, {16, 16}},
    {Family::fused, 4, {32, 8}, {32, 8}, 2},
    {Family::fused, 4, {32, 8}, {32, 8}, 3, true},
}};

StencilSchedule scheduleOf(const Shape& shape, ResourceKind storage) {
  StencilSchedule s;
  s.family = shape.family;
  s.rows = shape.rows;
  s.fused = shape.fused;
  s.storage = storage;
  const auto& workgroup = storage == ResourceKind::image ? shape.imageWorkgroup : shape.bufferWorkgroup;
  s.workgroup[0] = workgroup[0];
  s.workgroup[1] = workgroup[1];
  return s;
}

}  // namespace

std::string_view name(Family family) {
  switch (family) {
    case Family::baseline:
      return "baseline";
    case Family::rows:
      return "rows";
    case Family::permuted:
      return "permuted";
    case Family::tiled:
      return "tiled";
    case Family::lattice:
      return "lattice";
    case Family::fused:
      return "fused";
  }
  return {};
}

StencilSchedule laterLevels(const StencilSchedule& schedule) {
  if (schedule.family != Family::fused) {
    return schedule;
  }
  const auto* shape = std::find_if(shapes.begin(), shapes.end(), [&](const Shape& s) {
    return s.family == Family::rows && s.rows == schedule.rows;
  });
  StencilSchedule later = scheduleOf(*shape, schedule.storage);
  later.synthesis = schedule.synthesis;
  later.splitsBorders = schedule.splitsBorders;
  later.quads = schedule.quads;
  return later;
}

std::string print(const StencilSchedule& s) {
  return fmt::format("{}@{}x{}{}", familyName(s), s.workgroup[0], s.workgroup[1], rest(s));
}

namespace {

std::vector<StencilSchedule> listSchedules(bool synthesis, bool byName) {
  std::vector<StencilSchedule> all;
  for (const Shape& shape : shapes) {
    if (shape.byName != byName) {
      continue;
    }
    for (const ResourceKind storage : {ResourceKind::image, ResourceKind::buffer}) {
      StencilSchedule s = scheduleOf(shape, storage);
      if (!synthesis) {
        all.push_back(s);
        continue;
      }
      for (const Synthesis form : {Synthesis::pass, Synthesis::carried, Synthesis::gathered}) {
        // The last level of a permuted schedule would gather from as many layouts as there are levels.
        if (form == Synthesis::gathered && s.permutes()) {
          continue;
        }
        s.synthesis = form;
        all.push_back(s);
      }
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

// Of a name whose family is written out and goes on with words, in whatever order: tiled-local/buf.
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
    if (meant &&
        std::all_of(words.begin(), words.end(), [&](const auto& word) { return addWord(s, word); })) {
      found.push_back(s);
    }
  }
  return found;
}

}  // namespace

std::vector<std::string> scheduleFamilies() {
  std::vector<std::string> names;
  for (const StencilSchedule& schedule : allAndByName(false)) {
    if (std::find(names.begin(), names.end(), familyName(schedule)) == names.end()) {
      names.push_back(familyName(schedule));
    }
  }
  return names;
}

std::vector<StencilSchedule> schedulesNamed(std::string_view name, bool synthesis) {
  std::string plain(name);
  if (!synthesis) {
    // A name for all filters may say more than this one needs.
    for (const char* form : {"/pass", "/carried", "/gathered"}) {
      if (const std::string suffix = form; plain.ends_with(suffix)) {
        plain.resize(plain.size() - suffix.size());
      }
    }
  }
  uint32_t workgroup[2] = {0, 0};
  if (const size_t at = plain.find('@'); at != std::string::npos) {
    const size_t slash = std::min(plain.find('/', at), plain.size());
    const auto shape = workgroupNamed(plain.substr(at + 1, slash - at - 1));
    if (!shape) {
      return {};
    }
    std::copy(shape->begin(), shape->end(), workgroup);
    plain.erase(at, slash - at);
  }
  std::vector<StencilSchedule> found = plain.empty() ? allSchedules(synthesis) : allAndByName(synthesis);
  found.erase(
      std::remove_if(found.begin(), found.end(), [&](const auto& s) { return !nameStarts(s, plain); }),
      found.end());
  if (found.empty()) {
    found = schedulesWithWords(plain, synthesis);
  }
  for (StencilSchedule& s : found) {
    s.workgroup[0] = workgroup[0] != 0 ? workgroup[0] : s.workgroup[0];
    s.workgroup[1] = workgroup[1] != 0 ? workgroup[1] : s.workgroup[1];
  }
  return found;
}

}  // namespace lacuna
