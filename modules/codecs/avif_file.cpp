// AVIF (https://aomediacodec.github.io/av1-avif/), by libavif.

#include <avif/avif.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/hdr_curves.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/row_file.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {
namespace {

constexpr const char* label = "AVIF";

// Of a turn by so many quarters, counterclockwise, and then a mirror: none, top to bottom, left to right.
constexpr std::array<std::array<int, 3>, 4> orientations = {{{1, 4, 2}, {8, 5, 7}, {3, 2, 4}, {6, 7, 5}}};

Orientation orientationOfImage(const avifImage& image) {
  const bool turns = (image.transformFlags & AVIF_TRANSFORM_IROT) != 0;
  const bool mirrors = (image.transformFlags & AVIF_TRANSFORM_IMIR) != 0;
  return orientations.at(turns ? image.irot.angle % 4 : 0).at(mirrors ? 1 + image.imir.mode % 2 : 0);
}

void setOrientation(avifImage& image, Orientation orientation) {
  image.transformFlags &= ~static_cast<avifTransformFlags>(AVIF_TRANSFORM_IROT | AVIF_TRANSFORM_IMIR);
  for (uint8_t angle = 0; angle < 4; ++angle)
    for (uint8_t mirror = 0; mirror < 2; ++mirror)  // two say all
      if (orientations.at(angle).at(mirror) == orientation && orientation != 1) {
        image.irot.angle = angle;
        image.imir.mode = 0;
        if (angle > 0)
          image.transformFlags |= AVIF_TRANSFORM_IROT;
        if (mirror > 0)
          image.transformFlags |= AVIF_TRANSFORM_IMIR;
        return;
      }
}

class Reader : StoredReader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : StoredReader(path, options), bytes_(readWhole(path)), decoder_(avifDecoderCreate()) {
    if (!decoder_)
      throw std::bad_alloc();
    // Flaws of older writers that harm nothing.
    decoder_->strictFlags = AVIF_STRICT_DISABLED;
    decoder_->maxThreads = 4;
    check(avifDecoderSetIOMemory(decoder_.get(), asWords(bytes_.data()), bytes_.size()));
    check(avifDecoderParse(decoder_.get()));
  }

  ValueType type(const std::string&) {
    if (decoder_->imageCount != 1)
      refuse(path_, "it is an animation of {} pictures; expected a single one", decoder_->imageCount);
    StoredHeader header;
    header.extent = {image().width, image().height};
    header.isFloat = transfer() != 0;
    header.wordBytes = header.isFloat ? 4 : image().depth > 8 ? 2 : 1;
    header.isStraight = header.isFloat && decoder_->alphaPresent != 0;
    header.inStrips = false;
    header.decoderBytes = 16 * pixelCount(header.extent);
    return open(header, metadata());
  }

  StoredKind kind(const std::string&) const {
    const bool isFloat = transfer() != 0;
    return {isFloat ? 16 : static_cast<int>(image().depth), isFloat, isGrey(), decoder_->alphaPresent != 0};
  }

  Metadata metadata() const {
    const auto bytesOf = [](const avifRWData& data) { return bytesAt(data.data, data.size); };
    Metadata metadata;
    metadata.exif = bytesOf(image().exif);
    trimExif(metadata.exif);
    metadata.xmp = asText(bytesOf(image().xmp));
    metadata.orientation = orientationOfImage(image());
    metadata.isLossless = image().matrixCoefficients == AVIF_MATRIX_COEFFICIENTS_IDENTITY;
    metadata.colour.grey = isGrey();
    metadata.colour.profile = bytesOf(image().icc);
    if (metadata.colour.profile.empty())
      describeCodes(image().colorPrimaries, image().transferCharacteristics, metadata);
    if ((image().transformFlags & AVIF_TRANSFORM_CLAP) != 0)
      metadata.lost.emplace_back("its crop");
    return metadata;
  }

