// AVIF (https://aomediacodec.github.io/av1-avif/), by libavif.

#include <avif/avif.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/hdr_curves.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/row_file.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {

extern const Codec avifCodec;  // for the table that CMake makes

namespace {

constexpr const char* label = "AVIF";

// Turns by quarters, counterclockwise, and then a mirror: none, top to bottom, left to right.
constexpr std::array<Orientation, 12> orientations = {1, 4, 2, 8, 5, 7, 3, 2, 4, 6, 7, 5};

// A small picture is decoded before threads have started.
int threadsFor(Extent extent) {
  constexpr uint64_t small = uint64_t{1} << 18U;
  return pixelCount(extent) > small ? 4 : 1;
}

class Reader : StoredReader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : StoredReader(path, options), bytes_(readWhole(path)), decoder_(avifDecoderCreate()) {
    if (!decoder_)
      throw std::bad_alloc();
    // Flaws of older writers that harm nothing.
    decoder_->strictFlags = AVIF_STRICT_DISABLED;
    check(avifDecoderSetIOMemory(decoder_.get(), asWords(bytes_.data()), bytes_.size()));
    check(avifDecoderParse(decoder_.get()));
  }

  ValueType type(const std::string&) {
    if (decoder_->imageCount != 1)
      refuse(path_, "it is an animation of {} pictures; expected a single one", decoder_->imageCount);
    constexpr uint64_t planeBytes = 16;  // of the decoder
    StoredHeader header({image().width, image().height}, kind(""), planeBytes);
    header.wordBytes = header.isFloat ? 4 : header.wordBytes;
    header.isStraight = decoder_->alphaPresent != 0;
    return open(header, metadata());
  }

  StoredKind kind(const std::string&) const {
    const bool isFloat = transfer() != 0;
    return {isFloat ? 16 : static_cast<int>(image().depth), isFloat, isGrey(), decoder_->alphaPresent != 0};
  }

  Metadata metadata() const {
    const auto bytesOf = [](const avifRWData& data) { return bytesAt(data.data, data.size); };
    const auto flags = image().transformFlags;
    const size_t quarters = (flags & AVIF_TRANSFORM_IROT) != 0 ? image().irot.angle % 4 : 0,
                 mirror = (flags & AVIF_TRANSFORM_IMIR) != 0 ? 1 + image().imir.mode % 2 : 0;
    Metadata metadata{.exif = trimmedExif(bytesOf(image().exif)),
                      .xmp = asText(bytesOf(image().xmp)),
                      .colour = {.profile = bytesOf(image().icc), .grey = isGrey()},
                      .orientation = orientations.at(3 * quarters + mirror),
                      .isLossless = image().matrixCoefficients == AVIF_MATRIX_COEFFICIENTS_IDENTITY};
    if (metadata.colour.profile.empty())
      describeCodes(image().colorPrimaries, image().transferCharacteristics, metadata);
    if ((flags & AVIF_TRANSFORM_CLAP) != 0)
      metadata.lost.emplace_back("its crop");
    return metadata;
  }

  void read(const PlaneTarget& target) {
    const avifImage stated = image();
    const int curve = transfer();
    decoder_->maxThreads = threadsFor({stated.width, stated.height});
    check(avifDecoderNextImage(decoder_.get()));
    if (transfer() != curve || image().width != stated.width || image().height != stated.height ||
        image().depth != stated.depth)
      throwDamaged(path_, label,
                   "its picture has {} x {} pixels, or another depth or curve than stated for {} x {}",
                   image().width, image().height, stated.width, stated.height);
    image_->deliver(target.destination, [&](std::byte* rows, uint32_t count) {
      const size_t numbers = size_t{4} * image().width * count;
      if (transfer() == 0) {
        convert(rows, image().depth > 8 ? 16 : 8);
        return;
      }
      std::vector<uint16_t> words(numbers);
      convert(words.data(), 16);
      const std::span<float> light(reinterpret_cast<float*>(rows), numbers);
      std::ranges::transform(words, light.begin(),
                             [](uint16_t word) { return static_cast<float>(word) / 65535; });
      decodeLight(transfer(), light);
    });
  }

