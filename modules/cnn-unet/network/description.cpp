// A weights file's description of its network.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "cnn-unet/network/json.h"
#include "cnn-unet/network/network.h"
#include "graph/lists.h"

namespace lacuna::unet {
namespace {

using Json = nlohmann::json;

constexpr size_t mostLayers = 64, mostSources = 8, mostName = 64, mostMixed = 4;
constexpr uint32_t mostChannels = 1024, mostInputs = 4096;
constexpr int mostHalvings = 8;

// Reads an object's members, and throws mistakes with their place.
class Reader {
 public:
  Reader(const Json& object, std::string place) : object_(object), place_(std::move(place)) {
    if (!object.is_object())
      fail("is not an object");
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(fmt::format("{} {}", place_, what));
  }
  // Members beyond these belong to another version.
  void only(std::initializer_list<const char*> keys) const {
    for (auto each = object_.begin(); each != object_.end(); ++each)
      if (std::ranges::none_of(keys, [&](const char* key) { return each.key() == key; }))
        fail(fmt::format("has an unknown '{}'; expected {}", shown(each.key()), fmt::join(keys, ", ")));
  }
  bool has(const char* key) const { return object_.contains(key); }
  const Json& member(const char* key) const {
    const auto found = object_.find(key);
    if (found == object_.end())
      fail(fmt::format("has no '{}'", key));
    return *found;
  }
  const Json& list(const char* key, size_t most) const {
    const Json& value = member(key);
    if (!value.is_array())
      fail(fmt::format("'{}' is not a list of 1 to {} entries", key, most));
    if (value.empty() || value.size() > most)
      fail(fmt::format("'{}' has {} entries, but must have 1 to {}", key, value.size(), most));
    return value;
  }
  std::string word(const char* key) const {
    const Json& value = member(key);
    if (!value.is_string())
      fail(fmt::format("'{}' is not text", key));
    return value.get<std::string>();
  }
  std::string name(const char* key) const {
    std::string value = word(key);
    const auto isAllowed = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
             c == '_' || c == '.';
    };
    if (value.empty() || value.size() > mostName || !std::ranges::all_of(value, isAllowed))
      fail(fmt::format("'{}' is '{}', expected 1 to {} letters, digits, '-', '_' and '.'", key, shown(value),
                       mostName));
    return value;
  }
  template <typename Kind>
  Kind choice(const char* key, std::initializer_list<std::pair<const char*, Kind>> choices) const {
    const std::string value = word(key);
    std::vector<std::string> words;
    for (const auto& [text, kind] : choices) {
      if (value == text)
        return kind;
      words.emplace_back(text);
    }
    fail(fmt::format("'{}' is '{}', expected {}", key, shown(value), fmt::join(words, ", ")));
  }
  uint32_t whole(const char* key, uint32_t least, uint32_t most) const {
    const Json& value = member(key);
    if (!value.is_number_unsigned() || value.get<uint64_t>() < least || value.get<uint64_t>() > most)
      fail(fmt::format("'{}' is not a whole number from {} to {}", key, least, most));
    return value.get<uint32_t>();
  }
  double number(const char* key, double least, double most) const {
    const Json& value = member(key);
    if (!value.is_number() || !(value.get<double>() >= least && value.get<double>() <= most))
      fail(fmt::format("'{}' is not a number from {} to {}", key, least, most));
    return value.get<double>();
  }
  Reader object(const char* key) const { return {member(key), fmt::format("{}: '{}'", place_, key)}; }
  Reader entry(const Json& list, size_t i, const char* key) const {
    return {list[i], fmt::format("{}: entry {} of '{}'", place_, i, key)};
  }

