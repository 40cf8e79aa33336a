#pragma once
// What a file that is written takes over from the one that its picture comes from. Inside modules/codecs.

#include <optional>

#include "modules/codecs/codec.h"
#include "modules/codecs/metadata.h"

namespace lacuna::io {

struct Kept {
  const Codec* codec = nullptr;
  StoredKind kind;
  Metadata metadata;  // right for the picture that is written: its size, upright
};

// Nothing where there is no origin, or its file is none that we know. Throws FileError for what was a file of
// ours and is damaged now.
std::optional<Kept> keptOf(const WriteOptions& options, Extent extent);

// The codec of a file that we can read; null for others, and where there is none.
const Codec* codecIfKnown(const std::string& path);

// Whether rgba pixels are grey, but for rounding: the steps by which colours that were grey may differ now.
bool isGrey(const NamedImage& image);

// What a PNG or JPEG file says of its colours.
struct ColourLabel {
  std::vector<std::byte> profile;
  bool srgb = false;                   // an sRGB chunk; JPEG files have a profile instead
  std::vector<PngChunk> colourChunks;  // those of the origin
};
// As the origin says where values pass through undecoded, or are in its space still; else by the colour tag.
ColourLabel labelFor(const NamedImage& image, const WriteOptions& options, const std::optional<Kept>& kept,
                     bool writesGrey);

}  // namespace lacuna::io
