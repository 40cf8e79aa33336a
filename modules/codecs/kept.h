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

// How the values of a file are in its own space; nullopt where they are converted, or of a space that we
// know.
std::optional<ColourReading> ownColour(const Origin& origin);

// What a PNG or JPEG file says of its colours.
struct ColourLabel {
  std::vector<std::byte> profile;
  bool srgb = false;                   // an sRGB chunk; JPEG files have a profile instead
  std::vector<PngChunk> colourChunks;  // those of the origin; of PNG files they come before the profile
};
// What the file of options.colours says of its colours; nothing where there is none.
std::optional<ColourDescription> coloursOf(const WriteOptions& options);

// As the origin says where values pass through undecoded, or are in its space still; else by the colour tag.
// Throws FileError for values in the space of a file that can't be named.
ColourLabel labelFor(const std::string& path, const NamedImage& image, const WriteOptions& options,
                     const std::optional<Kept>& kept, bool writesGrey);

}  // namespace lacuna::io
