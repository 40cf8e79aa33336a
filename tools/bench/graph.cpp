// `lacuna bench graph`: a graph's frames on the device, one after the other, with its real inputs, timed pass
// by pass with timestamps and as a whole. Sources are read and uploaded, and sinks' values downloaded,
// outside of the graph's time; no file is written.

#include "graph/lists.h"
#include "tools/bench/lab.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"
#include "tools/timing/time_table.h"

namespace lacuna {
namespace {

// A row for each number that the driver states about a pass's shader, in its own words.
ResultTable statisticsOf(const Session& session) {
  ResultTable table{"shaders",
                    "what the driver says of each pass's shader",
                    "",
                    {{"pass", -40, "/pass"}, {"", -38, "/name"}, {"value", 10, "/value"}}};
  const auto statistics = session.shaderStatistics();
  for (const PassId pass : statistics.ids()) {
    for (const vk::ShaderStatistic& statistic : statistics[pass]) {
      table.rows.push_back({{"pass", session.schedule().passes[pass].name},
                            {"name", statistic.name},
                            {"value", statistic.value}});
    }
  }
  return table;
}

// Adds the sum of all passes, and the bytes that they must move.
void addWhole(ResultTable& table, const std::vector<PassReport>& passes, const SessionTimes& times,
              double bandwidth) {
  const auto floor = static_cast<double>(bytesOf(passes, true));
  const double floorMs = bandwidth > 0.0 ? 1e3 * floor / bandwidth : 0.0;
  table.facts.update({{"inOneGoMs", median(times.totals)},
                      {"wallMs", median(times.walls)},
                      {"floor", {{"bytes", floor}, {"ms", floorMs}}},
                      {"copyBytesPerSecond", bandwidth}});
  table.figures.insert(table.figures.end(),
                       {{"all in one go", median(times.totals), "ms"},
                        {"floor: inputs and outputs once", floorMs, "ms"},
                        {"of so many", floor * 1e-6, "MB"},
                        {"wall time of a frame, with transfers", median(times.walls), "ms"}});
}

}  // namespace

int runBenchGraph(const BenchArguments& arguments) {
  GraphArguments graph;
  graph.modules = arguments.modules;
  graph.parameters = arguments.parameters;
  graph.pipeline.schedules = arguments.schedules;
  graph.device = arguments.device;
  Frames frames = arguments.frames;
  frames.most = arguments.runs;  // reports for more frames than runs would never be read
  const std::shared_ptr<door::GraphState> state = loadState(graph, arguments.graph, {.frames = frames});
  printDiagnostics(state->loaded.diagnostics);
  if (!state->loaded.ok())
    return exitUsage;
  Lab lab(arguments);
  auto schedule = door::scheduleGraph(state->loaded.graph, graph.pipeline, targetOf(graph, lab.device.info()),
                                      state->loaded.diagnostics);
  if (!schedule) {
    printDiagnostics(state->loaded.diagnostics);
    return exitUsage;
  }
  const auto session = lab.open(std::move(*schedule));
  session->onWarning([](Severity severity, const std::string& text) {
    severity == Severity::note ? printNote(text) : printWarning(text);
  });
  for (const int frame : state->plan.warmUp) {
    session->upload(frame);
    session->compute(frame);
  }
  const std::vector<int> planned(state->plan.frames.begin(), state->plan.frames.end());
  session->upload(planned.front());
  const SessionTimes times = timesOf(*session, planned, lab.effort);
  FrameTimes perPass(times.totals.size());
  for (const std::vector<double>& runs : times.passes)
    for (size_t run = 0; run < runs.size(); ++run)
      perPass[run].push_back(runs[run]);
  const double bandwidth = lab.bandwidth();
  const std::vector<PassReport> passes = door::passReports(session->schedule());
  ResultTable table = timeTable(passes, perPass, bandwidth);
  addWhole(table, passes, times, bandwidth);
  Json& json = lab.report.json;
  json["graph"] = arguments.graph;
  json["frames"] = {planned.front(), planned.back()};
  json["warmUpFrames"] = state->plan.warmUp.size();
  json["runs"] = times.totals.size();
  lab.report.print(fmt::format("{}: {}medians of {} runs\n", arguments.graph, lab.report.printDevice(),
                               times.totals.size()));
  for (const FilterChoice& choice : session->schedule().choices) {
    json["schedules"][choice.filter] = choice.schedule;
    lab.report.print(fmt::format("{}: {} ({})\n", choice.filter, choice.schedule, choice.reason));
  }
  lab.report.add(table);
  if (arguments.statistics)
    lab.report.add(statisticsOf(*session));
  return lab.report.finish();
}

}  // namespace lacuna
