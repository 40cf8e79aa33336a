// JPEG XL (ISO/IEC 18181), by libjxl.

#include <fmt/format.h>
#include <jxl/decode_cxx.h>
#include <jxl/encode_cxx.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "graph/lists.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/hdr_curves.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/row_file.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {

extern const Codec jxlCodec;  // for the table that CMake makes

namespace {

constexpr const char* label = "JPEG XL";

JxlPixelFormat pixelFormat(Format format, uint32_t components = 4) {
  const JxlDataType type = format == Format::u8    ? JXL_TYPE_UINT8
                           : format == Format::u16 ? JXL_TYPE_UINT16
                           : format == Format::f16 ? JXL_TYPE_FLOAT16
                                                   : JXL_TYPE_FLOAT;
  return {components, type, JXL_NATIVE_ENDIAN, 0};
}

class Reader : StoredReader {
 public:
  Reader(const std::string& path, const ReadOptions& options)
      : StoredReader(path, options), bytes_(readWhole(path)) {
    readHeader();
  }

  ValueType type(const std::string&) {
    if (info_.have_animation != 0)
      refuse(path_, "it is an animation; expected a single picture");
    if (hasBlack_)
      refuse(path_, "its numbers are inks (CMYK); expected grey or RGB: convert it to RGB first");
    if (info_.exponent_bits_per_sample == 0 && info_.bits_per_sample > 16)
      refuse(path_, "its numbers have {} bits; expected 16 at most, or floats", info_.bits_per_sample);
    constexpr uint64_t planeBytes = 32;  // floats, with borders, of what the decoder has at once
    StoredHeader header({info_.xsize, info_.ysize}, kind(""), planeBytes);
    header.isStraight = info_.alpha_bits > 0 && info_.alpha_premultiplied == 0;
    return open(header, metadata());
  }

  StoredKind kind(const std::string&) const {
    const bool isFloat = info_.exponent_bits_per_sample > 0 || transfer_ != 0;
    const auto bits = static_cast<int>(std::max(info_.bits_per_sample, 8U));
    return {isFloat && (transfer_ != 0 || bits > 16) ? 32 : bits, isFloat, info_.num_color_channels == 1,
            info_.alpha_bits > 0};
  }

  Metadata metadata() const {
    constexpr size_t offsetBytes = 4;  // of the data in the box; 0 everywhere
    const std::span exif = std::span(exif_).subspan(std::min(offsetBytes, exif_.size()));
    Metadata metadata{.exif = trimmedExif({exif.begin(), exif.end()}),
                      .xmp = asText(xmp_),
                      .colour = colour_,
                      .orientation = info_.orientation,
                      .curve = curveOf(transfer_),
                      .isLossless = info_.uses_original_profile != 0};
    if (kind("").isFloat)
      deliverLinear(metadata);
    if (info_.num_extra_channels > (info_.alpha_bits > 0 ? 1U : 0U))
      metadata.lost.emplace_back("its other channels");
    return metadata;
  }

  void read(const PlaneTarget& target) {
    image_->deliver(target.destination, [&](std::byte* rows, uint32_t count) {
      const StoredKind stored = kind("");
      const JxlPixelFormat format = pixelFormat(stored.format());
      const size_t bytes = size_t{4} * info_.xsize * count * bytesOf(stored.format());
      const JxlDecoderPtr decoder = started(JXL_DEC_FULL_IMAGE);
      JxlDecoderSetUnpremultiplyAlpha(decoder.get(), stored.isFloat ? JXL_FALSE : JXL_TRUE);
      for (JxlDecoderStatus status = next(decoder); status != JXL_DEC_FULL_IMAGE; status = next(decoder))
        if (status != JXL_DEC_NEED_IMAGE_OUT_BUFFER ||
            JxlDecoderSetImageOutBuffer(decoder.get(), &format, rows, bytes) != JXL_DEC_SUCCESS)
          throwDamaged(path_, label, "its pixels can't be decoded");
      if (transfer_ != 0)
        decodeLight(transfer_, {reinterpret_cast<float*>(rows), bytes / sizeof(float)});
    });
  }

