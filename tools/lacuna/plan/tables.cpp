#include "tools/lacuna/plan/plan.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace lacuna {
namespace {

std::string msOrDash(double ms) {
  return ms > 0.0 ? fmt::format("{:.4g}", ms) : std::string("-");
}

std::string sourceOf(const ScheduleCandidate& candidate) {
  return candidate.ms <= 0.0          ? std::string()
         : candidate.measured.empty() ? std::string("estimated")
                                      : "measured " + candidate.measured;
}

std::string line(const std::string& mark, const std::string& schedule, double ms, const std::string& source,
                 uint64_t bytes, const std::string& passes) {
  return fmt::format(" {:1} {:<34} {:>9}  {:<20} {:>9.1f} {:>7}\n", mark, schedule, msOrDash(ms), source,
                     static_cast<double>(bytes) * 1e-6, passes);
}

// One line for each reason, with the number of schedules that share it.
std::string rejectedLines(const FilterChoice& filter) {
  std::vector<std::pair<std::string, std::vector<std::string>>> reasons;
  std::map<std::string, size_t> known;
  for (const ScheduleCandidate& candidate : filter.candidates) {
    if (!candidate.rejected.empty()) {
      const auto [at, isNew] = known.emplace(candidate.rejected, reasons.size());
      if (isNew)
        reasons.emplace_back(candidate.rejected, std::vector<std::string>());
      reasons[at->second].second.push_back(candidate.name);
    }
  }
  std::string text;
  for (const auto& [reason, names] : reasons) {
    const std::string more = names.size() > 1 ? fmt::format(" and {} more", names.size() - 1) : "";
    text += fmt::format("   can't run {}{}: {}\n", names.front(), more, reason);
  }
  return text;
}

}  // namespace

std::string choiceTable(const FilterChoice& filter, bool all) {
  std::string text = fmt::format("{}: {} ({})\n", filter.filter, filter.schedule, filter.reason);
  if (filter.candidates.empty())  // a host node
    return text;
  text += fmt::format("   {:<34} {:>9}  {:<20} {:>9} {:>7}\n", "schedule", "ms", "", "MB", "passes");
  std::set<std::string> families;
  int left = 0;
  bool inexact = false;
  for (const ScheduleCandidate& candidate : filter.candidates) {
    if (!candidate.rejected.empty())
      continue;
    const bool chosen = candidate.name == filter.schedule;
    if (!families.insert(candidate.family).second && !chosen && !all) {
      ++left;
      continue;
    }
    inexact = inexact || !candidate.exact;
    text += line(chosen            ? "*"
                 : candidate.exact ? ""
                                   : "~",
                 candidate.name, candidate.ms, sourceOf(candidate), candidate.bytes,
                 std::to_string(candidate.passes));
  }
  text += line("", "floor: inputs and outputs once", filter.floorMs, "", filter.floorBytes, "");
  if (left > 0)
    text += fmt::format("   {} more of these families: --all\n", left);
  if (inexact)
    text += " ~ not exact: by name alone\n";
  return text + rejectedLines(filter);
}

nlohmann::ordered_json choiceJson(const FilterChoice& filter) {
  nlohmann::ordered_json candidates = nlohmann::ordered_json::array();
  nlohmann::ordered_json rejected = nlohmann::ordered_json::array();
  for (const ScheduleCandidate& candidate : filter.candidates) {
    if (!candidate.rejected.empty()) {
      rejected.push_back({{"schedule", candidate.name}, {"why", candidate.rejected}});
      continue;
    }
    nlohmann::ordered_json told = {{"schedule", candidate.name},
                                   {"bytes", candidate.bytes},
                                   {"passes", candidate.passes},
                                   {"exact", candidate.exact},
                                   {"measured", !candidate.measured.empty()}};
    if (candidate.ms > 0.0)
      told["ms"] = candidate.ms;
    if (!candidate.measured.empty())
      told["date"] = candidate.measured;
    candidates.push_back(std::move(told));
  }
  nlohmann::ordered_json floor = {{"bytes", filter.floorBytes}};
  if (filter.floorMs > 0.0)
    floor["ms"] = filter.floorMs;
  return {{"node", filter.filter}, {"schedule", filter.schedule}, {"reason", filter.reason},
          {"floor", floor},        {"candidates", candidates},    {"rejected", rejected}};
}

namespace {

constexpr double bytesShown = 1e6;  // MB

struct NodeRow {
  std::string name;
  int passes = 0;
  double read = 0.0, written = 0.0;  // MB
};

// Consecutive passes of a node, such as a chain's levels, are a row.
std::vector<NodeRow> rowsOf(const PlanReport& plan) {
  std::vector<NodeRow> rows;
  for (const PassReport& pass : plan.passes) {
    const std::string name = pass.name.substr(0, pass.name.rfind('.'));
    if (rows.empty() || rows.back().name != name)
      rows.push_back({name});
    ++rows.back().passes;
    rows.back().read += static_cast<double>(pass.bytesRead) / bytesShown;
    rows.back().written += static_cast<double>(pass.bytesWritten) / bytesShown;
  }
  return rows;
}

std::string filterLine(const FilterChoice& filter) {
  std::string time;
  for (const ScheduleCandidate& candidate : filter.candidates) {
    if (candidate.name == filter.schedule && candidate.ms > 0.0) {
      time =
          fmt::format("{:.4g} ms {}, ", candidate.ms, candidate.measured.empty() ? "estimated" : "measured");
    }
  }
  return fmt::format("{:<34} {} ({}{})\n", filter.filter, filter.schedule, time, filter.reason);
}

}  // namespace

std::string planTable(const PlanReport& plan) {
  std::string text;
  if (!plan.filters.empty())
    text += fmt::format("{:<34} {}\n", "filter", "schedule");
  for (const FilterChoice& filter : plan.filters)
    text += filterLine(filter);
  text += fmt::format("{}{:<34} {:>6} {:>10} {:>10}\n", text.empty() ? "" : "\n", "node", "passes", "MB read",
                      "written");
  for (const NodeRow& row : rowsOf(plan))
    text += fmt::format("{:<34} {:>6} {:>10.2f} {:>10.2f}\n", row.name, row.passes, row.read, row.written);
  return text;
}

}  // namespace lacuna
