#include "tests/support/weights_file.h"

#include <Imath/half.h>
#include <nlohmann/json.hpp>

#include <bit>
#include <cmath>

#include "cnn-unet/network/oidn.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

using unet::Layer;
using unet::Network;
using unet::Plane;
using unet::Scale;
using Json = nlohmann::json;

const char* wordOf(Scale scale) {
  return scale == Scale::same ? "same" : scale == Scale::half ? "half" : "double";
}

std::string bytesOf(const std::vector<float>& values) {
  std::string bytes;
  for (const float each : values) {
    const uint16_t bits = Imath::half(each).bits();
    bytes += static_cast<char>(bits & 0xffU);
    bytes += static_cast<char>(bits >> 8U);
  }
  return bytes;
}

// Numbers that halves hold.
std::vector<float> randomHalves(std::mt19937_64& random, size_t count, double mean, double deviation) {
  std::normal_distribution<double> draw(mean, deviation);
  std::vector<float> halves(count);
  for (float& each : halves)
    each = Imath::half(static_cast<float>(draw(random)));
  return halves;
}

void add(std::mt19937_64& random, Network& network, int channels, std::vector<unet::Source> sources) {
  Layer layer;
  layer.name = "convolution" + std::to_string(network.layers.size());
  layer.channels = static_cast<uint32_t>(channels);
  layer.relu = true;
  layer.sources = std::move(sources);
  for (const unet::Source& source : layer.sources) {
    layer.inputs += network.channelsOfLayer(source.layer);
    layer.halvings = network.halvingsOfLayer(source.layer) + (source.scale == Scale::half    ? 1
                                                              : source.scale == Scale::twice ? -1
                                                                                             : 0);
  }
  const double deviation = std::sqrt(2.0 / (9.0 * layer.inputs));
  layer.weights = randomHalves(random, size_t{layer.channels} * layer.inputs * 9, 0.0, deviation);
  layer.biases = randomHalves(random, layer.channels, 0.1, 0.2);  // they show where borders are wrong
  network.layers.push_back(std::move(layer));
}

// Of the last layer, whose results go through an exponential curve: what rounding adds to a result is a
// factor of the colour, `scale`'s logarithm (3.9) times it. Inputs of about 1, each rounded to half (2^-12),
// add `deviation` times 2^-12 to a result. With the deviation of other layers, 1.4, and inputs up to 3 that
// alone is 0.4%, and the brightest colours are fifty times the others, so they alone decide how far off the
// picture is.
void limitResults(std::mt19937_64& random, Layer& last, double deviation) {
  last.weights = randomHalves(random, last.weights.size(), 0.0, deviation / std::sqrt(9.0 * last.inputs));
  last.biases = randomHalves(random, last.biases.size(), 0.5, 0.1);
}

}  // namespace

Json descriptionOf(const Network& network) {
  Json input = Json::array(), layers = Json::array();
  for (const Plane plane : network.input)
    input.push_back({{"plane", unet::nameOf(plane)}, {"channels", unet::channelsOf(plane)}});
  for (const Layer& layer : network.layers) {
    Json sources = Json::array();
    for (const unet::Source& source : layer.sources)
      sources.push_back({{"layer", source.layer == unet::inputLayer
                                       ? "input"
                                       : network.layers[static_cast<size_t>(source.layer)].name},
                         {"scale", wordOf(source.scale)}});
    layers.push_back({{"name", layer.name},
                      {"channels", layer.channels},
                      {"activation", layer.relu ? "relu" : "none"},
                      {"sources", sources}});
  }
  Json exposure = {{"kind", "none"}};
  if (network.exposure)
    exposure = {{"kind", "log-average"},
                {"block", network.exposure->block},
                {"key", network.exposure->key},
                {"least", network.exposure->least}};
  return {{"version", 1},
          {"name", network.name},
          {"input", input},
          {"exposure", exposure},
          {"demodulate", network.leastAlbedo ? Json({{"plane", "albedo"}, {"least", *network.leastAlbedo}})
                                             : Json(nullptr)},
          {"transfer", {{"kind", "log"}, {"scale", network.scale}, {"maximum", network.maximum}}},
          {"layers", layers}};
}

