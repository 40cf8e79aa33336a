// HEIC (ISO/IEC 23008-12), by libheif.

#include <libheif/heif.h>

#include <algorithm>
#include <array>

#include "files/files.h"
#include "graph/values/native_type.h"
#include "modules/codecs/hdr_curves.h"
#include "modules/codecs/stored_image.h"

namespace lacuna::io {
namespace {

constexpr const char* heicLabel = "HEIC";

class HeicReader : StoredReader {
 public:
  HeicReader(const std::string& path, const ReadOptions& options)
      : StoredReader(path, options), bytes_(readWhole(path)), context_(heif_context_alloc()) {
    check(heif_context_read_from_memory_without_copy(context_.get(), bytes_.data(), bytes_.size(), nullptr));
    heif_image_handle* handle = nullptr;
    check(heif_context_get_primary_image_handle(context_.get(), &handle));
    handle_.reset(handle);
  }

  // Floats, since these are linear.
  ValueType type() {
    StoredHeader header(extent(), {.bits = 32, .isFloat = true}, 16);
    header.isStraight = heif_image_handle_has_alpha_channel(handle_.get()) != 0;
    return open(header, metadata());
  }

  void read(std::span<std::byte> destination) {
    heif_image* decoded = nullptr;
    const bool isWide = heif_image_handle_get_luma_bits_per_pixel(handle_.get()) > 8;
    check(heif_decode_image(handle_.get(), &decoded, heif_colorspace_RGB,
                            isWide ? heif_chroma_interleaved_RRGGBBAA_LE : heif_chroma_interleaved_RGBA,
                            nullptr));
    const std::unique_ptr<heif_image, decltype(&heif_image_release)> image(decoded, heif_image_release);
    constexpr heif_channel all = heif_channel_interleaved;
    int stride = 0;
    const uint8_t* pixels = heif_image_get_plane_readonly(decoded, all, &stride);
    const Extent found{static_cast<uint32_t>(heif_image_get_width(decoded, all)),
                       static_cast<uint32_t>(heif_image_get_height(decoded, all))};
    if (pixels == nullptr || !(found == extent()))
      throwDamaged(path_, heicLabel, "its picture has {} x {} pixels, but states {} x {}", found.width,
                   found.height, extent().width, extent().height);
    const auto most = static_cast<float>(
        (1U << static_cast<unsigned>(heif_image_get_bits_per_pixel_range(decoded, all))) - 1);
    image_->deliver(destination, [&](std::byte* rows, uint32_t count) {
      const std::span<float> numbers(reinterpret_cast<float*>(rows), size_t{4} * found.width * count);
      const size_t perRow = size_t{4} * found.width;
      for (size_t i = 0; i < numbers.size(); ++i) {
        const uint8_t* row = pixels + i / perRow * static_cast<size_t>(stride);
        const size_t at = i % perRow;
        numbers[i] = static_cast<float>(isWide ? row[2 * at] | row[2 * at + 1] << 8 : row[at]) / most;
      }
      if (heif_image_handle_is_premultiplied_alpha(handle_.get()) != 0)
        for (size_t i = 0; i < numbers.size(); ++i)
          if (i % 4 < 3 && numbers[i | 3U] > 0)
            numbers[i] /= numbers[i | 3U];
      decodeLight(transfer_, numbers);
    });
  }

 private:
  Extent extent() const {  // upright: libheif turns it
    return {static_cast<uint32_t>(heif_image_handle_get_width(handle_.get())),
            static_cast<uint32_t>(heif_image_handle_get_height(handle_.get()))};
  }

  void check(const heif_error& error) const {
    if (error.code != heif_error_Ok)
      throwDamaged(path_, heicLabel, "{}", error.message);
  }

  Metadata metadata() {
    Metadata metadata;
    metadata.orientation = 1;
    ColourDescription& colour = metadata.colour;
    if (const size_t bytes = heif_image_handle_get_raw_color_profile_size(handle_.get());
        bytes > 0 &&
        heif_image_handle_get_color_profile_type(handle_.get()) != heif_color_profile_type_nclx) {
      colour.profile.resize(bytes);
      check(heif_image_handle_get_raw_color_profile(handle_.get(), colour.profile.data()));
      return metadata;
    }
    heif_color_profile_nclx* codes = nullptr;
    const bool isStated =
        heif_image_handle_get_nclx_color_profile(handle_.get(), &codes).code == heif_error_Ok;
    const std::unique_ptr<heif_color_profile_nclx, decltype(&heif_nclx_color_profile_free)> freed(
        codes, heif_nclx_color_profile_free);
    const int transfer = isStated ? codes->transfer_characteristics : unstatedCode;
    transfer_ = isLight(transfer) ? transfer : 0;
    describeCodes(isStated ? codes->color_primaries : unstatedCode, transfer, metadata);
    if (transfer_ == 0 && colour.profile.empty()) {  // floats without a profile would count as linear
      colour.whiteAndPrimaries = colour.whiteAndPrimaries.value_or(rec709WhiteAndPrimaries);
      colour.profile = profileOf(colour, false, false);
    }
    return metadata;
  }

  std::vector<std::byte> bytes_;  // before what reads them
  std::unique_ptr<heif_context, decltype([](heif_context* context) { heif_context_free(context); })> context_;
  std::unique_ptr<heif_image_handle,
                  decltype([](heif_image_handle* handle) { heif_image_handle_release(handle); })>
      handle_;
  int transfer_ = 0;
};

ReadOptions optionsOf(const native::Call& call, bool warns) {
  ReadOptions options;
  if (warns)
    options.warn = [&call](const std::string& text) { call.warn(text, "filename"); };
  return options;
}

void probeHeic(const native::Call& call, const native::Planes& planes) {
  const ReadOptions options = optionsOf(call, true);
  onFile([&] { native::setType(planes[0], toAbi(HeicReader(call.path(), options).type())); });
}

void readHeic(const native::Call& call, const native::Planes& planes) {
  const ReadOptions options = optionsOf(call, call.frame() > 0);  // probe() has reported those of the first
  onFile([&] {
    HeicReader reader(call.file(), options);
    const PlaneTarget target{planes[0].name,
                             fromAbi(*planes[0].type).value(),
                             {static_cast<std::byte*>(planes[0].data), planes[0].bytes}};
    checkTarget(call.path(), target, reader.type());
    reader.read(target.destination);
  });
}

}  // namespace
}  // namespace lacuna::io

LACUNA_MODULE(lacuna::native::Table("heic").probe<lacuna::io::probeHeic>().read<lacuna::io::readHeic>())
