#pragma once
// The channels of an OpenEXR file that make up a plane, whatever renderers name them. No pixels are read.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modules/codecs/image_file.h"

namespace lacuna::io {

struct ExrChannel {
  int part = 0;
  std::string name;  // as in the file: "ViewLayer.Denoising Albedo.R"
  // "ViewLayer.Denoising Albedo": its layer, else the name of its part if there are several. Without its
  // view.
  std::string group;
  std::string view;       // the view of a stereo file: "left"; "" for the only one, and for what is in none
  std::string component;  // "R"
  bool topLevel = false;  // no layer in its name
  bool half = false;
  bool subsampled = false;
};

using ExrLayers = std::map<std::string, std::string>;
// "" for a plane without one.
inline std::string layerOf(const ExrLayers& layers, const std::string& plane) {
  const auto found = layers.find(plane);
  return found == layers.end() ? "" : found->second;
}

// `views`: the view of its part, or all that channels of its part may name.
ExrChannel exrChannel(int part, const std::string& partName, bool severalParts, const std::string& name,
                      const std::vector<std::string>& views = {});

std::string exrLayerOf(const ExrChannel& channel);  // "ViewLayer.Combined", "left.ViewLayer.Combined"

// The available planes, in the usual order: "output", "direct", ...
const std::vector<std::string>& exrPlanes();

// The parameter of i-exr and i-file that names a plane's layer.
inline std::string exrLayerParameter(const std::string& plane) {
  return plane == "motion" ? "motion_layer" : plane;
}

bool isColourPlane(std::string_view plane);  // output, direct, indirect

// The channels of a plane, in the order of its components. Numbers of channels: output: one (luminance),
// three or four, two with alpha; direct and indirect: three or four; albedo and normal: three; depth and id:
// one; motion, gradient and moments: two; histogram: as many as it has bins. nullopt if the file has no such
// plane. `layers`: for a plane the layer, the part or the single channel to use, instead of the names that
// renderers use. If a file has the pictures of several view layers ("ViewLayer.Combined", "Second.Combined"),
// all planes come from that of the colour, or from none of them.
std::optional<std::vector<ExrChannel>> findExrPlane(const std::vector<ExrChannel>& channels,
                                                    const std::string& plane, const ExrLayers& layers = {});

// The layers of colour of a file's view layers: "Second.Combined", "ViewLayer.Combined". "": outside of
// layers.
std::vector<std::string> exrPictures(const std::vector<ExrChannel>& channels);

// All layers of R G B that aren't known as another plane or as Cryptomatte's: light, judged by names.
std::vector<std::string> exrColours(const std::vector<ExrChannel>& channels);

// The names that findExrPlane() looks for, for messages: "layers albedo, diffcol with R G B".
std::string exrNamesOf(const std::string& plane);

// Why channels were found for a plane: "'Denoising Albedo' of Blender".
std::string exrReasonOf(const std::string& plane, const std::vector<ExrChannel>& found);

// The convention of a motion plane by its names: Blender's has four components, in a layer Vector.
MotionConvention exrMotionConvention(const std::vector<ExrChannel>& channels,
                                     const std::vector<ExrChannel>& motion);

// Renderers' names of layers.
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