 private:
  const Json& object_;
  std::string place_;
};

void readPlanes(const Reader& reader, Network& network) {
  std::vector<Plane>& planes = network.input;
  const Json& list = reader.list("input", std::size(planeNames));
  for (size_t i = 0; i < list.size(); ++i) {
    const Reader entry = reader.entry(list, i, "input");
    entry.only({"plane", "channels"});
    const Plane plane = entry.choice<Plane>("plane", {{"colour", Plane::colour},
                                                      {"albedo", Plane::albedo},
                                                      {"normal", Plane::normal},
                                                      {"depth", Plane::depth},
                                                      {"accumulated", Plane::accumulated},
                                                      {"warped", Plane::warped},
                                                      {"filtered", Plane::filtered},
                                                      {"mosaic", Plane::mosaic},
                                                      {"sigma", Plane::sigma}});
    if (contains(planes, plane))
      entry.fail(fmt::format("is '{}' once more", nameOf(plane)));
    planes.push_back(plane);
  }
  if (!contains(planes, Plane::colour) && !network.isOfMosaic())
    reader.fail("'input' has neither 'colour' nor 'mosaic'");
  if (contains(planes, Plane::sigma) ? planes.size() != 2 : network.isOfMosaic())
    reader.fail(
        "'input' has 'mosaic' or 'sigma' beside others; expected 'colour' and 'sigma', or 'mosaic' and "
        "'sigma'");
  for (size_t i = 0; i < list.size(); ++i) {
    const uint32_t channels = network.channelsOf(planes[i]);
    reader.entry(list, i, "input").whole("channels", channels, channels);
  }
}

// `needed`: whether a plane is of earlier frames.
std::optional<HistorySettings> readHistory(const Reader& reader, bool needed) {
  if (!needed && !reader.has("history"))
    return std::nullopt;
  const Reader history = reader.object("history");
  if (!needed)
    history.fail("is for 'accumulated' or 'warped', which 'input' doesn't have");
  history.only({"frames", "firefly", "depth_tolerance", "normal_tolerance", "cut_share"});
  return HistorySettings{history.whole("frames", 1, 255), history.number("firefly", 0.0, 1000.0),
                         history.number("depth_tolerance", 0.0, 10.0),
                         history.number("normal_tolerance", -1.0, 1.0),
                         history.number("cut_share", 0.0, 1.0)};
}

std::vector<Mixed> readMix(const Reader& reader, const Network& network) {
  std::vector<Mixed> mix;
  if (!reader.has("mix") || (network.isOfPhotographs() && reader.member("mix").empty()))
    return mix;
  if (network.isOfPhotographs())
    reader.fail("has 'mix', but 'sigma' in 'input', expected one of them");
  const Json& list = reader.list("mix", mostMixed);
  for (const Json& entry : list) {
    const std::optional<Mixed> mixed = entry == "warped"     ? std::optional(Mixed::warped)
                                       : entry == "relit"    ? std::optional(Mixed::relit)
                                       : entry == "filtered" ? std::optional(Mixed::filtered)
                                       : entry == "colour"   ? std::optional(Mixed::colour)
                                                             : std::nullopt;
    const Plane plane = mixed == Mixed::filtered ? Plane::filtered
                        : mixed == Mixed::colour ? Plane::colour
                                                 : Plane::warped;
    if (!mixed || contains(mix, *mixed) || !contains(network.input, plane))
      reader.fail(
          fmt::format("'mix' has {}, expected each of 'colour', 'warped' and 'relit' (if 'input' has "
                      "'warped') and 'filtered' (if it has that) at most once",
                      shown(entry.dump())));
    mix.push_back(*mixed);
  }
  if (network.leastAlbedo)
    reader.fail("has 'mix' beside 'demodulate', expected one of them");
  return mix;
}

void readTransfer(const Reader& reader, Network& network) {
  const Reader exposure = reader.object("exposure");
  if (exposure.choice<bool>("kind", {{"log-average", true}, {"none", false}})) {
    exposure.only({"kind", "block", "key", "least"});
    network.exposure = {exposure.whole("block", 1, 128), exposure.number("key", 1e-6, 1e6),
                        exposure.number("least", 1e-30, 1e6)};
  } else {
    exposure.only({"kind"});
  }
  if (!reader.member("demodulate").is_null()) {
    const Reader demodulate = reader.object("demodulate");
    demodulate.only({"plane", "least"});
    demodulate.choice<Plane>("plane", {{"albedo", Plane::albedo}});
    network.leastAlbedo = demodulate.number("least", 1e-4, 1.0);
    if (!contains(network.input, Plane::albedo))
      demodulate.fail("divides by 'albedo', which 'input' doesn't have");
  }
  const Reader transfer = reader.object("transfer");
  network.curve = transfer.choice<Curve>("kind", {{"log", Curve::log}, {"srgb", Curve::photograph}});
  if ((network.curve == Curve::photograph) != network.isOfPhotographs())
    transfer.fail(network.isOfPhotographs()
                      ? "has the kind 'log', but 'input' has 'sigma'; expected 'srgb'"
                      : "has the kind 'srgb', but 'input' has no 'sigma'; expected 'log'");
  if (network.isOfPhotographs())
    return transfer.only({"kind"});
  transfer.only({"kind", "scale", "maximum"});
  network.scale = transfer.number("scale", 1e-3, 1e6);
  network.maximum = transfer.number("maximum", 1e-3, 65504.0);
}

// What the result is added to, and the cells' side.
void readBase(const Reader& reader, const Network& network) {
  if (!network.isOfPhotographs()) {
    for (const char* key : {"base", "shuffle"})
      if (reader.has(key))
        reader.fail(fmt::format("has '{}', but 'input' has no 'sigma'", key));
    return;
  }
  if (network.exposure)
    reader.fail("has an 'exposure', but 'sigma' in 'input'; expected the kind 'none'");
  reader.choice<bool>("base", {{network.isOfMosaic() ? "malvar" : "input", true}});
  reader.whole("shuffle", network.cellSide(), network.cellSide());
}

class Layers {
 public:
  explicit Layers(Network& network) : network_(network) {}