std::string safetensors(const Json& header, const std::string& data) {
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');
  std::string file;
  for (size_t i = 0; i < 8; ++i)
    file += static_cast<char>(text.size() >> 8 * i & 0xffU);
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
  const auto put = [](std::string& bytes, uint64_t value, size_t count) {
    for (size_t i = 0; i < count; ++i)
      bytes += static_cast<char>(value >> 8 * i & 0xffU);
  };
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

Network archivedNetwork(std::mt19937_64& random, unet::Transfer transfer, uint32_t inputs, int widest,
                        bool isLarge) {
  Network network;
  network.name = "archived";
  network.input = {Plane::colour, Plane::albedo, Plane::normal};
  network.input.resize(inputs / 3);
  network.curve = transfer == unet::Transfer::hdr      ? unet::Curve::perceptual
                  : transfer == unet::Transfer::normal ? unet::Curve::signedUnit
                                                       : unet::Curve::srgb;
  if (transfer == unet::Transfer::hdr)
    network.exposure = unet::ExposureSettings{};
  for (const Layer& layer :
       unet::oidnLayers(isLarge ? unet::OidnNetwork::large : unet::OidnNetwork::base, inputs)) {
    add(random, network, layer.channels == 3 ? 3 : pick(random, 1, widest), layer.sources);
    network.layers.back().name = layer.name;
  }
  limitResults(random, network.layers.back(), 0.1);
  return network;
}

Network studyNetwork(std::mt19937_64& random, const std::vector<Plane>& planes) {
  Network network;
  network.name = "study";
  network.input = planes;
  network.exposure = unet::ExposureSettings{};
  constexpr int encoder[] = {32, 43, 57, 76, 101, 101};
  constexpr int decoder[][2] = {{101, 101}, {76, 76}, {57, 57}, {43, 43}, {32, 3}};
  add(random, network, encoder[0], {{unet::inputLayer, Scale::same}});
  for (int i = 1; i < 6; ++i)
    add(random, network, encoder[i], {{i - 1, Scale::half}});
  for (int step = 0; step < 5; ++step) {
    add(random, network, decoder[step][0], {{5 + 2 * step, Scale::twice}, {4 - step, Scale::same}});
    add(random, network, decoder[step][1], {{6 + 2 * step, Scale::same}});
  }
  Layer& last = network.layers.back();
  last.relu = false;
  limitResults(random, last, 0.1);
  return network;
}

Network smallestNetwork(std::mt19937_64& random, const std::vector<Plane>& planes) {
  Network network;
  network.name = "smallest";
  network.input = planes;
  add(random, network, 20, {{unet::inputLayer, Scale::same}});
  add(random, network, 9, {{0, Scale::half}});
  add(random, network, 3, {{1, Scale::twice}, {0, Scale::same}});
  limitResults(random, network.layers.back(), 0.4);
  return network;
}

Network deepNetwork(std::mt19937_64& random, const std::vector<Plane>& planes, int layers) {
  Network network;
  network.name = "deep";
  network.input = planes;
  for (int i = 0; i < layers; ++i)
    add(random, network, i + 1 < layers ? 1 + i % 9 : 3, {{i == 0 ? unet::inputLayer : i - 1, Scale::same}});
  return network;
}

Network randomNetwork(std::mt19937_64& random, const std::vector<Plane>& planes, int widest) {
  Network network;
  network.name = "random";
  network.input = planes;
  if (pick(random, 0, 2) > 0)
    network.exposure = unet::ExposureSettings{static_cast<uint32_t>(pick(random, 1, 20))};
  for (const Plane plane : planes)
    if (plane == Plane::albedo && pick(random, 0, 2) > 0)
      network.leastAlbedo = 0.05;
  const auto channels = [&] { return pick(random, 1, widest); };
  add(random, network, channels(), {{unet::inputLayer, Scale::same}});
  add(random, network, channels(), {{0, Scale::half}});
  add(random, network, channels(), {{1, Scale::half}});
  add(random, network, channels(), {{2, Scale::twice}, {1, Scale::same}, {0, Scale::half}});
  network.layers.back().relu = false;
  add(random, network, channels(), {{0, Scale::same}, {3, Scale::twice}});
  add(random, network, 3, {{4, Scale::same}, {unet::inputLayer, Scale::same}});
  Layer& last = network.layers.back();
  last.relu = pick(random, 0, 3) == 0;
  limitResults(random, last, 0.4);
  return network;
}

}  // namespace lacuna::test