  void read(const PlaneTarget& target) {
    const avifImage stated = image();
    const int curve = transfer();
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
      constexpr uint32_t bits = 16;
      std::vector<uint16_t> words(numbers);
      convert(reinterpret_cast<std::byte*>(words.data()), bits);
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
  void convert(std::byte* rows, uint32_t bits) const {
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, &image());
    rgb.depth = bits;
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.pixels = reinterpret_cast<uint8_t*>(rows);
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

class AvifWriter : NoCopy {
 public:
  AvifWriter(const std::string& path, const KeptPicture& picture)
      : path_(path),
        picture_(picture),
        type_(picture.image.type),
        isLossless_(picture.isLossless(label)),
        isLight_(isFloat(type_.format)) {
    const bool isSame =
        picture.kept && picture.kept->codec == codecOfExtension(".avif") && picture.kept->kind.isWide();
    const int depth = type_.format == Format::u8 ? 8 : isSame ? picture.kept->kind.bits : 12;
    image_.reset(avifImageCreate(type_.extent.width, type_.extent.height, static_cast<uint32_t>(depth),
                                 picture.grey ? AVIF_PIXEL_FORMAT_YUV400 : AVIF_PIXEL_FORMAT_YUV444));
    encoder_.reset(avifEncoderCreate());
    if (!image_ || !encoder_)
      throw std::bad_alloc();
  }

  void write(const std::string& part) {
    putColour();
    const Metadata& metadata = picture_.metadata();
    avifImageSetMetadataExif(image_.get(), asWords(metadata.exif.data()), metadata.exif.size());
    avifImageSetMetadataXMP(image_.get(), asWords(metadata.xmp.data()), metadata.xmp.size());
    setOrientation(*image_, picture_.orientation());
    putPixels();
    constexpr int speed = 6;  // of 10
    const int quantizer =
        isLossless_ ? 0 : (100 - picture_.options.quality) * AVIF_QUANTIZER_WORST_QUALITY / 100;
    encoder_->speed = speed;
    encoder_->maxThreads = 4;
    encoder_->minQuantizer = encoder_->maxQuantizer = quantizer;
    encoder_->minQuantizerAlpha = encoder_->maxQuantizerAlpha = AVIF_QUANTIZER_LOSSLESS;
    Data whole;
    check(avifEncoderWrite(encoder_.get(), image_.get(), &whole.data));
    writeWhole(path_, part, std::as_bytes(std::span(whole.data.data, whole.data.size)));
  }

 private:
  struct Data {
    avifRWData data = AVIF_DATA_EMPTY;
    ~Data() { avifRWDataFree(&data); }
  };

  void check(avifResult result) const {
    if (result != AVIF_RESULT_OK)
      refuse(path_, "can't be written: {}", avifResultToString(result));
  }

  // Light becomes PQ in Rec. 2020, the one way in which such files hold it.
  void putColour() {
    avifImage& image = *image_;
    image.yuvRange = AVIF_RANGE_FULL;
    image.colorPrimaries = isLight_ ? AVIF_COLOR_PRIMARIES_BT2020 : AVIF_COLOR_PRIMARIES_BT709;
    image.transferCharacteristics =
        isLight_ ? AVIF_TRANSFER_CHARACTERISTICS_SMPTE2084 : AVIF_TRANSFER_CHARACTERISTICS_SRGB;
    image.matrixCoefficients = isLossless_ && !picture_.grey ? AVIF_MATRIX_COEFFICIENTS_IDENTITY
                               : isLight_                    ? AVIF_MATRIX_COEFFICIENTS_BT2020_NCL
                                                             : AVIF_MATRIX_COEFFICIENTS_BT601;
    if (isLight_ || picture_.isUsual())
      return;
    const std::vector<std::byte> profile = profileToWrite(path_, label, picture_);
    avifImageSetProfileICC(&image, asWords(profile.data()), profile.size());
    image.colorPrimaries = AVIF_COLOR_PRIMARIES_UNSPECIFIED;
    image.transferCharacteristics = AVIF_TRANSFER_CHARACTERISTICS_UNSPECIFIED;
  }

  void putPixels() {
    const std::vector<uint16_t> words = isLight_ ? wordsOfLight() : std::vector<uint16_t>();
    avifRGBImage rgb;
    avifRGBImageSetDefaults(&rgb, image_.get());
    rgb.depth = type_.format == Format::u8 ? 8 : 16;
    rgb.format = AVIF_RGB_FORMAT_RGBA;
    rgb.ignoreAlpha = picture_.alpha ? AVIF_FALSE : AVIF_TRUE;
    rgb.rowBytes = 4 * type_.extent.width * (rgb.depth / 8);
    rgb.pixels = isLight_ ? reinterpret_cast<uint8_t*>(const_cast<uint16_t*>(words.data()))
                          : const_cast<uint8_t*>(asWords(picture_.image.pixels.data()));
    check(avifImageRGBToYUV(image_.get(), &rgb));
  }

  // Straight, since the curve is of straight colours.
  std::vector<uint16_t> wordsOfLight() const {
    std::vector<float> light(4 * pixelCount(type_.extent));
    for (size_t i = 0; i < light.size(); ++i)
      light[i] = componentAt(picture_.image.pixels.data(), i, type_.format);
    for (size_t i = 0; i < light.size(); ++i)
      if (i % 4 < 3 && light[i | 3U] > 0)
        light[i] /= light[i | 3U];
    if (type_.colour == ColourTag::own || type_.colour == ColourTag::rec709)
      convertToRec2020(primariesToWrite(path_, picture_), light);
    encodePq(light);
    std::vector<uint16_t> words(light.size());
    std::ranges::transform(light, words.begin(), [](float value) {
      return static_cast<uint16_t>(
          std::lround(std::clamp(std::isnan(value) ? 0.0F : value, 0.0F, 1.0F) * 65535));
    });
    return words;
  }

  const std::string& path_;
  const KeptPicture& picture_;
  const ValueType& type_;
  bool isLossless_, isLight_;
  std::unique_ptr<avifImage, decltype([](avifImage* image) { avifImageDestroy(image); })> image_;
  std::unique_ptr<avifEncoder, decltype([](avifEncoder* encoder) { avifEncoderDestroy(encoder); })> encoder_;
};

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const KeptPicture picture = deepPicture(path, "an AVIF file", planes, options);
  AvifWriter(path, picture).write(part);
}

using namespace std::string_view_literals;

}  // namespace

extern const Codec avifCodec;  // for the table that CMake makes
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