 private:
  JxlDecoderPtr started(int events) const {
    JxlDecoderPtr decoder = JxlDecoderMake(nullptr);
    if (!decoder || JxlDecoderSubscribeEvents(decoder.get(), events) != JXL_DEC_SUCCESS)
      throw std::bad_alloc();
    JxlDecoderSetKeepOrientation(decoder.get(), JXL_TRUE);
    JxlDecoderSetDecompressBoxes(decoder.get(), JXL_TRUE);
    JxlDecoderSetInput(decoder.get(), asWords(bytes_.data()), bytes_.size());
    JxlDecoderCloseInput(decoder.get());
    return decoder;
  }

  JxlDecoderStatus next(const JxlDecoderPtr& decoder) const {
    const JxlDecoderStatus status = JxlDecoderProcessInput(decoder.get());
    if (status == JXL_DEC_NEED_MORE_INPUT)
      throwDamaged(path_, label, "it breaks off");
    if (status == JXL_DEC_ERROR)
      throwDamaged(path_, label, "libjxl can't decode it");
    return status;
  }

  void readHeader() {
    const JxlDecoderPtr decoder = started(JXL_DEC_BASIC_INFO | JXL_DEC_COLOR_ENCODING | JXL_DEC_BOX);
    std::vector<std::byte>* box = nullptr;
    const auto endBox = [&] {
      if (box != nullptr)
        box->resize(box->size() - JxlDecoderReleaseBoxBuffer(decoder.get()));
    };
    for (JxlDecoderStatus status = next(decoder); status != JXL_DEC_SUCCESS; status = next(decoder)) {
      if (status == JXL_DEC_BASIC_INFO)
        readInfo(decoder);
      else if (status == JXL_DEC_COLOR_ENCODING)
        readColour(decoder);
      else
        endBox();
      if (status == JXL_DEC_BOX) {
        JxlBoxType name;
        JxlDecoderGetBoxType(decoder.get(), name, JXL_TRUE);
        const std::string_view text(name, sizeof name);
        box = text == "Exif" ? &exif_ : text == "xml " ? &xmp_ : nullptr;
      }
      if (status == JXL_DEC_BOX || status == JXL_DEC_BOX_NEED_MORE_OUTPUT)
        growBox(decoder, box);
    }
    endBox();
    if (info_.xsize == 0)
      throwDamaged(path_, label, "it has no picture");
  }

  // A box may be compressed, so its size is not known before its end.
  void growBox(const JxlDecoderPtr& decoder, std::vector<std::byte>* box) const {
    constexpr size_t step = 65536, most = size_t{64} << 20U;
    if (box == nullptr)
      return;
    const size_t used = box->size();
    if (used > most)
      throwDamaged(path_, label, "its Exif data or XMP have more than {} bytes", most);
    box->resize(used + std::max(step, used));
    JxlDecoderSetBoxBuffer(decoder.get(), reinterpret_cast<uint8_t*>(box->data() + used), box->size() - used);
  }

  void readInfo(const JxlDecoderPtr& decoder) {
    JxlDecoderGetBasicInfo(decoder.get(), &info_);
    for (size_t i = 0; i < info_.num_extra_channels; ++i) {
      JxlExtraChannelInfo extra{};
      JxlDecoderGetExtraChannelInfo(decoder.get(), i, &extra);
      hasBlack_ = hasBlack_ || extra.type == JXL_CHANNEL_BLACK;
    }
  }

