#include "tools/bench/columns.h"

#include <fmt/format.h>

namespace lacuna {
namespace {

// Null: there is none.
const Json* valueAt(const Json& row, const Json::json_pointer& at) {
  return row.contains(at) && !row.at(at).is_null() ? &row.at(at) : nullptr;
}

double numberAt(const Json& row, const Json::json_pointer& at) {
  const Json* value = valueAt(row, at);
  return value == nullptr ? 0.0 : value->get<double>();
}

std::string padded(const std::string& text, int width) {
  return width < 0 ? fmt::format("{:<{}}", text, -width) : fmt::format("{:>{}}", text, width);
}

}  // namespace

Column column(std::string title, int width, const std::string& pointer, std::string format, double scale) {
  return {std::move(title), width, [=, at = Json::json_pointer(pointer)](const Json& row) {
            const Json* value = valueAt(row, at);
            return value == nullptr     ? std::string()
                   : value->is_string() ? value->get<std::string>()
                   : value->is_number_integer() && scale == 1.0
                       ? fmt::format(fmt::runtime(format), value->get<int64_t>())
                       : fmt::format(fmt::runtime(format), value->get<double>() * scale);
          }};
}

Column ratio(std::string title, int width, const std::string& pointer, const std::string& by,
             std::string format, double scale) {
  return {std::move(title), width,
          [=, a = Json::json_pointer(pointer), b = Json::json_pointer(by)](const Json& row) {
            const double over = numberAt(row, a), under = numberAt(row, b);
            return over == 0.0 || under == 0.0 ? std::string()
                                               : fmt::format(fmt::runtime(format), over / under * scale);
          }};
}

std::string printLine(const std::vector<Column>& columns, const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i) {
    line += (i == 0 ? "" : " ") + padded(cells[i], columns[i].width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string printTitles(const std::vector<Column>& columns) {
  std::vector<std::string> cells;
  for (const Column& each : columns) {
    cells.push_back(each.title);
  }
  return printLine(columns, cells);
}

std::string print(const std::vector<Column>& columns, const Json& row, size_t names) {
  const bool isRefused = row.contains("refused");
  std::vector<std::string> cells;
  for (size_t i = 0; i < (isRefused ? names : columns.size()); ++i) {
    cells.push_back(columns[i].text(row));
  }
  if (!isRefused) {
    return printLine(columns, cells);
  }
  std::vector<Column> first(columns.begin(), columns.begin() + static_cast<std::ptrdiff_t>(names));
  first.push_back({});
  cells.push_back(row.at("refused"));
  return printLine(first, cells);
}

std::string printRows(const std::vector<Column>& columns, const Json& rows, size_t first) {
  std::string text;
  for (size_t i = first; i < rows.size(); ++i) {
    text += print(columns, rows[i]);
  }
  return text;
}

const Json* fastest(const Json& rows, const std::function<bool(const Json& row)>& counts) {
  const Json* best = nullptr;
  for (const Json& row : rows) {
    if (row.contains("ms") && counts(row) && (best == nullptr || row.at("ms") < best->at("ms"))) {
      best = &row;
    }
  }
  return best;
}

const Json* fastestWith(const Json& rows, const char* key, const Json& value) {
  return fastest(rows, [&](const Json& row) { return row.at(key) == value; });
}

double msOf(const Json* row) {
  return row == nullptr ? 0.0 : row->at("ms").get<double>();
}

void setRatio(Json& out, const char* key, double a, double b) {
  if (a != 0.0 && b != 0.0) {
    out[key] = a / b;
  }
}

}  // namespace lacuna
