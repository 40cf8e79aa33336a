#pragma once
// Which channels of an OpenEXR file make up a plane, whatever its renderer calls them. Names only: no pixels.

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "modules/codecs/image_file.h"

namespace lacuna::io {

struct ExrChannel {
  int part = 0;
  std::string name;  // as the file has it: "ViewLayer.Denoising Albedo.R"
  // "ViewLayer.Denoising Albedo": its layer, else the name of its part if there are several.
  std::string group;
  std::string component;  // "R"
  bool topLevel = false;  // no layer in its name
  bool half = false;
  bool subsampled = false;
};

using ExrLayers = std::map<std::string, std::string>;

ExrChannel exrChannel(int part, const std::string& partName, bool severalParts, const std::string& name);

// The planes that can be found, in the order in which people list them: "output", "direct", ...
const std::vector<std::string>& exrPlanes();

// The parameter of i-exr and i-file that names a plane's layer.
inline std::string exrLayerParameter(const std::string& plane) {
  return plane == "motion" ? "motion_layer" : plane;
}

bool isColourPlane(std::string_view plane);  // output, direct, indirect

// The channels of a plane, in the order of its components. output: one (luminance), three or four, two with
// alpha; direct and indirect: three or four; albedo and normal: three; depth and id: one; motion, gradient
// and moments: two; histogram: as many as it has bins. nullopt if the file has none such.
// `layers`: by plane the layer, the part or the single channel to take, instead of the names that renderers
// use. Where a file has the pictures of several view layers ("ViewLayer.Combined", "Second.Combined"), all
// planes are of that of the colour, or of none of them.
std::optional<std::vector<ExrChannel>> findExrPlane(const std::vector<ExrChannel>& channels,
                                                    const std::string& plane, const ExrLayers& layers = {});

// The layers of colour of a file's view layers: "Second.Combined", "ViewLayer.Combined". "": outside of
// layers.
std::vector<std::string> exrPictures(const std::vector<ExrChannel>& channels);

// What findExrPlane() looks for, for messages: "layers albedo, diffcol with R G B".
std::string exrNamesOf(const std::string& plane);

// The convention of a motion plane by its names: Blender's has four components, in a layer Vector.
MotionConvention exrMotionConvention(const std::vector<ExrChannel>& channels,
                                     const std::vector<ExrChannel>& motion);

}  // namespace lacuna::io