 private:
  const avifImage& image() const { return *decoder_->image; }
  bool isGrey() const { return image().yuvFormat == AVIF_PIXEL_FORMAT_YUV400; }
  // Of light beyond white; 0: any other.
  int transfer() const {
    const int code = image().transferCharacteristics;
    return image().icc.size == 0 && isLight(code) ? code : 0;
  }

  void check(avifResult result) const {
    if (result == AVIF_RESULT_OK)
      return;
    const std::string detail = decoder_->diag.error;
    throwDamaged(path_, label, "{}{}", avifResultToString(result), detail.empty() ? "" : " (" + detail + ")");
  }

  // As libavif's own tool: by its choice of the filter for subsampled colours.
  void convert(void* rows, uint32_t bits) const {
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, &image());
    rgb.depth = bits;
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.pixels = static_cast<uint8_t*>(rows);
    rgb.rowBytes = 4 * image().width * (bits / 8);
    check(avifImageYUVToRGB(&image(), &rgb));
  }

  std::vector<std::byte> bytes_;
  std::unique_ptr<avifDecoder, decltype([](avifDecoder* decoder) { avifDecoderDestroy(decoder); })> decoder_;
};

bool isAvif(const std::string& path) {
  const File file = openToRead(path);
  std::array<uint8_t, 256> head{};
  const avifROData start{head.data(), std::fread(head.data(), 1, head.size(), file.get())};
  return avifPeekCompatibleFileType(&start) != 0;
}

using Image = std::unique_ptr<avifImage, decltype([](avifImage* image) { avifImageDestroy(image); })>;
using Encoder =
    std::unique_ptr<avifEncoder, decltype([](avifEncoder* encoder) { avifEncoderDestroy(encoder); })>;
using Data = std::unique_ptr<avifRWData, decltype([](avifRWData* data) { avifRWDataFree(data); })>;

void check(const KeptPicture& picture, avifResult result) {
  if (result != AVIF_RESULT_OK)
    refuse(picture.path, "can't be written: {}", avifResultToString(result));
}

// Light becomes PQ in Rec. 2020, the one way in which such files hold it.
void putColour(avifImage& image, const KeptPicture& picture, bool isLight) {
  image.yuvRange = AVIF_RANGE_FULL;
  image.colorPrimaries = isLight ? AVIF_COLOR_PRIMARIES_BT2020 : AVIF_COLOR_PRIMARIES_BT709;
  image.transferCharacteristics =
      isLight ? AVIF_TRANSFER_CHARACTERISTICS_SMPTE2084 : AVIF_TRANSFER_CHARACTERISTICS_SRGB;
  image.matrixCoefficients = picture.isLossless() && !picture.grey ? AVIF_MATRIX_COEFFICIENTS_IDENTITY
                             : isLight                             ? AVIF_MATRIX_COEFFICIENTS_BT2020_NCL
                                                                   : AVIF_MATRIX_COEFFICIENTS_BT601;
  if (isLight || picture.isUsual())
    return;
  const std::vector<std::byte> profile = profileToWrite(picture);
  avifImageSetProfileICC(&image, asWords(profile.data()), profile.size());
  image.colorPrimaries = AVIF_COLOR_PRIMARIES_UNSPECIFIED;
  image.transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_UNSPECIFIED;
}

