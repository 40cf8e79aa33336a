#include "modules/codecs/kept.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "graph/config/text.h"
#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/row_file.h"

namespace lacuna::io {
namespace {

// A profile's byte 16 gives its colours (ICC.1:2010, 7.2.6); a grey file has a profile for grey.
bool fits(const std::vector<std::byte>& profile, bool grey) {
  constexpr size_t spaceAt = 16;
  return profile.size() > spaceAt + 4 &&
         std::memcmp(profile.data() + spaceAt, grey ? "GRAY" : "RGB ", 4) == 0;
}

// The tag of the origin's values; nullopt if they were converted.
std::optional<ColourTag> tagOf(const Kept& kept) {
  const ColourReading reading = readColour(kept.metadata.colour, kept.kind.bits > 8 ? 2 : 1);
  if (!reading.complaint.empty() || reading.transform)
    return std::nullopt;
  return reading.tag;
}

ColourLabel labelOfTag(ColourTag tag, bool linear, bool grey) {
  ColourLabel label;
  // Greys of both tags are the same.
  label.srgb = !linear && tag != ColourTag::data && (grey || tag == ColourTag::rec709);
  label.profile = profileFor(tag, linear, grey);
  return label;
}

[[noreturn]] void refuseColours(const KeptPicture& picture, const std::string& why) {
  refuse(picture.path, "its values are in the space of {}, which {}",
         picture.options.colours ? picture.options.colours->path : "no file", why);
}

// Values in the space of a file.
std::vector<std::byte> ownProfile(const KeptPicture& picture, const ColourDescription& colour, bool linear) {
  std::vector<std::byte> profile = profileOf(colour, linear, picture.grey);
  if (profile.empty())
    refuseColours(picture, "no colour profile can describe");
  return profile;
}

ColourLabel labelOfOwn(const KeptPicture& picture) {
  const auto& [path, codec, image, options, kept, writesGrey, alpha] = picture;
  const ColourDescription colour = coloursOf(options).value_or(ColourDescription());
  ColourLabel label;
  if (!options.linear && fits(colour.profile, writesGrey)) {
    label.profile = colour.profile;
    return label;
  }
  if (!colour.codePoints.empty() && !options.linear) {
    label.colourChunks =
        kept ? kept->metadata.colourChunks : std::vector<PngChunk>{{"cICP", colour.codePoints}};
    return label;
  }
  if (kept && !options.linear && colour.profile.empty())
    label.colourChunks = kept->metadata.colourChunks;
  label.profile = ownProfile(picture, colour, options.linear);
  return label;
}

bool beginsWith(const JpegSegment& segment, std::string_view signature) {
  return segment.data.size() > signature.size() &&
         std::memcmp(segment.data.data(), signature.data(), signature.size()) == 0;
}

}  // namespace

std::optional<ColourDescription> coloursOf(const WriteOptions& options) {
  const Codec* codec = options.colours ? codecIfKnown(options.colours->path) : nullptr;
  if (codec == nullptr || codec->metadata == nullptr)
    return std::nullopt;
  return codec->metadata(options.colours->path, options.colours->read).colour;
}

std::optional<ColourReading> ownColour(const Origin& origin) {
  const Codec* codec =
      origin.read.own && origin.read.profile && !origin.isRaw ? codecIfKnown(origin.path) : nullptr;
  if (codec == nullptr || codec->metadata == nullptr)
    return std::nullopt;
  const StoredKind kind = codec->kind(origin.path, origin.plane, origin.read);
  ColourReading reading =
      readColour(codec->metadata(origin.path, origin.read).colour, kind.bits > 8 ? 2 : 1, true);
  return reading.tag == ColourTag::own ? std::optional(std::move(reading)) : std::nullopt;
}

const Codec* codecIfKnown(const std::string& path) {
  try {
    return &codecOfContent(path);
  } catch (const FileError&) {
    return nullptr;
  }
}

std::optional<Kept> keptOf(const WriteOptions& options, Extent extent) {
  if (!options.origin)
    return std::nullopt;
  const Origin& origin = *options.origin;
  Kept kept;
  kept.codec = codecIfKnown(origin.path);
  if (kept.codec == nullptr)
    return std::nullopt;
  kept.kind = kept.codec->kind(origin.path, origin.plane, origin.read);
  if (kept.codec->metadata != nullptr) {
    kept.metadata = kept.codec->metadata(origin.path, origin.read);
    const Orientation stored = orientationOf(kept.metadata);
    const bool isTurned = origin.read.orientation && stored != 1;
    kept.orientation = origin.read.orientation ? 1 : stored;
    // Exif may differ where the format itself states it.
    editExif(kept.metadata.exif, extent, isTurned || (origin.read.orientation && kept.metadata.orientation));
    editXmp(kept.metadata.xmp, extent, isTurned);
    if (isTurned && std::erase_if(kept.metadata.jpegSegments, isThermal) > 0)
      kept.metadata.lost.emplace_back("its thermal data (FLIR), for it is turned");
    for (const std::string& what : std::set(kept.metadata.lost.begin(), kept.metadata.lost.end()))
      warn(options, origin.path, "not kept: {}", what);
  }
  return kept;
}

bool isThermal(const JpegSegment& segment) {
  return beginsWith(segment, std::string_view("FLIR\0", 5));
}

bool isExtendedXmp(const JpegSegment& segment) {
  return beginsWith(segment, extendedXmpSignature);
}

bool someTransparent(const NamedImage& image) {
  const Format format = image.type.format;
  return !everyPixel(image, [&](const std::byte* pixel) { return componentAt(pixel, 3, format) >= 1.0F; });
}

bool isGrey(const NamedImage& image) {
  constexpr float halfStep = 1.0F / 1024, wordStep = 64.0F / 65535;
  return everyPixel(image, [format = image.type.format](const std::byte* pixel) {
    const float r = componentAt(pixel, 0, format), g = componentAt(pixel, 1, format),
                b = componentAt(pixel, 2, format);
    const float bound = format == Format::u8    ? 1.01F / 255
                        : format == Format::u16 ? wordStep
                                                : halfStep * std::max(std::abs(g), 1e-3F);
    return (r == g && g == b) || (std::abs(r - g) <= bound && std::abs(b - g) <= bound);
  });
}

const Metadata& KeptPicture::metadata() const {
  static const Metadata none;
  return kept ? kept->metadata : none;
}

KeptPicture pictureToWrite(const std::string& path, const Codec& codec, const std::vector<NamedImage>& planes,
                           const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  const ValueType& type = image.type;
  const bool isLight = codec.holds == Holds::floats;
  const int components = componentCount(type.channels);
  std::vector<std::string> formats;
  for (const Format format : {Format::u8, Format::u16, Format::f16, Format::f32})
    if (isFloat(format) ? isLight || codec.holdsFloats
                        : !isLight && (format == Format::u8 || codec.mostBits > 8))
      formats.emplace_back(name(format));
  if ((components != 4 && !(isLight && components == 3)) || !contains(formats, name(type.format)))
    refuse(path, "{} files are written from {} {}, not from {}", codec.label,
           isLight ? "rgb or rgba" : "rgba", joinChoices(formats), print(type));
  if (std::max(type.extent.width, type.extent.height) > codec.largestSide)
    refuse(path, "{} x {} pixels, but sides of {} files have {} at most", type.extent.width,
           type.extent.height, codec.label, codec.largestSide);
  if (contains(codec.writingParameters, "quality") && (options.quality < 1 || options.quality > 100))
    refuse(path, "quality {} is not within 1..100", options.quality);
  return {path, codec, image, options};
}

bool KeptPicture::isLossless() const {
  return options.lossless == "yes" ||
         (options.lossless == "auto" && keepsFormat() && kept->metadata.isLossless);
}

std::vector<float> KeptPicture::straightLight() const {
  std::vector<float> light(4 * pixelCount(image.type.extent));
  for (size_t i = 0; i < light.size(); ++i)
    light[i] = componentAt(image.pixels.data(), i, image.type.format);
  for (size_t i = 0; i < light.size(); ++i)
    if (i % 4 < 3 && light[i | 3U] > 0)
      light[i] /= light[i | 3U];
  return light;
}

void KeptPicture::eachStrip(const std::function<void(const NamedImage&)>& work) const {
  const uint32_t height = image.type.extent.height;
  for (uint32_t first = 0; first < height; first += stripRows) {
    const uint32_t end = std::min(first + stripRows, height);
    const NamedImage strip = rowsOf(image, first, end);
    if (options.rows) {
      options.rows(end);
      if ((grey && !isGrey(strip)) || (!alpha && someTransparent(strip)))
        options.rows(0);
    }
    work(strip);
  }
}

ColourLabel labelFor(const KeptPicture& picture) {
  const auto& [path, codec, image, options, kept, writesGrey, alpha] = picture;
  const ColourTag tag = image.type.colour;
  if (tag == ColourTag::own)
    return labelOfOwn(picture);
  if (!kept || kept->codec->metadata == nullptr)
    return labelOfTag(tag, options.linear, writesGrey);
  const std::vector<std::byte>& profile = kept->metadata.colour.profile;
  if (options.origin->isRaw && options.linear) {
    ColourLabel label;
    if (fits(profile, writesGrey))
      label.profile = profile;
    else
      label.colourChunks = kept->metadata.colourChunks;
    return label;
  }
  ColourLabel label = labelOfTag(tag, options.linear, writesGrey);
  const bool isDecoded = !options.origin->isRaw && options.origin->read.profile;
  const std::vector<PngChunk>& chunks = kept->metadata.colourChunks;
  const bool hasCodePoints = std::ranges::find(chunks, "cICP", &PngChunk::name) != chunks.end();
  const bool hasProfile = fits(profile, writesGrey);
  if (isDecoded && !options.linear && (hasProfile || hasCodePoints) && tagOf(*kept) == tag) {
    label.profile = hasProfile ? profile : label.profile;
    label.colourChunks = hasProfile ? std::vector<PngChunk>() : chunks;
    label.srgb = false;
  }
  return label;
}

namespace {

// Of linear floats: the origin's own, if it means the same.
std::vector<std::byte> linearProfile(const KeptPicture& picture) {
  const auto& [path, codec, image, options, kept, writesGrey, alpha] = picture;
  const ColourTag tag = image.type.colour;
  if (kept && kept->metadata.stored && !options.origin->isRaw && options.origin->read.profile) {
    const ColourDescription& stored = *kept->metadata.stored;
    const ColourReading reading = readFloatColour(stored, 4, true);
    const bool isSame = reading.complaint.empty() && !reading.transform && reading.tag == tag;
    if (isSame && (fits(stored.profile, writesGrey) || (stored.profile.empty() && tag == ColourTag::rec709)))
      return stored.profile;
  }
  if (tag != ColourTag::own)
    return profileFor(tag, true, writesGrey);
  return ownProfile(picture, coloursOf(options).value_or(ColourDescription()), true);
}

}  // namespace

std::vector<std::byte> profileToWrite(const KeptPicture& picture) {
  if (isFloat(picture.image.type.format))
    return linearProfile(picture);
  const ColourLabel colours = labelFor(picture);
  const auto has = [&](const char* name) {
    return std::ranges::find(colours.colourChunks, name, &PngChunk::name) != colours.colourChunks.end();
  };
  // A chunk of a PNG file means sRGB, unless cICP takes precedence.
  std::vector<std::byte> profile =
      has("sRGB") && !has("cICP") ? profileFor(ColourTag::rec709, false, picture.grey) : colours.profile;
  if (picture.image.type.colour == ColourTag::own && profile.empty())
    refuseColours(picture, fmt::format("{} files can't state", picture.codec.label));
  return profile;
}

Chromaticities primariesToWrite(const KeptPicture& picture) {
  const ColourTag tag = picture.image.type.colour;
  if (tag != ColourTag::own)
    return tag == ColourTag::rec2020 ? rec2020WhiteAndPrimaries : rec709WhiteAndPrimaries;
  const auto colours = coloursOf(picture.options);
  const auto found = colours ? primariesOf(*colours) : std::nullopt;
  if (!found)
    refuseColours(picture, "no primaries can describe; set 'profile' of the source to convert");
  return *found;
}

std::vector<std::byte> packedPixels(const NamedImage& image, bool grey, bool alpha) {
  std::vector<size_t> components = grey ? std::vector<size_t>{1} : std::vector<size_t>{0, 1, 2};
  if (alpha)
    components.push_back(3);
  const size_t bytes = bytesOf(image.type.format);
  std::vector<std::byte> packed(pixelCount(image.type.extent) * components.size() * bytes);
  packRow(image.pixels.data(), bytesPerElement(image.type), bytes, components, packed);
  return packed;
}

}  // namespace lacuna::io
