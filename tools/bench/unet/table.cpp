#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tools/bench/unet/report.h"
#include "tools/bench/unet/study.h"

namespace lacuna {
namespace {

std::string unetColumns(const std::string& name, const std::vector<std::string>& columns) {
  std::string line = fmt::format("{:<26}", name);
  constexpr int widths[] = {11, 9, 9, 9, 9, 9, 9, 9};
  for (size_t i = 0; i < columns.size(); ++i)
    line += fmt::format(" {:>{}}", columns[i], widths[i]);
  line.erase(line.find_last_not_of(' ') + 1);
  return line + "\n";
}

std::string teraOf(double operations, double ms) {
  const double tera = ms > 0.0 ? operations / ms * 1e-9 : 0.0;
  return fmt::format("{:.{}f}", tera, tera < 0.1 ? 4 : tera < 10.0 ? 2 : 1);
}

std::string megabytes(double bytes) {
  return fmt::format("{:.2f}", bytes * 1e-6);
}

std::string timesFloor(const UnetReport& report, double ms, double bytes) {
  const double floor = report.floorMs(bytes);
  return floor > 0.0 ? fmt::format("{:.1f}", ms / floor) : "";
}

std::string layerLine(const UnetReport& report, const UnetTable& table, const UnetRow& row, size_t i) {
  const UnetLayerCounts& layer = table.layers[i];
  const double ms = row.msOfLayer(static_cast<int>(i));
  std::vector<std::string> columns = {
      fmt::format("{:.5f}", ms),          teraOf(layer.operations, ms),
      teraOf(layer.paddedOperations, ms), megabytes(row.bytesOfLayer(static_cast<int>(i))),
      megabytes(layer.floorBytes),        timesFloor(report, ms, layer.floorBytes)};
  if (isStudyNetwork(table.layers)) {
    const UnetStudyLayer& study = unetStudyLayers()[i];
    columns.push_back(fmt::format("{:.2f}", study.ms));
    columns.push_back(teraOf(layer.operations, study.ms));
  }
  return unetColumns(fmt::format("{:>2} {:>4} -> {:<4} {}x{}", i, layer.inputs, layer.outputs,
                                 layer.size.width, layer.size.height),
                     columns);
}

std::string otherLines(const UnetReport& report, const UnetRow& row) {
  std::string text;
  for (const UnetPass& pass : row.passes)
    if (pass.layer < 0)
      text += unetColumns("   " + pass.name, {fmt::format("{:.5f}", pass.ms), "", "", megabytes(pass.bytes),
                                              "", timesFloor(report, pass.ms, pass.bytes)});
  return text;
}

std::string totalLines(const UnetReport& report, const UnetTable& table, const UnetRow& row) {
  double bytes = 0.0;
  for (const UnetPass& pass : row.passes)
    bytes += pass.bytes;
  std::vector<std::string> columns = {fmt::format("{:.5f}", row.ms),
                                      teraOf(table.operations(), row.ms),
                                      teraOf(table.paddedOperations(), row.ms),
                                      megabytes(bytes),
                                      megabytes(table.pictureBytes),
                                      timesFloor(report, row.ms, table.pictureBytes)};
  if (isStudyNetwork(table.layers)) {
    columns.push_back(fmt::format("{:.2f}", unetStudyMs()));
    columns.push_back(teraOf(table.operations(), unetStudyMs()));
  }
  return unetColumns("   sum of passes", {fmt::format("{:.5f}", row.msOfPasses())}) +
         unetColumns("   in one go", columns);
}

std::string studyNote() {
  return fmt::format(
      "study: {}, {}; ms, and TFLOP/s by this network's counts.\n"
      "       It counts a multiply-add as one operation. Its table 2 prints twice what the counts and its "
      "times\n"
      "       give for convolutions 7, 9, 11, 13 and 15\n",
      unetStudyTitle, unetStudyDevice);
}

}  // namespace

double UnetRow::msOfPasses() const {
  double sum = 0.0;
  for (const UnetPass& pass : passes)
    sum += pass.ms;
  return sum;
}

double UnetRow::msOfLayer(int layer) const {
  double sum = 0.0;
  for (const UnetPass& pass : passes)
    sum += pass.layer == layer ? pass.ms : 0.0;
  return sum;
}

double UnetRow::bytesOfLayer(int layer) const {
  double sum = 0.0;
  for (const UnetPass& pass : passes)
    sum += pass.layer == layer ? pass.bytes : 0.0;
  return sum;
}

double UnetTable::operations() const {
  double sum = 0.0;
  for (const UnetLayerCounts& layer : layers)
    sum += layer.operations;
  return sum;
}

double UnetTable::paddedOperations() const {
  double sum = 0.0;
  for (const UnetLayerCounts& layer : layers)
    sum += layer.paddedOperations;
  return sum;
}

int UnetReport::wrongCount() const {
  int count = 0;
  for (const UnetTable& table : tables)
    count += static_cast<int>(
        std::count_if(table.rows.begin(), table.rows.end(), [](const UnetRow& row) { return row.isWrong; }));
  return count;
}

std::string printHead(const UnetReport& report) {
  std::string text = fmt::format("{}, {}, {}\n", report.device, report.driver, report.date);
  text += fmt::format("cnn-unet with {}, for {}\n", report.weights, report.planes);
  text += fmt::format(
      "ms: of a layer's passes by timestamps, median of up to {} runs; in one go: all passes with none "
      "between\n"
      "TFLOP/s: a multiply-add is two operations; padded: channels in multiples of 16\n"
      "MB: read and written by the passes; floor: sources, weights and output once, in halves; of all: "
      "pictures\n"
      "x floor: at {:.1f} GB/s, which a copy reaches\n",
      report.runs, report.copyBytesPerSecond * 1e-9);
  return text + studyNote();
}

std::string printRow(const UnetReport& report, const UnetTable& table, const UnetRow& row) {
  const std::string title = fmt::format("{}x{}, {}", table.size.width, table.size.height, row.candidate);
  if (!row.isMeasured())
    return fmt::format("\n{}: {}\n", title, row.refused);
  std::vector<std::string> names = {"ms", "TFLOP/s", "padded", "MB", "floor MB", "x floor"};
  if (isStudyNetwork(table.layers))
    names.insert(names.end(), {"study ms", "TFLOP/s"});
  std::string text = "\n" + unetColumns(title, names);
  for (size_t i = 0; i < table.layers.size(); ++i)
    text += layerLine(report, table, row, i);
  return text + otherLines(report, row) + totalLines(report, table, row);
}

std::string printSummary(const UnetReport& report) {
  std::string text = fmt::format("\n{:<40} {:>11} {:>9} {:>9} {:>9} {:>9} {:>9}\n", "in one go", "ms",
                                 "TFLOP/s", "% peak", "+-%", "x study", "error");
  for (const UnetTable& table : report.tables)
    for (const UnetRow& row : table.rows) {
      if (!row.isMeasured())
        continue;
      const double peak = report.ceilings.tensorF32PerSecond;
      std::string line = fmt::format(
          "{:<40} {:>11.5f} {:>9} {:>9} {:>9.1f} {:>9} {:>9.1e}",
          fmt::format("{}x{}, {}", table.size.width, table.size.height, row.candidate), row.ms,
          teraOf(table.operations(), row.ms),
          peak > 0.0 ? fmt::format("{:.1f}", 1e5 * table.operations() / row.ms / peak) : "",
          100.0 * (row.mostMs - row.leastMs) / row.ms,
          isStudyNetwork(table.layers) ? fmt::format("{:.1f}", unetStudyMs() / row.ms) : "", row.error);
      text += line + "\n";
    }
  return text;
}

}  // namespace lacuna