void putKept(avifImage& image, const KeptPicture& picture) {
  const Metadata& metadata = picture.metadata();
  avifImageSetMetadataExif(&image, asWords(metadata.exif.data()), metadata.exif.size());
  avifImageSetMetadataXMP(&image, asWords(metadata.xmp.data()), metadata.xmp.size());
  const auto* found = std::ranges::find(orientations, picture.orientation());
  const auto place = static_cast<uint8_t>(found - orientations.begin());
  image.irot.angle = place / 3;
  image.imir.mode = place % 3 == 2 ? 1 : 0;
  image.transformFlags = (place / 3 > 0 ? uint32_t{AVIF_TRANSFORM_IROT} : 0U) |
                         (place % 3 > 0 ? uint32_t{AVIF_TRANSFORM_IMIR} : 0U);
}

// Straight, since the curve is of straight colours.
std::vector<uint16_t> wordsOfLight(const KeptPicture& picture) {
  std::vector<float> light = picture.straightLight();
  const ColourTag tag = picture.image.type.colour;
  if (tag == ColourTag::own || tag == ColourTag::rec709)
    convertToRec2020(primariesToWrite(picture), light);
  encodePq(light);
  std::vector<uint16_t> words(light.size());
  std::ranges::transform(light, words.begin(), [](float value) {
    return static_cast<uint16_t>(
        std::lround(std::clamp(std::isnan(value) ? 0.0F : value, 0.0F, 1.0F) * 65535));
  });
  return words;
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const KeptPicture picture = pictureToWrite(path, avifCodec, planes, options);
  const ValueType& type = picture.image.type;
  const bool isLight = isFloat(type.format), keepsBits = picture.keepsFormat() && picture.kept->kind.isWide();
  const int depth = type.format == Format::u8 ? 8 : keepsBits ? picture.kept->kind.bits : 12;
  const Image image(avifImageCreate(type.extent.width, type.extent.height, static_cast<uint32_t>(depth),
                                    picture.grey ? AVIF_PIXEL_FORMAT_YUV400 : AVIF_PIXEL_FORMAT_YUV444));
  const Encoder encoder(avifEncoderCreate());
  if (!image || !encoder)
    throw std::bad_alloc();
  putColour(*image, picture, isLight);
  putKept(*image, picture);
  const std::vector<uint16_t> words = isLight ? wordsOfLight(picture) : std::vector<uint16_t>();
  avifRGBImage rgb;
  avifRGBImageSetDefaults(&rgb, image.get());
  rgb.depth = type.format == Format::u8 ? 8 : 16;
  rgb.format = AVIF_RGB_FORMAT_RGBA;
  rgb.ignoreAlpha = picture.alpha ? AVIF_FALSE : AVIF_TRUE;
  rgb.rowBytes = 4 * type.extent.width * (rgb.depth / 8);
  const void* pixels = isLight ? static_cast<const void*>(words.data()) : picture.image.pixels.data();
  rgb.pixels = const_cast<uint8_t*>(asWords(pixels));
  check(picture, avifImageRGBToYUV(image.get(), &rgb));
  constexpr int speed = 6;  // of 10
  encoder->speed = speed;
  encoder->maxThreads = threadsFor(type.extent);
  encoder->minQuantizer = encoder->maxQuantizer =
      picture.isLossless() ? 0 : (100 - options.quality) * AVIF_QUANTIZER_WORST_QUALITY / 100;
  encoder->minQuantizerAlpha = encoder->maxQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS;
  avifRWData whole = AVIF_DATA_EMPTY;
  const Data memory(&whole);
  check(picture, avifEncoderWrite(encoder.get(), image.get(), &whole));
  writeWhole(path, part, std::as_bytes(std::span(whole.data, whole.size)));
}

using namespace std::string_view_literals;

}  // namespace

const Codec avifCodec = readBy<Reader>({
    .name = "avif",
    .label = label,
    .extensions = {".avif"},
    .signatures = {"\0\0\0"sv},
    .claims = isAvif,
    .holds = Holds::encoded,
    .readingParameters = {"encoding", "profile", "gamma", "orientation", "precision"},
    .writingParameters = {"encoding", "gamma", "bits", "quality", "lossless"},
    .mostBits = 12,
    .holdsFloats = true,
    .write = write,
});

}  // namespace lacuna::io
