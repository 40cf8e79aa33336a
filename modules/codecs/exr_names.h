#pragma once
// The names of a picture's planes in a written OpenEXR file. Inside modules/codecs.

#include "modules/codecs/exr_origin.h"

namespace lacuna::io {

// A channel to be written, and its component in the plane's pixels.
struct ExrTarget {
  int part = 0;
  std::string name;
  size_t component = 0;
};

struct ExrPlaneNames {
  std::vector<ExrTarget> channels;
  bool isSingle = false;  // written as float, even if the value is half
};

// The origin's names, if it has the plane; else (and with null) those that i-exr finds first, in part
// `mainPart`. Alpha is written if some pixel is not opaque or the origin has it; a picture that is still grey
// stays one channel. `inRows`: pixels are not there yet, so it is taken as opaque, and as grey if the origin
// is. Throws FileError for planes that such files can't hold.
ExrPlaneNames exrNamesFor(const std::string& path, const NamedImage& image, const ExrOrigin* origin,
                          int mainPart, bool inRows);
// Whether these channels hold the whole pixels of a picture or of its rows, so that neither alpha nor colour
// is left out.
bool holdsAll(const ExrPlaneNames& names, const NamedImage& image);

// "input" is what a sink calls the plane "output".
std::string exrPlaneOf(const NamedImage& image);

}  // namespace lacuna::io
