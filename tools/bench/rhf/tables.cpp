#include "tools/bench/rhf/tables.h"

#include <fmt/format.h>

#include <filesystem>

#include "tools/bench/rhf/study.h"

namespace lacuna {
namespace {

std::string sceneAndSize(const Json& table) {
  return fmt::format("{} {}x{}", std::filesystem::path(table.at("scene").get<std::string>()).stem().string(),
                     table.at("width").get<int>(), table.at("height").get<int>());
}

std::vector<Column> rhfColumns(const Json& table) {
  return {{fmt::format("{}, {} x 3 bins", sceneAndSize(table), table.at("bins").get<int>()), -32,
           [](const Json& row) {
             return fmt::format("{}{} {}", row.at("ofStudy") ? ' ' : '+',
                                row.at("guarantee") == "exact" ? ' ' : '~',
                                row.at(row.contains("schedule") ? "schedule" : "step").get<std::string>());
           }},
          column("ms", 11, "/ms", "{:.4f}"),
          column("x naive", 9, "/timesNaive", "{:.2f}"),
          column("x 1 CPU", 9, "/timesSequential", "{:.2f}"),
          column("x floor", 9, "/timesFloor", "{:.2f}"),
          column("MB", 10, "/bytes", "{:.2f}", 1e-6),
          column("ns/pixel", 10, "/nsPerPixel", "{:.2f}")};
}

double pixelsOf(const Json& table) {
  return table.at("width").get<double>() * table.at("height").get<double>();
}

// Bins of two pixels that the definition compares, and how many a method needs that compares each pair of
// pixels once.
Json termsOf(const RhfTask& task) {
  const RhfDefaults defaults;
  const int side = 2 * defaults.search + 1, around = 2 * defaults.patch + 1;
  const double bins = task.pixels() * 3.0 * task.bins;
  return {{"search", bins * side * side * around * around},
          {"pairs", bins * 2.0 * defaults.search * (defaults.search + 1)}};
}

}  // namespace

Json rhfTable(const RhfTask& task, const SequentialTime& sequential, double floorBytes,
              double copyBytesPerSecond) {
  return {{"scene", task.scene},
          {"width", task.size.width},
          {"height", task.size.height},
          {"bins", task.bins},
          {"samples", task.samples},
          {"sequential", {{"ms", sequential.ms}, {"rows", sequential.rows}}},
          {"floor", {{"bytes", floorBytes}, {"ms", 1e3 * floorBytes / copyBytesPerSecond}}},
          {"terms", termsOf(task)},
          {"rows", Json::array()}};
}

void compareRhfRows(Json& table, size_t first) {
  Json& rows = table.at("rows");
  const double naiveMs = msOf(fastestWith(rows, "step", "naive"));
  for (size_t i = first; i < rows.size(); ++i) {
    if (Json& row = rows[i]; row.contains("ms")) {
      const double ms = row.at("ms");
      row["nsPerPixel"] = ms * 1e6 / pixelsOf(table);
      setRatio(row, "timesFloor", ms, table.at("floor").at("ms"));
      setRatio(row, "timesSequential", table.at("sequential").at("ms"), ms);
      setRatio(row, "timesNaive", naiveMs, ms);
      row["fastestOfStep"] = &row == fastestWith(rows, "step", row.at("step"));
    }
  }
}

std::string rhfHead(const Json& report) {
  const std::string candidates = report.at("candidates");
  return fmt::format(
      "rhf, finest scale, defaults; of each step's workgroups {}{}\n"
      "ms: medians of up to {} runs by timestamps, all passes of the module\n"
      "x naive, x 1 CPU: times as fast as naive, as one thread of this machine\n"
      "x floor: of input, histograms and output once, copied at {:.1f} GB/s\n"
      "+: beyond the study; ~: not exact; of the study each step includes those before it\n"
      "Szeracki et al. 2015: of figure 4 only {:.1f} s on a {} is in the text (1280x720, {} bins a "
      "colour)\n",
      candidates == "all" ? "" : "the ", candidates, report.at("runs").get<int>(),
      report.at("copyBytesPerSecond").get<double>() * 1e-9, rhfStudyProcessorMs * 1e-3, rhfStudyProcessor,
      rhfStudyBins);
}

std::string rhfTitle(const Json& table) {
  const std::vector<Column> columns = rhfColumns(table);
  const double ms = table.at("sequential").at("ms");
  return "\n" + printTitles(columns) +
         printLine(columns, {"   one thread, plain loop", fmt::format("{:.1f}", ms), "", "1.00", "", "",
                             fmt::format("{:.1f}", ms * 1e6 / pixelsOf(table))}) +
         fmt::format("   ({} of {} rows, scaled; {} samples; floor {:.4f} ms)\n",
                     table.at("sequential").at("rows").get<int>(), table.at("height").get<int>(),
                     table.at("samples").get<int>(), msOf(&table.at("floor")));
}

std::string rhfRows(const Json& table, size_t first) {
  return printRows(rhfColumns(table), table.at("rows"), first);
}

std::string rhfFoot(Json& table) {
  const Json* best = fastestWith(table.at("rows"), "guarantee", "exact");
  if (best == nullptr) {
    return {};
  }
  table["fastestExact"] = {{"step", best->at("step")}, {"ms", best->at("ms")}};
  const Json& fastestExact = table.at("fastestExact");
  const double search = table.at("terms").at("search"), pairs = table.at("terms").at("pairs");
  return fmt::format(
      "   a search compares {:.3g} G bins of two pixels, each pair once {:.3g} G\n"
      "   fastest exact step: {}, {:.4f} ms, {:.4g} G bins of a search a second\n",
      search * 1e-9, pairs * 1e-9, fastestExact.at("step").get<std::string>(), msOf(&fastestExact),
      search * 1e-6 / msOf(&fastestExact));
}

std::string rhfScaling(const Json& tables) {
  if (tables.size() < 2) {
    return {};
  }
  std::vector<Column> columns = {column("", -26, "/step")};
  for (size_t t = 0; t < tables.size(); ++t) {
    columns.push_back(column(sceneAndSize(tables[t]), 22, fmt::format("/{}", t), "{:.2f}"));
  }
  std::string text = "\nns/pixel, by size and scene\n" + printTitles(columns);
  for (const RhfStep& step : rhfSteps()) {
    Json line = {{"step", step.name}};
    for (size_t t = 0; t < tables.size(); ++t) {
      if (const Json* row = fastestWith(tables[t].at("rows"), "step", step.name)) {
        line[std::to_string(t)] = row->at("nsPerPixel");
      }
    }
    text += line.size() > 1 ? print(columns, line) : "";
  }
  return text;
}

}  // namespace lacuna
