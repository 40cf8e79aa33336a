#include "tools/lacuna/plan/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace lacuna {
namespace {

constexpr double bytesShown = 1e6;  // MB

struct NodeRow {
  std::string name;
  int passes = 0;
  double read = 0.0, written = 0.0;  // MB
};

// Consecutive passes of a node, such as a chain's levels, are a row.
std::vector<NodeRow> rowsOf(const GraphPlan& plan) {
  std::vector<NodeRow> rows;
  for (const PassPlan& pass : plan.passes) {
    const std::string name = pass.name.substr(0, pass.name.rfind('.'));
    if (rows.empty() || rows.back().name != name) {
      rows.push_back({name});
    }
    ++rows.back().passes;
    rows.back().read += static_cast<double>(pass.bytesRead) / bytesShown;
    rows.back().written += static_cast<double>(pass.bytesWritten) / bytesShown;
  }
  return rows;
}

std::string filterLine(const FilterPlan& filter) {
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

std::string planTable(const GraphPlan& plan) {
  std::string text;
  if (!plan.filters.empty()) {
    text += fmt::format("{:<34} {}\n", "filter", "schedule");
  }
  for (const FilterPlan& filter : plan.filters) {
    text += filterLine(filter);
  }
  text += fmt::format("{}{:<34} {:>6} {:>10} {:>10}\n", text.empty() ? "" : "\n", "node", "passes", "MB read",
                      "written");
  for (const NodeRow& row : rowsOf(plan)) {
    text += fmt::format("{:<34} {:>6} {:>10.2f} {:>10.2f}\n", row.name, row.passes, row.read, row.written);
  }
  return text;
}

}  // namespace lacuna
