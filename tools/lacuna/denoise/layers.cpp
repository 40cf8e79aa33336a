#include "tools/lacuna/denoise/layers.h"

#include "graph/load/graph_words.h"
#include "modules/codecs/exr_channels.h"

namespace lacuna {
namespace {

std::string unquoted(const std::string& value) {
  const bool isQuoted = value.size() > 1 && value.front() == '"' && value.back() == '"';
  return isQuoted ? value.substr(1, value.size() - 2) : value;
}

}  // namespace

std::map<std::string, std::string> namedLayers(const std::vector<std::string>& parameters) {
  std::map<std::string, std::string> layers;
  for (const std::string& word : parameters) {
    const auto [name, value] = splitAtEquals(word);
    for (const std::string& plane : io::exrPlanes())
      if (name == "i-file:in:" + io::exrLayerParameter(plane) && !value.empty())
        layers[plane] = unquoted(value);
  }
  return layers;
}

}  // namespace lacuna
