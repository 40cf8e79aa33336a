#include <nlohmann/json.hpp>

#include "tools/bench/unet/report.h"
#include "tools/bench/unet/study.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

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

Json passesJson(const UnetRow& row) {
  Json passes = Json::array();
  for (const UnetPass& pass : row.passes) {
    passes.push_back({{"name", pass.name}, {"ms", pass.ms}, {"bytes", pass.bytes}});
    if (pass.layer >= 0)
      passes.back()["layer"] = pass.layer;
  }
  return passes;
}

Json unetRowJson(const UnetReport& report, const UnetTable& table, const UnetRow& row) {
  Json out = {{"candidate", row.candidate}};
  if (!row.isMeasured()) {
    out["refused"] = row.refused;
    out["wrong"] = row.isWrong;
    return out;
  }
  Json layers = Json::array();
  for (size_t i = 0; i < table.layers.size(); ++i) {
    const double ms = row.msOfLayer(static_cast<int>(i));
    layers.push_back({{"ms", ms},
                      {"operationsPerSecond", table.layers[i].operations / ms * 1e3},
                      {"paddedOperationsPerSecond", table.layers[i].paddedOperations / ms * 1e3},
                      {"bytes", row.bytesOfLayer(static_cast<int>(i))},
                      {"floorMs", report.floorMs(table.layers[i].floorBytes)}});
  }
  out["ms"] = row.ms;
  out["leastMs"] = row.leastMs;
  out["mostMs"] = row.mostMs;
  out["runs"] = row.runs;
  out["error"] = row.error;
  out["msOfPasses"] = row.msOfPasses();
  out["operationsPerSecond"] = table.operations() / row.ms * 1e3;
  out["paddedOperationsPerSecond"] = table.paddedOperations() / row.ms * 1e3;
  out["layers"] = layers;
  out["passes"] = passesJson(row);
  return out;
}

Json unetTableJson(const UnetReport& report, const UnetTable& table) {
  Json layers = Json::array(), rows = Json::array();
  double parameters = 0.0;
  for (const UnetLayerCounts& layer : table.layers) {
    layers.push_back(layerJson(layer));
    parameters += layer.parameters;
  }
  for (const UnetRow& row : table.rows)
    rows.push_back(unetRowJson(report, table, row));
  return {{"width", table.size.width},
          {"height", table.size.height},
          {"parameters", parameters},
          {"operations", table.operations()},
          {"paddedOperations", table.paddedOperations()},
          {"pictureBytes", table.pictureBytes},
          {"isStudyNetwork", isStudyNetwork(table.layers)},
          {"layers", layers},
          {"rows", rows}};
}

Json unetStudyJson(const UnetReport& report) {
  Json layers = Json::array();
  for (const UnetStudyLayer& layer : unetStudyLayers())
    layers.push_back({{"ms", layer.ms}, {"printedMultiplyAddsPerSecond", layer.printed * 1e12}});
  Json study = {
      {"title", unetStudyTitle},
      {"device", unetStudyDevice},
      {"note",
       "it counts a multiply-add as one operation, and prints twice what this network's counts and its "
       "times give for the layers in `doubled`"},
      {"ms", unetStudyMs()},
      {"layers", layers}};
  for (const UnetTable& table : report.tables)
    if (isStudyNetwork(table.layers))
      study["doubled"] = unetStudyDoubled(table.layers);
  return study;
}

}  // namespace

Json toJson(const UnetReport& report) {
  Json tables = Json::array();
  for (const UnetTable& table : report.tables)
    tables.push_back(unetTableJson(report, table));
  return {{"device", report.device},
          {"driver", report.driver},
          {"date", report.date},
          {"weights", report.weights},
          {"planes", report.planes},
          {"runs", report.runs},
          {"limitSeconds", report.limitSeconds},
          {"copyBytesPerSecond", report.copyBytesPerSecond},
          {"ceilings",
           {{"tensorF32PerSecond", report.ceilings.tensorF32PerSecond},
            {"tensorF16PerSecond", report.ceilings.tensorF16PerSecond}}},
          {"study", unetStudyJson(report)},
          {"tables", tables}};
}

}  // namespace lacuna
