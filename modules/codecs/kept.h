#pragma once
// The data that a written file keeps of the file that its picture comes from. Inside modules/codecs.

#include <optional>

#include "modules/codecs/codec.h"
#include "modules/codecs/exif.h"

namespace lacuna::io {

struct Kept {
  const Codec* codec = nullptr;
  StoredKind kind;
  Metadata metadata;            // corrected for the written picture: its size, upright
  Orientation orientation = 1;  // of the written pixels
};

// Nothing if there is no origin, or its file is unknown. Throws FileError if a known file is now
// damaged.
std::optional<Kept> keptOf(const WriteOptions& options, Extent extent);

bool isThermal(const JpegSegment& segment);  // of a FLIR camera
bool isExtendedXmp(const JpegSegment& segment);

// The codec of a readable file; null for others, and if there is none.
const Codec* codecIfKnown(const std::string& path);

template <class Test>
bool everyPixel(const NamedImage& image, const Test& test) {
  const size_t pixelBytes = bytesPerPixel(image.type.channels, image.type.format);
  const std::byte* pixel = image.pixels.data();
  for (uint64_t i = 0; i < pixelCount(image.type.extent); ++i, pixel += pixelBytes)
    if (!test(pixel))
      return false;
  return true;
}

// Whether a pixel of an rgba picture has an alpha below 1.
bool someTransparent(const NamedImage& image);

// Whether rgba pixels are grey, within rounding: the steps by which formerly grey colours may differ.
bool isGrey(const NamedImage& image);

// The encoding of a file's values in its own space; nullopt if they are converted, or in a known
// space.
std::optional<ColourReading> ownColour(const Origin& origin);

// A PNG or JPEG file's statements about its colours.
struct ColourLabel {
  std::vector<std::byte> profile;
  bool srgb = false;                   // an sRGB chunk; JPEG files have a profile instead
  std::vector<PngChunk> colourChunks;  // the origin's statements; in PNG files they precede the profile
};
// The statements of options.colours' file about its colours; nothing if there is none.
std::optional<ColourDescription> coloursOf(const WriteOptions& options);

// A picture that is being written, and what its file keeps: for formats of pictures other than OpenEXR.
struct KeptPicture {
  const std::string& path;  // for messages
  const Codec& codec;
  const NamedImage& image;
  const WriteOptions& options;
  std::optional<Kept> kept = keptOf(options, image.type.extent);
  bool grey = codec.holdsGrey && kept && kept->kind.grey && (options.rows || isGrey(image));
  // Written if some pixel isn't opaque, or the origin has it. True for formats without it, too.
  bool alpha = codec.holds != Holds::encoded || (kept && kept->kind.alpha) ||
               (!options.rows && someTransparent(image));

  const Metadata& metadata() const;  // empty if nothing is kept
  Orientation orientation() const { return kept ? kept->orientation : 1; }
  uint32_t components() const { return (grey ? 1 : 3) + (alpha ? 1 : 0); }
  // Colours that files mean without a profile.
  bool isUsual() const { return image.type.colour == ColourTag::rec709 && !options.linear; }

  // As options.lossless says.
  bool isLossless() const;
  // Whether it comes from a file of this format.
  bool keepsFormat() const { return kept && kept->codec == &codec; }
  // Of rgba halves or floats, divided by alpha.
  std::vector<float> straightLight() const;

  // Calls work(rows) from the top for strips that are ready. Calls options.rows(0) for colour in grey, and
  // for transparent pixels without alpha.
  void eachStrip(const std::function<void(const NamedImage&)>& work) const;
};

// Throws FileError if the codec's entry in the table doesn't have the only plane's type, its sides, or the
// options' quality.
KeptPicture pictureToWrite(const std::string& path, const Codec& codec, const std::vector<NamedImage>& planes,
                           const WriteOptions& options);

// From the origin if values pass through undecoded, or are still in its space; else by the colour tag. Throws
// FileError for values in the space of a file that can't be named.
ColourLabel labelFor(const KeptPicture& picture);

// The same for files that state colours by a profile alone, of encoded values or of linear floats. Empty:
// none.
std::vector<std::byte> profileToWrite(const KeptPicture& picture);

// Of linear colours. Throws FileError for values in a space that has none.
Chromaticities primariesToWrite(const KeptPicture& picture);

// An rgba picture's components without those that the file doesn't hold: grey has one.
std::vector<std::byte> packedPixels(const NamedImage& image, bool grey, bool alpha);

}  // namespace lacuna::io
