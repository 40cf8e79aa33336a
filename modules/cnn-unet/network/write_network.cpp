#include "cnn-unet/network/write_network.h"

#include <Imath/half.h>
#include <nlohmann/json.hpp>

#include <bit>

namespace lacuna::unet {
namespace {

using Json = nlohmann::json;

const char* wordOf(Scale scale) {
  return scale == Scale::same ? "same" : scale == Scale::half ? "half" : "double";
}

const char* wordOf(Mixed mixed) {
  return mixed == Mixed::warped     ? "warped"
         : mixed == Mixed::relit    ? "relit"
         : mixed == Mixed::filtered ? "filtered"
                                    : "colour";
}

void put(std::string& bytes, uint64_t value, size_t count) {
  for (size_t i = 0; i < count; ++i)
    bytes += static_cast<char>(value >> 8 * i & 0xffU);
}

std::string bytesOf(const std::vector<float>& values) {
  std::string bytes;
  for (const float each : values)
    put(bytes, imath_float_to_half(each), 2);
  return bytes;
}

Json layersOf(const Network& network) {
  Json layers = Json::array();
  for (const Layer& layer : network.layers) {
    Json sources = Json::array();
    for (const Source& source : layer.sources)
      sources.push_back(
          {{"layer",
            source.layer == inputLayer ? "input" : network.layers[static_cast<size_t>(source.layer)].name},
           {"scale", wordOf(source.scale)}});
    layers.push_back({{"name", layer.name},
                      {"channels", layer.channels},
                      {"activation", layer.relu ? "relu" : "none"},
                      {"sources", sources}});
  }
  return layers;
}

}  // namespace

Json descriptionOf(const Network& network) {
  Json input = Json::array();
  for (const Plane plane : network.input)
    input.push_back({{"plane", nameOf(plane)}, {"channels", network.channelsOf(plane)}});
  Json exposure = {{"kind", "none"}};
  if (network.exposure)
    exposure = {{"kind", "log-average"},
                {"block", network.exposure->block},
                {"key", network.exposure->key},
                {"least", network.exposure->least}};
  Json all = {
      {"version", 1},
      {"name", network.name},
      {"input", input},
      {"exposure", exposure},
      {"demodulate",
       network.leastAlbedo ? Json({{"plane", "albedo"}, {"least", *network.leastAlbedo}}) : Json(nullptr)},
      {"transfer", {{"kind", "log"}, {"scale", network.scale}, {"maximum", network.maximum}}},
      {"layers", layersOf(network)}};
  if (network.isOfPhotographs()) {
    all["transfer"] = {{"kind", "srgb"}};
    all["base"] = network.isOfMosaic() ? "malvar" : "input";
    all["shuffle"] = network.cellSide();
  }
  if (const auto& history = network.history)
    all["history"] = {{"frames", history->frames},
                      {"firefly", history->firefly},
                      {"depth_tolerance", history->depthTolerance},
                      {"normal_tolerance", history->normalTolerance},
                      {"cut_share", history->cutShare}};
  for (const Mixed mixed : network.mix)
    all["mix"].push_back(wordOf(mixed));
  return all;
}

std::string safetensors(const Json& header, const std::string& data) {
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string file;
  put(file, text.size(), 8);
  return file + text + data;
}

std::string weightsFile(const Network& network) {
  Json header = {{"__metadata__", {{"lacuna.network", descriptionOf(network).dump()}}}};
  std::string data;
  const auto tensor = [&](const std::string& name, const Json& shape, const std::vector<float>& values) {
    const size_t begin = data.size();
    data += bytesOf(values);
    header[name] = {{"dtype", "F16"}, {"shape", shape}, {"data_offsets", {begin, data.size()}}};
  };
  for (const Layer& layer : network.layers) {
    tensor(layer.name + ".weight", {layer.channels, layer.inputs, 3, 3}, layer.weights);
    tensor(layer.name + ".bias", Json::array({layer.channels}), layer.biases);
  }
  return safetensors(header, data);
}

std::string archiveFile(const Network& network, bool inFloats) {
  std::string data, table;
  const auto tensor = [&](const std::string& name, const std::vector<uint32_t>& shape,
                          const std::vector<float>& values) {
    put(table, name.size(), 2);
    table += name;
    put(table, shape.size(), 1);
    for (const uint32_t size : shape)
      put(table, size, 4);
    table += shape.size() == 1 ? "x" : "oihw";
    table += inFloats ? 'f' : 'h';
    put(table, 12 + data.size(), 8);
    if (!inFloats)
      data += bytesOf(values);
    else
      for (const float each : values)
        put(data, std::bit_cast<uint32_t>(each), 4);
  };
  for (const Layer& layer : network.layers) {
    tensor(layer.name + ".weight", {layer.channels, layer.inputs, 3, 3}, layer.weights);
    tensor(layer.name + ".bias", {layer.channels}, layer.biases);
  }
  std::string file = "\xd7\x41\x02";
  put(file, 0, 1);
  put(file, 12 + data.size(), 8);
  put(data, 2 * network.layers.size(), 4);
  return file + data + table;
}

}  // namespace lacuna::unet
