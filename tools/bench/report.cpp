#include "tools/bench/report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>

#include "graph/config/json_text.h"
#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"
#include "graph/files/output_file.h"
#include "graph/files/standard_streams.h"
#include "tools/bench/curve.h"
#include "tools/lacuna/page/page.h"
#include "tools/shell/files.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

int wrongCount(const std::deque<ResultTable>& tables) {
  int count = 0;
  for (const ResultTable& table : tables)
    for (const Json& row : table.rows)
      count += row.value("wrong", false) ? 1 : 0;
  return count;
}

// Vulkan doesn't state clocks, so the driver's own program is asked: nvidia-smi. `uuid`: the device's, 32 hex
// digits. Nothing if no program knows this device.
std::optional<GpuClock> clockOf(const std::string& uuid) {
  const auto part = [&](size_t begin, size_t count) { return uuid.substr(begin, count); };
  const std::string command = fmt::format(
      "nvidia-smi -i GPU-{}-{}-{}-{}-{} --query-gpu=clocks.sm,clocks.max.sm "
      "--format=csv,noheader,nounits 2>/dev/null",
      part(0, 8), part(8, 4), part(12, 4), part(16, 4), part(20, 12));
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr)
    return std::nullopt;
  GpuClock clock;
  const int numbers = std::fscanf(pipe, "%d, %d", &clock.now, &clock.most);
  return pclose(pipe) == 0 && numbers == 2 ? std::optional(clock) : std::nullopt;
}

// What the page shows of a table: text, and the plot of its marked columns.
Json shown(const ResultTable& table) {
  Json titles = Json::array(), rows = Json::array();
  for (const Column& column : table.columns)
    titles.push_back({{"text", column.title}, {"isLeft", column.width < 0}});
  for (const Json& row : table.rows)
    rows.push_back(cellsOf(table, row));
  const bool isPlotted =
      table.refused.empty() && !table.rows.empty() &&
      std::ranges::any_of(table.columns, [](const Column& column) { return column.mark != Mark::none; });
  return {{"name", table.name},
          {"title", table.title},
          {"measures", table.measures},
          {"refused", table.refused},
          {"titles", titles},
          {"names", table.names},
          {"rows", rows},
          {"foot", printFoot(table)},
          {"plot", isPlotted ? plot(table) : ""}};
}

}  // namespace

Report::Report(const BenchArguments& arguments)
    : json(Json::object()),
      arguments_(arguments),
      prints_(!arguments.json),
      writesStandardOutput_(standardOutputName(arguments.output) == standardStream) {
  if (writesStandardOutput_)
    prints_ = false;
  else if (const auto mistake =
               arguments.output.empty() ? std::nullopt : unwritable(arguments.output, FileKind::report))
    throw Error(ErrorKind::call, "-o " + *mistake);
  try {
    if (!arguments.page.empty())
      checkNamedOutput(pageOutput, arguments.page, {});
  } catch (const FileError& error) {
    throw Error(ErrorKind::call, error.what());
  }
  std::error_code error;
  if (!arguments.plots.empty() && (std::filesystem::create_directories(arguments.plots, error), error)) {
    throw FileError(
        fmt::format("--plots {}: the folder can't be made: {}", arguments.plots, error.message()));
  }
}

Report::Report(const BenchArguments& arguments, const DeviceDescription& device) : Report(arguments) {
  uuid_ = device.uuid;
  json = {
      {"device", device.name}, {"driver", device.driver}, {"date", benchDate()}, {"runs", arguments.runs}};
}

std::string Report::printDevice() const {
  return fmt::format("{}, {}, {}\n", json.at("device").get<std::string>(),
                     json.at("driver").get<std::string>(), json.at("date").get<std::string>());
}

void Report::print(const std::string& text) const {
  if (prints_) {
    fmt::print("{}", text);
    std::fflush(stdout);
  }
}

ResultTable& Report::begin(ResultTable table) {
  print(printHead(table));
  shown_ = 0;
  return tables_.emplace_back(std::move(table));
}

void Report::show(const ResultTable& table) {
  for (; shown_ < table.rows.size(); ++shown_)
    print(lacuna::print(table, table.rows[shown_]));
}

void Report::end(const ResultTable& table) {
  show(table);
  print(printFoot(table));
  if (const auto clock = uuid_.empty() ? std::nullopt : clockOf(uuid_);
      clock && (!clock_ || clock->now < clock_->now))
    clock_ = clock;
  if (!arguments_.plots.empty())
    writeTextFile((std::filesystem::path(arguments_.plots) / (table.name + ".svg")).string(), plot(table));
}

void Report::add(const ResultTable& table) {
  end(begin(table));
}

int Report::finish() {
  if (clock_) {
    json["clockMHz"] = {{"least", clock_->now}, {"most", clock_->most}};
    print(fmt::format("\nThe device's clock at the ends of tables: {} MHz or more; its highest is {}\n",
                      clock_->now, clock_->most));
  }
  if (!arguments_.page.empty()) {
    Json about = {{"facts", json}, {"tables", Json::array()}};
    for (const ResultTable& table : tables_)
      about["tables"].push_back(shown(table));
    PageWriter(arguments_.page, benchPage).end(about);
  }
  json["tables"] = Json::array();
  for (const ResultTable& table : tables_)
    json["tables"].push_back(toJson(table));
  const std::string text = jsonText(json, 2) + "\n";
  if (!prints_)
    fmt::print("{}", text);
  if (!arguments_.output.empty() && !writesStandardOutput_)
    writeTextFile(arguments_.output, text);
  const int wrong = wrongCount(tables_);
  if (wrong > 0)
    printError(fmt::format("{} of the schedules compute wrong results; they were not timed", wrong));
  return wrong > 0 ? exitFailed : exitOk;
}

std::string print(Extent size) {
  return fmt::format("{}x{}", size.width, size.height);
}

std::string benchDate() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace lacuna
