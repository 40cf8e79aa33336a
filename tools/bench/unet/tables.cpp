#include "tools/bench/unet/tables.h"

#include <fmt/format.h>

#include "tools/bench/unet/study.h"

namespace lacuna {
namespace {

double sumOf(const Json& rows, const char* key) {
  double sum = 0.0;
  for (const Json& row : rows) {
    sum += row.value(key, 0.0);
  }
  return sum;
}

Json layerJson(const UnetLayerCounts& layer) {
  return {{"name", layer.name},
          {"width", layer.size.width},
          {"height", layer.size.height},
          {"inputs", layer.inputs},
          {"outputs", layer.outputs},
          {"parameters", layer.parameters},
          {"operations", layer.operations},
          {"paddedOperations", layer.paddedOperations},
          {"floorBytes", layer.floorBytes}};
}

std::string teraOf(double operationsPerSecond) {
  const double tera = operationsPerSecond * 1e-12;
  return fmt::format("{:.{}f}", tera, tera < 0.1 ? 4 : tera < 10.0 ? 2 : 1);
}

Column speed(const char* title, const char* key) {
  return {title, 9, [=](const Json& row) { return row.contains(key) ? teraOf(row.at(key)) : ""; }};
}

// Of layers, other passes and their sums alike: "title", "ms", and what else is known of them.
std::vector<Column> unetColumns(const std::string& title, bool hasStudy) {
  std::vector<Column> columns = {column(title, -26, "/title"),
                                 column("ms", 11, "/ms", "{:.5f}"),
                                 speed("TFLOP/s", "operationsPerSecond"),
                                 speed("padded", "paddedOperationsPerSecond"),
                                 column("MB", 9, "/bytes", "{:.2f}", 1e-6),
                                 column("floor MB", 9, "/floorBytes", "{:.2f}", 1e-6),
                                 ratio("x floor", 9, "/ms", "/floorMs", "{:.1f}")};
  if (hasStudy) {
    columns.push_back(column("study ms", 9, "/studyMs", "{:.2f}"));
    columns.push_back(speed("TFLOP/s", "studyPerSecond"));
  }
  return columns;
}

Json layerLine(const Json& table, const Json& row, size_t i) {
  const Json& layer = table.at("layers")[i];
  Json line = row.at("layers")[i];
  line["title"] = fmt::format("{:>2} {:>4} -> {:<4} {}x{}", i, layer.at("inputs").get<int>(),
                              layer.at("outputs").get<int>(), layer.at("width").get<int>(),
                              layer.at("height").get<int>());
  line["floorBytes"] = layer.at("floorBytes");
  if (table.at("isStudyNetwork")) {
    line["studyMs"] = unetStudyLayers()[i].ms;
    line["studyPerSecond"] = layer.at("operations").get<double>() / unetStudyLayers()[i].ms * 1e3;
  }
  return line;
}

Json totalLine(const Json& table, const Json& row) {
  Json line = row;
  line["title"] = "   in one go";
  line["bytes"] = sumOf(row.at("passes"), "bytes");
  line["floorBytes"] = table.at("pictureBytes");
  line["floorMs"] = table.at("floorMs");
  if (table.at("isStudyNetwork")) {
    line["studyMs"] = unetStudyMs();
    line["studyPerSecond"] = table.at("operations").get<double>() / unetStudyMs() * 1e3;
  }
  return line;
}

std::string titleOf(const Json& table, const Json& row) {
  return fmt::format("{}x{}, {}", table.at("width").get<int>(), table.at("height").get<int>(),
                     row.at("candidate").get<std::string>());
}

}  // namespace

Json unetTable(Extent size, const std::vector<UnetLayerCounts>& layers, double pictureBytes,
               double copyBytesPerSecond) {
  Json counts = Json::array();
  for (const UnetLayerCounts& layer : layers) {
    counts.push_back(layerJson(layer));
    counts.back()["floorMs"] = 1e3 * layer.floorBytes / copyBytesPerSecond;
  }
  return {{"width", size.width},
          {"height", size.height},
          {"parameters", sumOf(counts, "parameters")},
          {"operations", sumOf(counts, "operations")},
          {"paddedOperations", sumOf(counts, "paddedOperations")},
          {"pictureBytes", pictureBytes},
          {"floorMs", 1e3 * pictureBytes / copyBytesPerSecond},
          {"isStudyNetwork", isStudyNetwork(layers)},
          {"layers", counts},
          {"rows", Json::array()}};
}

void compareUnetRow(const Json& table, Json& row) {
  if (!row.contains("ms")) {
    return;
  }
  const auto setSpeeds = [](Json& to, const Json& counts) {
    setRatio(to, "operationsPerSecond", counts.at("operations").get<double>() * 1e3, msOf(&to));
    setRatio(to, "paddedOperationsPerSecond", counts.at("paddedOperations").get<double>() * 1e3, msOf(&to));
  };
  setSpeeds(row, table);
  row["msOfPasses"] = sumOf(row.at("passes"), "ms");
  for (const Json& layer : table.at("layers")) {
    row["layers"].push_back({{"ms", 0.0}, {"bytes", 0.0}, {"floorMs", layer.at("floorMs")}});
  }
  for (const Json& pass : row.at("passes")) {
    if (pass.contains("layer")) {
      Json& layer = row["layers"].at(pass.at("layer").get<size_t>());
      layer["ms"] = msOf(&layer) + msOf(&pass);
      layer["bytes"] = layer.at("bytes").get<double>() + pass.at("bytes").get<double>();
    }
  }
  for (size_t i = 0; i < table.at("layers").size(); ++i) {
    setSpeeds(row["layers"][i], table.at("layers")[i]);
  }
}

Json unetStudyJson() {
  Json layers = Json::array();
  for (const UnetStudyLayer& layer : unetStudyLayers()) {
    layers.push_back({{"ms", layer.ms}, {"printedMultiplyAddsPerSecond", layer.printed * 1e12}});
  }
  return {{"title", unetStudyTitle},
          {"device", unetStudyDevice},
          {"note",
           "it counts a multiply-add as one operation, and prints twice what this network's counts and its "
           "times give for the layers in `doubled`"},
          {"ms", unetStudyMs()},
          {"layers", layers}};
}

std::string unetHead(const Json& report) {
  return fmt::format(
      "cnn-unet with {}, for {}\n"
      "ms: of a layer's passes by timestamps, median of up to {} runs; in one go: all passes with none "
      "between\n"
      "TFLOP/s: a multiply-add is two operations; padded: channels in multiples of 16\n"
      "MB: read and written by the passes; floor: sources, weights and output once, in halves; of all: "
      "pictures\n"
      "x floor: at {:.1f} GB/s, which a copy reaches\n"
      "study: {}, {}; ms, and TFLOP/s by this network's counts.\n"
      "       It counts a multiply-add as one operation. Its table 2 prints twice what the counts and its "
      "times\n"
      "       give for convolutions 7, 9, 11, 13 and 15\n",
      report.at("weights").get<std::string>(), report.at("planes").get<std::string>(),
      report.at("runs").get<int>(), report.at("copyBytesPerSecond").get<double>() * 1e-9, unetStudyTitle,
      unetStudyDevice);
}

std::string unetRow(const Json& table, const Json& row) {
  const std::string title = titleOf(table, row);
  if (!row.contains("ms")) {
    return fmt::format("\n{}: {}\n", title, row.at("refused").get<std::string>());
  }
  const std::vector<Column> columns = unetColumns(title, table.at("isStudyNetwork"));
  std::string text = "\n" + printTitles(columns);
  for (size_t i = 0; i < table.at("layers").size(); ++i) {
    text += print(columns, layerLine(table, row, i));
  }
  for (const Json& pass : row.at("passes")) {
    if (!pass.contains("layer")) {
      Json line = pass;
      line["title"] = "   " + pass.at("name").get<std::string>();
      text += print(columns, line);
    }
  }
  return text + print(columns, {{"title", "   sum of passes"}, {"ms", row.at("msOfPasses")}}) +
         print(columns, totalLine(table, row));
}

std::string unetSummary(const Json& report) {
  const std::vector<Column> columns = {
      column("in one go", -40, "/title"),
      column("ms", 11, "/ms", "{:.5f}"),
      speed("TFLOP/s", "operationsPerSecond"),
      ratio("% peak", 9, "/operationsPerSecond", "/peak", "{:.1f}", 100.0),
      {"+-%", 9,
       [](const Json& row) {
         return fmt::format(
             "{:.1f}",
             100.0 * (row.at("mostMs").get<double>() - row.at("leastMs").get<double>()) / msOf(&row));
       }},
      ratio("x study", 9, "/studyMs", "/ms", "{:.1f}"),
      column("error", 9, "/error", "{:.1e}")};
  std::string text = "\n" + printTitles(columns);
  for (const Json& table : report.at("tables")) {
    for (const Json& row : table.at("rows")) {
      if (row.contains("ms")) {
        Json line = row;
        line["title"] = titleOf(table, row);
        line["peak"] = report.at("ceilings").at("tensorF32PerSecond");
        line["studyMs"] = table.at("isStudyNetwork") ? unetStudyMs() : 0.0;
        text += print(columns, line);
      }
    }
  }
  return text;
}

}  // namespace lacuna
