#pragma once
// A shader's view of an image value: GLSL for its binding, and functions to read and write it in the types
// that bodies use. Values are rounded to their format explicitly before a store, since drivers truncate in
// imageStore (notes: rms 1.8e-3 against 1.6e-5).

#include <string>

#include "graph/passes/pass.h"

namespace lacuna {

struct PixelView {
  std::string name;  // suffix of the functions, unique in the shader
  Channels channels = Channels::rgba;
  Format format = Format::f16;
  ResourceKind storage = ResourceKind::buffer;
  uint32_t binding = 0;
  uint32_t count = 1;                  // > 1: an array of bindings; read functions take the element first
  std::string extent = "push.extent";  // GLSL
  bool isTile = false;                 // positions are those in the whole picture, pixels a tile's
  bool isWhole = false;                // the other way round
  uint32_t shrink = 1;                 // of a tile's image of blocks: their side (shrinkOf of tiles.h)
  std::optional<ImageFormat> foreign = {};  // Role::foreign: values are rounded to `format` as they are read
};

// Word type of a stored pixel: uint, uvec2, uvec4.
std::string wordType(Channels channels, Format format);

// `T decode_<type>(W)`, `W encode_<type>(T)` and `T round_<type>(T)` for each pixel type, once a shader.
// E.g. name "rgba_f16".
std::string pixelTypeName(Channels channels, Format format);
// `hide`: if the shader fetches 32-bit floats from images (see `hidden` in the source).
std::string declareCodec(Channels channels, Format format, bool hide);

// `T bytes_<type>(W)`: the integers of a u8 pixel.
std::string declareBytes(Channels channels);

// Reading: `T load_<name>(ivec2 p)` and `W raw_<name>(ivec2 p)`.
std::string declareRead(const PixelView& view);
// Writing: `void store_<name>(ivec2 p, T v)` and `void storeRaw_<name>(ivec2 p, W w)`.
std::string declareWrite(const PixelView& view);

}  // namespace lacuna