  // Colours as the decoder delivers them. libjxl makes a profile of enumerated ones.
  void readColour(const JxlDecoderPtr& decoder) {
    JxlColorEncoding colour{};
    const JxlPixelFormat format = pixelFormat(Format::f32);
    const bool isEnumerated =
        JxlDecoderGetColorAsEncodedProfile(decoder.get(), &format, JXL_COLOR_PROFILE_TARGET_DATA, &colour) ==
        JXL_DEC_SUCCESS;
    colour_.grey = info_.num_color_channels == 1;
    if (isEnumerated && isLight(colour.transfer_function)) {
      transfer_ = colour.transfer_function;
      colour_.whiteAndPrimaries = {colour.white_point_xy[0],     colour.white_point_xy[1],
                                   colour.primaries_red_xy[0],   colour.primaries_red_xy[1],
                                   colour.primaries_green_xy[0], colour.primaries_green_xy[1],
                                   colour.primaries_blue_xy[0],  colour.primaries_blue_xy[1]};
      if (colour_.grey)
        colour_.whiteAndPrimaries.reset();
      return;
    }
    const bool isUsual =
        colour.primaries == JXL_PRIMARIES_SRGB && colour.white_point == JXL_WHITE_POINT_D65 &&
        colour.transfer_function ==
            (info_.exponent_bits_per_sample > 0 ? JXL_TRANSFER_FUNCTION_LINEAR : JXL_TRANSFER_FUNCTION_SRGB);
    if (isEnumerated && isUsual)
      return;
    size_t bytes = 0;
    constexpr JxlColorProfileTarget target = JXL_COLOR_PROFILE_TARGET_DATA;
    JxlDecoderGetICCProfileSize(decoder.get(), &format, target, &bytes);  // 0: none
    colour_.profile.resize(bytes);
    if (JxlDecoderGetColorAsICCProfile(decoder.get(), &format, target,
                                       reinterpret_cast<uint8_t*>(colour_.profile.data()),
                                       bytes) != JXL_DEC_SUCCESS)
      colour_.profile.clear();
  }

  std::vector<std::byte> bytes_, exif_, xmp_;
  JxlBasicInfo info_{};
  bool hasBlack_ = false;
  int transfer_ = 0;  // pqTransfer, hlgTransfer; 0: any other
  ColourDescription colour_;
};

// libjxl 0.7 changes subnormal ones.
bool hasNormalHalves(const std::byte* pixel) {
  std::array<uint16_t, 4> halves;
  std::memcpy(halves.data(), pixel, sizeof halves);
  return std::ranges::all_of(halves,
                             [](uint16_t half) { return (half & 0x7c00U) != 0 || (half & 0x3ffU) == 0; });
}

class JxlWriter : NoCopy {
 public:
  explicit JxlWriter(const KeptPicture& picture)
      : picture_(picture), image_(picture.image), encoder_(JxlEncoderMake(nullptr)) {
    if (!encoder_)
      throw std::bad_alloc();
    Format& format = image_.type.format;
    if (format == Format::f16 && (picture.alpha || !everyPixel(picture.image, hasNormalHalves)))
      format = Format::f32;
    if (format != Format::f32)
      return;
    light_ = picture.straightLight();  // libjxl 0.7 can't write floats that are multiplied by alpha
    image_.pixels = std::as_bytes(std::span(light_));
  }

  std::vector<std::byte> write() {
    const bool lossless = picture_.isLossless();
    const Metadata& metadata = picture_.metadata();
    if (!metadata.exif.empty() || !metadata.xmp.empty())
      check(JxlEncoderUseBoxes(encoder_.get()));
    putHeader(lossless || !picture_.isUsual());
    putColour();
    addBox("Exif", metadata.exif, 4);
    addBox("xml ", std::as_bytes(std::span(metadata.xmp)), 0);
    JxlEncoderFrameSettings* settings = JxlEncoderFrameSettingsCreate(encoder_.get(), nullptr);
    const int effort = lossless ? 3 : 5;  // of 9; libjxl 0.7 loses bits of floats above 4
    check(JxlEncoderFrameSettingsSetOption(settings, JXL_ENC_FRAME_SETTING_EFFORT, effort));
    check(lossless ? JxlEncoderSetFrameLossless(settings, JXL_TRUE)
                   : JxlEncoderSetFrameDistance(settings, distance(picture_.options.quality)));
    const JxlPixelFormat format = pixelFormat(image_.type.format, picture_.components());
    const std::vector<std::byte> pixels = packedPixels(image_, picture_.grey, picture_.alpha);
    check(JxlEncoderAddImageFrame(settings, &format, pixels.data(), pixels.size()));
    JxlEncoderCloseInput(encoder_.get());
    return output();
  }

 private:
  // As cjxl's --quality: 90 is a distance of 1, at which a difference is just seen.
  static float distance(int quality) {
    const auto q = static_cast<float>(quality);
    return quality == 100  ? 0.01F
           : quality >= 30 ? 0.1F + (100 - q) * 0.09F
                           : 6.4F + std::pow(2.5F, (30 - q) / 5) / 6.25F;
  }

