#pragma once
// What benchmarks report. Each thing that is measured is a row: a JSON object of named values, which is what
// scripts get. Tables show some of its values in columns. A row with "refused" was not timed; one that also
// has "wrong": true computes something else.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lacuna {

using Json = nlohmann::ordered_json;

struct Column {
  std::string title;
  int width = 0;  // at least; negative: text to the left
  std::function<std::string(const Json& row)> text;
};

// Of a row's value at a JSON pointer ("/ms", "/study/ms"), a number times `scale` or text; blank where there
// is none. `format`: fmt's, of the value.
Column column(std::string title, int width, const std::string& pointer, std::string format = "{}",
              double scale = 1.0);
// Of one number divided by another; blank where one is missing or 0.
Column ratio(std::string title, int width, const std::string& pointer, const std::string& by,
             std::string format = "{:.2f}", double scale = 1.0);

std::string printTitles(const std::vector<Column>& columns);
// Of one that was refused its first `names` columns, and why.
std::string print(const std::vector<Column>& columns, const Json& row, size_t names = 1);
std::string printLine(const std::vector<Column>& columns, const std::vector<std::string>& cells);

std::string printRows(const std::vector<Column>& columns, const Json& rows, size_t first);  // from there on

// The fastest row of those that were timed and count; null: there is none.
const Json* fastest(const Json& rows, const std::function<bool(const Json& row)>& counts);
const Json* fastestWith(const Json& rows, const char* key, const Json& value);
double msOf(const Json* row);  // 0: null
// Sets out[key] to a / b, where both are known: not 0.
void setRatio(Json& out, const char* key, double a, double b);

}  // namespace lacuna
