#pragma once
// Measurements, as named rows and columns: the common form of reports, printed as text, JSON and SVG. A row
// is a JSON object of named values, which is what scripts get; columns show some of them. A row with
// "refused" was not timed; one that also has "wrong": true computes something else.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace lacuna {

using Json = nlohmann::ordered_json;

// A column in plots.
enum class Mark { none, measured, model };

struct Column {
  std::string title;
  int width = 0;              // least width of text; negative: aligned left
  std::string value;          // a row's value, as a JSON pointer: "/ms", "/study/ms"; blank if there is none
  std::string format = "{}";  // fmt's, or "bytes"; unused for text
  double scale = 1.0;         // factor of numbers
  Mark mark = Mark::none;
};

// A derived number of the rows. Units: "ns", "ms", "byte", "byte/s", "op/s", "count", "%", "" (a plain
// number).
struct Figure {
  std::string name;
  double value = 0.0;
  std::string unit = {};
};

struct ResultTable {
  std::string name;      // of its plot's file
  std::string title;     // a line
  std::string measures;  // meaning of the numbers in marked columns; if empty, see the columns
  std::vector<Column> columns;
  std::string curvesOf =
      {};            // unit of the first column: plots show curves over it. If empty: bars, one for each row
  size_t names = 1;  // columns that identify a row; refused rows have only these
  Json facts = Json::object();  // of all rows
  Json rows = Json::array();
  std::vector<Figure> figures = {};
  std::vector<std::string> notes = {};  // lines below
  std::string refused = {};             // why there are no rows

  double figure(const std::string& figureName) const;  // 0 if there is none of this name
};

// "22.6 MiB"; "4.33 TB/s", "623 TFLOP/s", "35.2 ns".
std::string printBytes(double bytes);
std::string print(const Figure& figure);

// A table in parts, so that it can be read while it grows: its title and those of the columns, a row, remarks
// below.
std::string printHead(const ResultTable& table);
std::string print(const ResultTable& table, const Json& row);
std::string printFoot(const ResultTable& table);
std::string print(const ResultTable& table);  // all of it

// A row as text, a cell for each column; a refused row ends with the reason, behind its names.
std::vector<std::string> cellsOf(const ResultTable& table, const Json& row);
std::string label(const ResultTable& table, const Json& row);  // what a row is

Json toJson(const ResultTable& table);
ResultTable tableOf(const Json& json);  // throws Json::exception if there is none

// The fastest row of those that were timed and count; null if there is none.
const Json* fastest(const Json& rows, const std::function<bool(const Json& row)>& counts);
const Json* fastestWith(const Json& rows, const char* key, const Json& value);
double msOf(const Json* row);  // 0: null
// Sets out[key] to a / b, if both are known and not 0.
void setRatio(Json& out, const char* key, double a, double b);
double sumOf(const Json& rows, const char* key);  // of those that have it

}  // namespace lacuna
