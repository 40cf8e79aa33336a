// WebP (https://developers.google.com/speed/webp/docs/riff_container), by libwebp.

#include <fmt/format.h>
#include <webp/decode.h>
#include <webp/demux.h>
#include <webp/encode.h>
#include <webp/mux.h>

#include <algorithm>
#include <cstring>

#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {
namespace {

constexpr const char* label = "WebP";

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
    StoredHeader header;
    header.extent = {static_cast<uint32_t>(features_.width), static_cast<uint32_t>(features_.height)};
    header.inStrips = false;
    header.decoderBytes = 6 * pixelCount(header.extent);
    return open(header, metadata());
  }

  StoredKind kind(const std::string&) const { return {8, false, false, features_.has_alpha != 0}; }

  Metadata metadata() const {
    Metadata metadata;
    constexpr int lossless = 2;
    metadata.isLossless = features_.format == lossless;
    metadata.exif = chunk("EXIF");
    trimExif(metadata.exif);
    metadata.xmp = asText(chunk("XMP "));
    metadata.colour.profile = chunk("ICCP");
    if (metadata.colour.profile.empty())
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
  std::vector<std::byte> chunk(const char* name) const {
    const WebPData data{asWords(bytes_.data()), bytes_.size()};
    const std::unique_ptr<WebPDemuxer, decltype(&WebPDemuxDelete)> demuxer(WebPDemux(&data), WebPDemuxDelete);
    std::vector<std::byte> content;
    WebPChunkIterator found{};
    if (demuxer && WebPDemuxGetChunk(demuxer.get(), name, 1, &found) != 0)
      content = bytesAt(found.chunk.bytes, found.chunk.size);
    WebPDemuxReleaseChunkIterator(&found);
    return content;
  }

  std::vector<std::byte> bytes_;
  WebPBitstreamFeatures features_{};
};

bool isWebp(const std::string& path) {
  const File file = openToRead(path);
  char head[12] = {};
  return std::fread(head, 1, sizeof head, file.get()) == sizeof head && std::memcmp(head + 8, "WEBP", 4) == 0;
}

struct Picture : NoCopy {
  WebPPicture picture{};
  WebPMemoryWriter memory{};
  Picture() {
    WebPMemoryWriterInit(&memory);
    if (WebPPictureInit(&picture) == 0)
      throw std::bad_alloc();
  }
  ~Picture() {
    WebPPictureFree(&picture);
    WebPMemoryWriterClear(&memory);
  }
};

std::vector<std::byte> encoded(const std::string& path, const KeptPicture& kept, bool lossless) {
  const NamedImage& image = kept.image;
  WebPConfig config;
  constexpr int effort = 3;  // of 9; lossless: 0.3 s a megapixel
  bool isDone = WebPConfigInit(&config) != 0;
  config.quality = static_cast<float>(kept.options.quality);
  if (lossless)
    isDone = isDone && WebPConfigLosslessPreset(&config, effort) != 0;
  config.exact = 1;  // colours of transparent pixels, too
  Picture work;
  WebPPicture& picture = work.picture;
  picture.use_argb = 1;
  picture.width = static_cast<int>(image.type.extent.width);
  picture.height = static_cast<int>(image.type.extent.height);
  picture.writer = WebPMemoryWrite;
  picture.custom_ptr = &work.memory;
  const auto import = kept.alpha ? WebPPictureImportRGBA : WebPPictureImportRGBX;
  isDone = isDone && import(&picture, asWords(image.pixels.data()), 4 * picture.width) != 0 &&
           WebPEncode(&config, &picture) != 0;
  if (!isDone)
    refuse(path, "can't be written: libwebp's error {}", static_cast<int>(picture.error_code));
  return bytesAt(work.memory.mem, work.memory.size);
}

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const NamedImage& image = onlyPlane(path, planes);
  if (componentCount(image.type.channels) != 4 || image.type.format != Format::u8)
    refuse(path, "a WebP file is written from rgba u8, not from {}", print(image.type));
  if (image.type.extent.width > WEBP_MAX_DIMENSION || image.type.extent.height > WEBP_MAX_DIMENSION)
    refuse(path, "{} x {} pixels, but a WebP file's side may have {} at most", image.type.extent.width,
           image.type.extent.height, WEBP_MAX_DIMENSION);
  checkQuality(path, options);
  KeptPicture picture{image, options};
  picture.grey = false;
  picture.chooseAlpha();
  const std::vector<std::byte> profile = profileToWrite(path, label, picture);
  const std::vector<std::byte> pixels = encoded(path, picture, picture.isLossless(label));
  const std::unique_ptr<WebPMux, decltype(&WebPMuxDelete)> mux(WebPMuxNew(), WebPMuxDelete);
  WebPData whole{};
  const WebPData content{asWords(pixels.data()), pixels.size()};
  bool isDone = mux && WebPMuxSetImage(mux.get(), &content, 0) == WEBP_MUX_OK;
  const auto add = [&](const char* name, const void* bytes, size_t count) {
    const WebPData data{static_cast<const uint8_t*>(bytes), count};
    isDone = isDone && (count == 0 || WebPMuxSetChunk(mux.get(), name, &data, 0) == WEBP_MUX_OK);
  };
  add("ICCP", profile.data(), profile.size());
  add("EXIF", picture.metadata().exif.data(), picture.metadata().exif.size());
  add("XMP ", picture.metadata().xmp.data(), picture.metadata().xmp.size());
  isDone = isDone && WebPMuxAssemble(mux.get(), &whole) == WEBP_MUX_OK;
  const std::unique_ptr<WebPData, decltype(&WebPDataClear)> memory(&whole, WebPDataClear);
  if (!isDone)
    refuse(path, "can't be written: libwebp can't join its parts");
  writeWhole(path, part, std::as_bytes(std::span(whole.bytes, whole.size)));
}

using namespace std::string_view_literals;

}  // namespace

extern const Codec webpCodec;  // for the table that CMake makes
const Codec webpCodec = readBy<Reader>({
    .name = "webp",
    .label = label,
    .extensions = {".webp"},
    .signatures = {"RIFF"sv},
    .claims = isWebp,
    .holds = Holds::encoded,
    .readingParameters = {"encoding", "profile", "gamma", "orientation", "precision"},
    .writingParameters = {"encoding", "gamma", "quality", "lossless"},
    .largestSide = WEBP_MAX_DIMENSION,
    .mostBits = 8,
    .write = write,
});

}  // namespace lacuna::io
