#pragma once
// An image file's properties, without its pixels.

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "modules/codecs/image_file.h"

namespace lacuna {

struct ImageInfo {
  struct Channel {
    std::string name;  // as in the file
    std::string type;  // "half", "float", "uint", "half, subsampled"
  };
  struct Plane {
    std::string name;                   // as i-exr's connector
    std::vector<std::string> channels;  // of the file
    std::string layer = {};             // OpenEXR: that they are in
    std::string reason = {};            // OpenEXR: "'Denoising Albedo' of Blender"
  };

  std::string codec;   // as codecOfFile()
  std::string format;  // "PNG", "OpenEXR"
  Extent extent;       // as shown: upright
  std::string pixels;  // "rgb, 8 bit"
  int bits = 8;        // of a component of the colour
  bool isFloat = false;
  bool isMosaic = false;                   // a raw photograph, not demosaiced
  std::string colour;                      // "sRGB", "scene-linear Rec. 709", ...
  std::vector<Channel> channels;           // OpenEXR
  std::vector<Plane> planes;               // OpenEXR: how i-exr uses its channels
  std::vector<std::string> pictures;       // OpenEXR: as exrPictures()
  std::vector<std::string> colours;        // OpenEXR: as exrColours()
  std::optional<MotionConvention> motion;  // OpenEXR: of its plane `motion`, by names
  Extent display;  // OpenEXR: the display window's size, whose shares motion in uv and ndc is
  std::vector<std::pair<std::string, std::string>> metadata;  // names and values as text

  const Plane* find(const std::string& plane) const;  // null: none
  bool has(const std::string& plane) const { return find(plane) != nullptr; }
  // OpenEXR: its colour has alpha.
  bool hasAlpha() const { return has("output") && find("output")->channels.size() % 2 == 0; }
  // "" if it has no such plane, or the plane is in no layer.
  std::string layerOf(const std::string& plane) const { return has(plane) ? find(plane)->layer : ""; }
  // The number of bins of a colour in its ray histograms, of 3 bins + 1 channels. 0 if it has none, or
  // another number of channels.
  int histogramBins() const;
};

// `options`: `layers` and `page`. Throws FileError.
ImageInfo imageInfo(const std::string& path, const ReadOptions& options = {});
nlohmann::ordered_json asJson(const ImageInfo& info);

}  // namespace lacuna
