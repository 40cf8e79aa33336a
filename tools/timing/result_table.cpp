#include "tools/timing/result_table.h"

#include <fmt/format.h>

#include <cmath>

#include "graph/lists.h"

namespace lacuna {
namespace {

std::string padded(const std::string& text, int width) {
  return width < 0 ? fmt::format("{:<{}}", text, -width) : fmt::format("{:>{}}", text, width);
}

std::string cell(const Column& column, const Json& row) {
  const Json::json_pointer at(column.value);
  if (!row.contains(at) || row.at(at).is_null())
    return {};
  const Json& value = row.at(at);
  if (value.is_string())
    return value.get<std::string>();
  const double number = value.get<double>() * column.scale;
  return column.format == "bytes" ? printBytes(number)
         : value.is_number_integer() && column.scale == 1.0
             ? fmt::format(fmt::runtime(column.format), value.get<int64_t>())
             : fmt::format(fmt::runtime(column.format), number);
}

std::string lineOf(const std::vector<Column>& columns, const std::vector<std::string>& cells) {
  std::string line;
  for (size_t i = 0; i < cells.size(); ++i)
    line += (i == 0 ? "" : " ") + padded(cells[i], i < columns.size() ? columns[i].width : 0);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

// Three digits, and the unit's prefix: 1.98e14 -> "198 T".
std::string withPrefix(double value) {
  constexpr const char* powersOfThousand[] = {"", "k", "M", "G", "T", "P"};
  size_t prefix = 0;
  while (std::abs(value) >= 999.5 && prefix + 1 < std::size(powersOfThousand)) {
    value /= 1000.0;
    ++prefix;
  }
  const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, decimals, powersOfThousand[prefix]);
}

}  // namespace

double ResultTable::figure(const std::string& figureName) const {
  const Figure* found = findNamed(figures, figureName);
  return found == nullptr ? 0.0 : found->value;
}

std::string printBytes(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB"};
  size_t unit = 0;
  while (bytes >= 1024.0 && unit + 1 < std::size(units)) {
    bytes /= 1024.0;
    ++unit;
  }
  return fmt::format("{} {}", bytes < 99.95 ? fmt::format("{:.3g}", bytes) : fmt::format("{:.0f}", bytes),
                     units[unit]);
}

std::string print(const Figure& figure) {
  return figure.unit == "byte"     ? printBytes(figure.value)
         : figure.unit == "count"  ? withPrefix(figure.value)
         : figure.unit == "byte/s" ? withPrefix(figure.value) + "B/s"
         : figure.unit == "op/s"
             ? withPrefix(figure.value) + "FLOP/s"
             : fmt::format("{:.4g}{}{}", figure.value, figure.unit.empty() ? "" : " ", figure.unit);
}

std::string printHead(const ResultTable& table) {
  std::string text = table.title.empty() ? "" : fmt::format("\n{}\n", table.title);
  if (!table.refused.empty())
    return text + fmt::format("  refused: {}\n", table.refused);
  text += table.measures.empty() ? "" : fmt::format("  {}\n", table.measures);
  std::vector<std::string> titles;
  for (const Column& column : table.columns)
    titles.push_back(column.title);
  return text + lineOf(table.columns, titles);
}

std::vector<std::string> cellsOf(const ResultTable& table, const Json& row) {
  std::vector<std::string> cells;
  for (const Column& column : table.columns)
    cells.push_back(cell(column, row));
  if (row.contains("refused")) {
    cells.resize(table.names);
    cells.push_back(row.at("refused"));
  }
  return cells;
}

std::string print(const ResultTable& table, const Json& row) {
  std::vector<Column> columns = table.columns;
  if (row.contains("refused"))
    columns.resize(table.names);
  return lineOf(columns, cellsOf(table, row));
}

std::string label(const ResultTable& table, const Json& row) {
  std::string text;
  for (size_t i = 0; i < table.names; ++i)
    text += (i == 0 ? "" : " ") + cell(table.columns[i], row);
  return text;
}

std::string printFoot(const ResultTable& table) {
  std::string text;
  for (const Figure& figure : table.figures)
    text += fmt::format("  {}: {}\n", figure.name, print(figure));
  for (const std::string& note : table.notes)
    text += fmt::format("  {}\n", note);
  return text;
}

std::string print(const ResultTable& table) {
  std::string text = printHead(table);
  for (const Json& row : table.rows)
    text += print(table, row);
  return text + printFoot(table);
}

Json toJson(const ResultTable& table) {
  Json json = {{"name", table.name}, {"title", table.title}, {"measures", table.measures}};
  json.update(table.facts);
  if (!table.refused.empty()) {
    json["refused"] = table.refused;
    return json;
  }
  json["curvesOf"] = table.curvesOf;
  json["names"] = table.names;
  json["columns"] = Json::array();
  for (const Column& column : table.columns) {
    json["columns"].push_back({{"title", column.title},
                               {"value", column.value},
                               {"width", column.width},
                               {"format", column.format},
                               {"scale", column.scale},
                               {"mark", column.mark}});
  }
  json["rows"] = table.rows;
  json["figures"] = Json::array();
  for (const Figure& figure : table.figures)
    json["figures"].push_back({{"name", figure.name}, {"value", figure.value}, {"unit", figure.unit}});
  json["notes"] = table.notes;
  return json;
}

ResultTable tableOf(const Json& json) {
  ResultTable table{json.at("name"), json.at("title"), json.at("measures"), {}};
  table.facts = json;
  if (json.contains("refused")) {
    table.refused = json.at("refused");
  } else {
    table.curvesOf = json.at("curvesOf");
    table.names = json.at("names");
    for (const Json& column : json.at("columns")) {
      table.columns.push_back({column.at("title"), column.at("width"), column.at("value"),
                               column.at("format"), column.at("scale"), column.at("mark")});
    }
    table.rows = json.at("rows");
    for (const Json& figure : json.at("figures"))
      table.figures.push_back({figure.at("name"), figure.at("value"), figure.at("unit")});
    table.notes = json.at("notes").get<std::vector<std::string>>();
  }
  for (const char* key :
       {"name", "title", "measures", "refused", "curvesOf", "names", "columns", "rows", "figures", "notes"})
    table.facts.erase(key);
  return table;
}

const Json* fastest(const Json& rows, const std::function<bool(const Json& row)>& counts) {
  const Json* best = nullptr;
  for (const Json& row : rows)
    if (row.contains("ms") && counts(row) && (best == nullptr || row.at("ms") < best->at("ms")))
      best = &row;
  return best;
}

const Json* fastestWith(const Json& rows, const char* key, const Json& value) {
  return fastest(rows, [&](const Json& row) { return row.at(key) == value; });
}

double msOf(const Json* row) {
  return row == nullptr ? 0.0 : row->at("ms").get<double>();
}

void setRatio(Json& out, const char* key, double a, double b) {
  if (a != 0.0 && b != 0.0)
    out[key] = a / b;
}

double sumOf(const Json& rows, const char* key) {
  double sum = 0.0;
  for (const Json& row : rows)
    sum += row.value(key, 0.0);
  return sum;
}

}  // namespace lacuna
