#pragma once
// Renderers' names of the layers of OpenEXR files. Inside modules/codecs.

#include <string>
#include <string_view>
#include <vector>

namespace lacuna::io {

struct ExrLayerName {
  std::string name;   // "Denoising Albedo"
  std::string plain;  // in the form of plainName()
  std::vector<std::string> renderers;
};

// In lower case without spaces, hyphens and underscores: "Denoising Albedo" is "denoisingalbedo".
std::string plainName(std::string_view name);

// The names of a plane's layers, the better ones first: those of the file that LACUNA_LAYERS names, then
// those of modules/codecs/layers.toml. Throws FileError if the former is wrong.
const std::vector<ExrLayerName>& exrLayerNames(std::string_view plane);

// Whether a layer in plain letters, "viewlayer.denoisingalbedo", has the name behind its view layers.
bool isLayerNamed(std::string_view plainLayer, std::string_view plainName);

}  // namespace lacuna::io
