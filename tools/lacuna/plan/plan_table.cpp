#include "tools/lacuna/plan/plan_table.h"

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

// Consecutive passes of a node are a row: a chain's levels, say.
std::vector<NodeRow> rowsOf(const Schedule& schedule) {
  std::vector<NodeRow> rows;
  for (const Pass& pass : schedule.passes) {
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

std::string choiceLine(const Choice& choice) {
  std::string time;
  for (const Candidate& candidate : choice.candidates) {
    if (candidate.schedule == choice.schedule && candidate.ms > 0.0) {
      time =
          fmt::format("{:.4g} ms {}, ", candidate.ms, candidate.measured.empty() ? "estimated" : "measured");
    }
  }
  return fmt::format("{:<34} {} ({}{})\n", choice.node, choice.schedule, time, choice.reason);
}

}  // namespace

std::string planTable(const Schedule& schedule) {
  std::string text;
  if (!schedule.choices.empty()) {
    text += fmt::format("{:<34} {}\n", "filter", "schedule");
  }
  for (const Choice& choice : schedule.choices) {
    text += choiceLine(choice);
  }
  text += fmt::format("{}{:<34} {:>6} {:>10} {:>10}\n", text.empty() ? "" : "\n", "node", "passes", "MB read",
                      "written");
  for (const NodeRow& row : rowsOf(schedule)) {
    text += fmt::format("{:<34} {:>6} {:>10.2f} {:>10.2f}\n", row.name, row.passes, row.read, row.written);
  }
  return text;
}

}  // namespace lacuna