  void check(JxlEncoderStatus status) const {
    if (status != JXL_ENC_SUCCESS)
      refuse(picture_.path, "can't be written: libjxl's error {}",
             static_cast<int>(JxlEncoderGetError(encoder_.get())));
  }

  void putHeader(bool usesProfile) {
    const auto& [extent, format] = std::pair(image_.type.extent, image_.type.format);
    JxlBasicInfo info;
    JxlEncoderInitBasicInfo(&info);
    info.xsize = extent.width;
    info.ysize = extent.height;
    info.bits_per_sample = static_cast<uint32_t>(8 * bytesOf(format));
    info.exponent_bits_per_sample = !isFloat(format) ? 0 : format == Format::f16 ? 5 : 8;
    info.num_color_channels = picture_.grey ? 1 : 3;
    if (picture_.alpha) {
      info.num_extra_channels = 1;
      info.alpha_bits = info.bits_per_sample;
      info.alpha_exponent_bits = info.exponent_bits_per_sample;
    }
    info.uses_original_profile = usesProfile ? JXL_TRUE : JXL_FALSE;
    info.orientation = static_cast<JxlOrientation>(picture_.orientation());
    check(JxlEncoderSetBasicInfo(encoder_.get(), &info));
    constexpr int highLevel = 10;
    if (JxlEncoderGetRequiredCodestreamLevel(encoder_.get()) == highLevel)
      check(JxlEncoderSetCodestreamLevel(encoder_.get(), highLevel));
  }

  void putColour() {
    const std::vector<std::byte> profile =
        picture_.isUsual() ? std::vector<std::byte>() : profileToWrite(picture_);
    JxlColorEncoding colour{};
    (isFloat(image_.type.format) ? JxlColorEncodingSetToLinearSRGB : JxlColorEncodingSetToSRGB)(
        &colour, picture_.grey ? JXL_TRUE : JXL_FALSE);
    check(profile.empty() ? JxlEncoderSetColorEncoding(encoder_.get(), &colour)
                          : JxlEncoderSetICCProfile(encoder_.get(), asWords(profile.data()), profile.size()));
  }

  void addBox(const char* name, std::span<const std::byte> data, size_t zeros) {
    if (data.empty())
      return;
    std::vector<std::byte> content(zeros);
    content.insert(content.end(), data.begin(), data.end());
    check(JxlEncoderAddBox(encoder_.get(), name, asWords(content.data()), content.size(), JXL_FALSE));
  }

  std::vector<std::byte> output() {
    std::vector<std::byte> bytes;
    JxlEncoderStatus status = JXL_ENC_NEED_MORE_OUTPUT;
    while (status == JXL_ENC_NEED_MORE_OUTPUT) {
      const size_t used = bytes.size();
      size_t left = std::max(used, size_t{1} << 16U);
      bytes.resize(used + left);
      auto* next = reinterpret_cast<uint8_t*>(bytes.data() + used);
      status = JxlEncoderProcessOutput(encoder_.get(), &next, &left);
      bytes.resize(bytes.size() - left);
    }
    check(status);
    return bytes;
  }

  const KeptPicture& picture_;
  std::vector<float> light_;
  NamedImage image_;  // as it is written: halves perhaps as floats
  JxlEncoderPtr encoder_;
};

void write(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
           const WriteOptions& options) {
  const KeptPicture picture = pictureToWrite(path, jxlCodec, planes, options);
  writeWhole(path, part, JxlWriter(picture).write());
}

using namespace std::string_view_literals;

}  // namespace

const Codec jxlCodec = readBy<Reader>({
    .name = "jxl",
    .label = label,
    .extensions = {".jxl"},
    .signatures = {"\xff\x0a"sv, "\0\0\0\x0cJXL "sv},
    .holds = Holds::encoded,
    .readingParameters = {"encoding", "profile", "gamma", "orientation", "precision"},
    .writingParameters = {"encoding", "gamma", "bits", "quality", "lossless"},
    .holdsFloats = true,
    .write = write,
});

}  // namespace lacuna::io