  void add(const Reader& entry) {
    entry.only({"name", "channels", "activation", "sources"});
    Layer layer;
    layer.name = entry.name("name");
    if (layer.name == "input" || find(layer.name))
      entry.fail(fmt::format("is called '{}' like another one", layer.name));
    layer.channels = entry.whole("channels", 1, mostChannels);
    layer.relu = entry.choice<bool>("activation", {{"relu", true}, {"none", false}});
    const Json& sources = entry.list("sources", mostSources);
    for (size_t i = 0; i < sources.size(); ++i)
      addSource(layer, entry.entry(sources, i, "sources"));
    if (layer.inputs > mostInputs)
      entry.fail(fmt::format("reads {} channels, expected {} at most", layer.inputs, mostInputs));
    network_.layers.push_back(std::move(layer));
  }

 private:
  std::optional<int> find(const std::string& name) const {
    for (size_t i = 0; i < network_.layers.size(); ++i)
      if (network_.layers[i].name == name)
        return static_cast<int>(i);
    return std::nullopt;
  }

  void addSource(Layer& layer, const Reader& entry) const {
    entry.only({"layer", "scale"});
    const std::string name = entry.word("layer");
    const std::optional<int> found = name == "input" ? inputLayer : find(name);
    if (!found)
      entry.fail(
          fmt::format("reads '{}', which is neither 'input' nor a layer before this one", shown(name)));
    const auto scale = entry.choice<Scale>(
        "scale", {{"same", Scale::same}, {"half", Scale::half}, {"double", Scale::twice}});
    const int halvings = network_.halvingsOfLayer(*found) + halvingsBy(scale);
    if (halvings < 0 || halvings > mostHalvings)
      entry.fail(fmt::format("is halved {} times, expected 0 to {}", halvings, mostHalvings));
    if (!layer.sources.empty() && halvings != layer.halvings)
      entry.fail(
          fmt::format("is halved {} times, but the sources before it {} times", halvings, layer.halvings));
    layer.halvings = halvings;
    layer.inputs += network_.channelsOfLayer(*found);
    layer.sources.push_back({*found, scale});
  }

  Network& network_;
};

}  // namespace

uint32_t Network::channelsOf(Plane plane) const {
  constexpr uint32_t channels[] = {3, 3, 3, 1, 5, 7, 3, 1, 3};  // of a pixel
  const Plane held = plane == Plane::sigma && isOfMosaic() ? Plane::mosaic : plane;
  return channels[static_cast<size_t>(held)] * cellSide() * cellSide();
}

uint32_t Network::inputChannels() const {
  uint32_t channels = 0;
  for (const Plane plane : input)
    channels += channelsOf(plane);
  return channels;
}

uint32_t Network::reach() const {
  std::vector<uint32_t> reaches;  // from the edges of the block of pixels that a value covers
  for (const Layer& layer : layers) {
    const uint32_t size = 1U << static_cast<uint32_t>(layer.halvings);
    uint32_t widest = 0;
    for (const Source& source : layer.sources) {
      // An upsampled value covers a block twice as large, which begins up to `size` pixels earlier.
      const uint32_t shift = source.scale == Scale::twice ? size : 0;
      widest = std::max(
          widest, (source.layer == inputLayer ? 0 : reaches[static_cast<size_t>(source.layer)]) + shift);
    }
    reaches.push_back(widest + size);
  }
  return reaches.back();
}

int Network::mostHalvings() const {
  int most = 0;
  for (const Layer& layer : layers)
    most = std::max(most, layer.halvings);
  return most;
}

Network parseDescription(const std::string& text, const std::string& place) {
  Json json;
  try {
    json = parseJson(text);
  } catch (const std::runtime_error& error) {
    throw FileError(fmt::format("{} {}", place, error.what()));
  }
  const Reader reader(json, place);
  reader.only({"version", "name", "input", "exposure", "demodulate", "transfer", "history", "mix", "base",
               "shuffle", "layers"});
  reader.whole("version", 1, 1);
  Network network;
  network.name = reader.name("name");
  readPlanes(reader, network);
  readTransfer(reader, network);
  readBase(reader, network);
  network.history = readHistory(
      reader, contains(network.input, Plane::accumulated) || contains(network.input, Plane::warped));
  network.mix = readMix(reader, network);
  Layers layers(network);
  const Json& list = reader.list("layers", mostLayers);
  for (size_t i = 0; i < list.size(); ++i)
    layers.add(reader.entry(list, i, "layers"));
  const Layer& last = network.layers.back();
  if (last.channels != network.results() || last.halvings != 0)
    reader.fail(fmt::format(
        "ends with layer '{}' of {} channels, halved {} times; expected {} channels of the input's size",
        last.name, last.channels, last.halvings, network.results()));
  if (network.isOfPhotographs() && last.relu)
    reader.fail(
        fmt::format("ends with layer '{}', whose activation is relu; expected none, since it corrects "
                    "'base'",
                    last.name));
  return network;
}

}  // namespace lacuna::unet
