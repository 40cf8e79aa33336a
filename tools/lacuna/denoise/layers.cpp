#include "tools/lacuna/denoise/steps.h"

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
    for (const std::string& plane : io::exrPlanes()) {
      const std::string name = "i-file:in:" + io::exrLayerParameter(plane) + "=";
      if (word.starts_with(name) && word.size() > name.size())
        layers[plane] = unquoted(word.substr(name.size()));
    }
  }
  return layers;
}

}  // namespace lacuna
