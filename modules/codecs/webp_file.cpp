// WebP (https://developers.google.com/speed/webp/docs/riff_container), by libwebp.

#include <fmt/format.h>
#include <webp/decode.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {

extern const Codec webpCodec;  // for the table that CMake makes

namespace {

constexpr const char* label = "WebP";
using Mux = std::unique_ptr<WebPMux, decltype([](WebPMux* mux) { WebPMuxDelete(mux); })>;

WebPData dataOf(std::span<const std::byte> bytes) {
  return {asWords(bytes.data()), bytes.size()};
}

class Reader : StoredReader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : StoredReader(path, options), bytes_(readWhole(path)) {
    constexpr size_t headBytes = 12;
    uint64_t promised = 0;
    for (size_t i = 0; i < 4 && bytes_.size() >= headBytes; ++i)
      promised |= std::to_integer<uint64_t>(bytes_[4 + i]) << 8 * i;
    if (bytes_.size() < headBytes || promised + 8 > bytes_.size())
      throwDamaged(path_, label, "it breaks off: {} of {} bytes", bytes_.size(), promised + 8);
    if (WebPGetFeatures(asWords(bytes_.data()), bytes_.size(), &features_) != VP8_STATUS_OK)
      throwDamaged(path_, label, "its header can't be read");
  }

  ValueType type(const std::string&) {
    if (features_.has_animation != 0)
      refuse(path_,
             "it is an animation; expected a single picture: take one out first, for example with webpmux");
    constexpr uint64_t planeBytes = 6;  // of the decoder
    const Extent extent{static_cast<uint32_t>(features_.width), static_cast<uint32_t>(features_.height)};
    return open(StoredHeader(extent, kind(""), planeBytes), metadata());
  }

  StoredKind kind(const std::string&) const { return {8, false, false, features_.has_alpha != 0}; }

  Metadata metadata() const {
    constexpr int lossless = 2;
    const WebPData whole = dataOf(bytes_);
    const Mux mux(WebPMuxCreate(&whole, 0));
    const auto chunk = [&](const char* name) {
      WebPData found{};
      if (mux)
        WebPMuxGetChunk(mux.get(), name, &found);
      return bytesAt(found.bytes, found.size);
    };
    Metadata metadata{.exif = trimmedExif(chunk("EXIF")),
                      .xmp = asText(chunk("XMP ")),
                      .colour = {.profile = chunk("ICCP")},
                      .isLossless = features_.format == lossless};
    describeAdobeRgb(metadata.exif, metadata.colour);
    return metadata;
  }

  void read(const PlaneTarget& target) {
    image_->deliver(target.destination, [&](std::byte* rows, uint32_t count) {
      const size_t rowBytes = size_t{4} * static_cast<size_t>(features_.width);
      if (WebPDecodeRGBAInto(asWords(bytes_.data()), bytes_.size(), reinterpret_cast<uint8_t*>(rows),
                             rowBytes * count, static_cast<int>(rowBytes)) == nullptr)
        throwDamaged(path_, label, "its pixels can't be decoded");
    });
  }

 private:
  std::vector<std::byte> bytes_;
  WebPBitstreamFeatures features_{};
};

int append(const uint8_t* bytes, size_t count, const WebPPicture* picture) {
  auto& all = *static_cast<std::vector<std::byte>*>(picture->custom_ptr);
  all.insert(all.end(), reinterpret_cast<const std::byte*>(bytes),
             reinterpret_cast<const std::byte*>(bytes) + count);
  return 1;
}

std::vector<std::byte> encoded(const KeptPicture& kept) {
  const ValueType& type = kept.image.type;
  WebPConfig config{};
  WebPPicture picture{};
  constexpr int effort = 3;  // of 9; lossless: 0.3 s a megapixel
  bool isDone = WebPConfigInit(&config) != 0 && WebPPictureInit(&picture) != 0;
  config.quality = static_cast<float>(kept.options.quality);
  if (kept.isLossless())
    isDone = isDone && WebPConfigLosslessPreset(&config, effort) != 0;
  config.exact = 1;  // colours of transparent pixels, too
  std::vector<std::byte> bytes;
  picture.use_argb = 1;
  picture.width = static_cast<int>(type.extent.width);
  picture.height = static_cast<int>(type.extent.height);
  picture.writer = append;
  picture.custom_ptr = &bytes;
  const std::unique_ptr<WebPPicture, decltype(&WebPPictureFree)> memory(&picture, WebPPictureFree);
  const auto import = kept.alpha ? WebPPictureImportRGBA : WebPPictureImportRGBX;
  isDone = isDone && import(&picture, asWords(kept.image.pixels.data()), 4 * picture.width) != 0 &&
           WebPEncode(&config, &picture) != 0;
  if (!isDone)
    refuse(kept.path, "can't be written: libwebp's error {}", static_cast<int>(picture.error_code));
  return bytes;
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const KeptPicture picture = pictureToWrite(path, webpCodec, planes, options);
  const Metadata& metadata = picture.metadata();
  const std::vector<std::byte> profile = profileToWrite(picture), pixels = encoded(picture);
  const Mux mux(WebPMuxNew());
  const WebPData content = dataOf(pixels);
  bool isDone = mux && WebPMuxSetImage(mux.get(), &content, 0) == WEBP_MUX_OK;
  const auto add = [&](const char* name, std::span<const std::byte> bytes) {
    const WebPData data = dataOf(bytes);
    isDone = isDone && (bytes.empty() || WebPMuxSetChunk(mux.get(), name, &data, 0) == WEBP_MUX_OK);
  };
  add("ICCP", profile);
  add("EXIF", metadata.exif);
  add("XMP ", std::as_bytes(std::span(metadata.xmp)));
  WebPData whole{};
  isDone = isDone && WebPMuxAssemble(mux.get(), &whole) == WEBP_MUX_OK;
  const std::unique_ptr<WebPData, decltype(&WebPDataClear)> memory(&whole, WebPDataClear);
  if (!isDone)
    refuse(path, "can't be written: libwebp can't join its parts");
  writeWhole(path, part, std::as_bytes(std::span(whole.bytes, whole.size)));
}

}  // namespace

const Codec webpCodec = readBy<Reader>({
    .name = "webp",
    .label = label,
    .extensions = {".webp"},
    .signatures = {"RIFF....WEBP"},
    .holds = Holds::encoded,
    .readingParameters = {"encoding", "profile", "gamma", "orientation", "precision"},
    .writingParameters = {"encoding", "gamma", "quality", "lossless"},
    .largestSide = WEBP_MAX_DIMENSION,
    .mostBits = 8,
    .holdsGrey = false,
    .write = write,
});

}  // namespace lacuna::io
