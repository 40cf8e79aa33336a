#include "tools/lacuna/page/picture_page.h"

#include <Imath/half.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "graph/files/file_name.h"
#include "modules/codecs/image_info.h"
#include "tools/lacuna/compare/comparisons.h"
#include "tools/lacuna/page/page.h"
#include "tools/shell/files.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

using Json = nlohmann::ordered_json;

void cut(ColourImage& image, const PixelArea& area) {
  std::vector<float> rgb;
  for (size_t y = area.top; y < area.bottom; ++y) {
    const auto row = image.rgb.begin() + static_cast<ptrdiff_t>(3 * y * image.extent.width);
    rgb.insert(rgb.end(), row + ptrdiff_t{3} * area.left, row + ptrdiff_t{3} * area.right);
  }
  image.rgb = std::move(rgb);
  image.extent = {area.right - area.left, area.bottom - area.top};
}

// Recommendation ITU-R BT.2087, section 4: the inverse of its matrix M2.
constexpr std::array<std::array<float, 3>, 3> rec709OfRec2020 = {
    {{1.6605F, -.5876F, -.0728F}, {-.1246F, 1.1329F, -.0083F}, {-.0182F, -.1006F, 1.1187F}}};

constexpr float halfMost = 65504.0F;

std::string halvesOf(const ColourImage& image) {
  std::string bytes;
  bytes.reserve(2 * image.rgb.size());
  for (size_t i = 0; i < image.rgb.size(); i += 3) {
    for (size_t c = 0; c < 3; ++c) {
      float value = image.rgb[i + c];
      if (image.colour == ColourTag::rec2020) {
        value = 0.0F;
        for (size_t k = 0; k < 3; ++k)
          value += rec709OfRec2020[c][k] * image.rgb[i + k];
      }
      // Values beyond halves stay finite, so that they aren't shown as mistakes.
      const Imath::half half(std::isfinite(value) ? std::clamp(value, -halfMost, halfMost) : value);
      bytes += static_cast<char>(half.bits() & 255);
      bytes += static_cast<char>(half.bits() >> 8);
    }
  }
  return bytes;
}

struct Encoded {
  std::string kind;  // of the page's script
  std::string type;
  std::string bytes;
};

Extent sizeOf(const PagePicture& picture, const std::string& file) {
  const Extent whole = imageInfo(file).extent;
  return picture.crop
             ? Extent{picture.crop->right - picture.crop->left, picture.crop->bottom - picture.crop->top}
             : whole;
}

Encoded encode(const PagePicture& picture, const std::string& file) {
  const std::string codec = codecOfFile(file);
  const ImageInfo info = imageInfo(file);
  const bool has8Bits = info.bits <= 8 && !info.isMosaic, isForBrowsers = codec == "png" || codec == "jpg";
  if (has8Bits && isForBrowsers && !picture.crop)
    return {"bytes", codec == "png" ? "image/png" : "image/jpeg", readBytes(file)};
  ColourImage image = loadCompared(file, picture.layer);
  if (picture.crop)
    cut(image, *picture.crop);
  if (has8Bits)
    return {"bytes", "image/png", pngOf(onScreen(image), image.colour, image.extent, 6)};
  return {"halves", "application/octet-stream", halvesOf(image)};
}

}  // namespace

std::vector<float> shrunk(const std::vector<float>& values, size_t components, Extent from, Extent to) {
  std::vector<float> small(components * to.width * to.height);
  for (size_t i = 0; i < small.size(); ++i) {
    const size_t x = i / components % to.width, y = i / components / to.width;
    double sum = 0.0;
    int count = 0;
    for (size_t v = y * from.height / to.height; v < (y + 1) * from.height / to.height; ++v)
      for (size_t u = x * from.width / to.width; u < (x + 1) * from.width / to.width; ++u) {
        const float value = values[(v * from.width + u) * components + i % components];
        sum += std::isfinite(value) ? value : 0.0;
        count += std::isfinite(value) ? 1 : 0;
      }
    small[i] = count > 0 ? static_cast<float>(sum / count) : std::numeric_limits<float>::quiet_NaN();
  }
  return small;
}

std::string pngOf(const std::vector<std::byte>& rgba, ColourTag colour, Extent extent, int compression) {
  const TemporaryFolder folder;
  const std::string file = folder.path() + "/picture.png";
  writeImage("png", file, {{"output", {Channels::rgba, Format::u8, colour, extent, 0}, rgba}},
             {.compression = compression});
  return readBytes(file);
}

std::string pngOf(const std::vector<double>& rgb, ColourTag colour, Extent extent, int compression) {
  std::vector<std::byte> rgba(4 * pixelCount(extent), std::byte{255});
  for (size_t i = 0; i < rgb.size(); ++i)
    rgba[i / 3 * 4 + i % 3] = static_cast<std::byte>(std::lround(255 * rgb[i]));
  return pngOf(rgba, colour, extent, compression);
}

uint64_t writePicturePage(const std::string& file, const PicturePage& page, const Json& results) {
  const PagePicture& first = page.pictures.front();
  const Extent size = sizeOf(first, first.files.front());
  Json about = {{"width", size.width},
                {"height", size.height},
                {"left", first.crop ? first.crop->left : 0},
                {"top", first.crop ? first.crop->top : 0},
                {"frames", page.frames},
                {"reference", page.reference},
                {"results", results},
                {"pictures", Json::array()}};
  PageWriter written(file, picturePage);
  for (size_t p = 0; p < page.pictures.size(); ++p) {
    const PagePicture& picture = page.pictures[p];
    about["pictures"].push_back({{"name", picture.name}});
    for (size_t frame = 0; frame < picture.files.size(); ++frame) {
      if (const Extent own = sizeOf(picture, picture.files[frame]); own != size)
        throw FileError(fmt::format(
            "{} has {} x {} pixels, but {} has {} x {}: a page shows pictures of one size",
            picture.files[frame], own.width, own.height, first.files.front(), size.width, size.height));
      const Encoded encoded = encode(picture, picture.files[frame]);
      written.add(fmt::format(
          R"(<script type="text/plain" id="picture-{}-{}" data-kind="{}" data-type="{}">{}</script>)", p,
          frame, encoded.kind, encoded.type, base64(encoded.bytes)));
    }
  }
  return written.end(about);
}

void warnOfLargePage(const std::string& file, uint64_t bytes, bool areSequences) {
  // Above this a page is long in opening and hard to send.
  constexpr uint64_t largest = uint64_t{40} << 20;
  if (bytes > largest)
    printWarning(fmt::format("{} has {} MiB; --crop X,Y,WIDTH,HEIGHT{} makes it smaller", file, bytes >> 20,
                             areSequences ? " or --frames" : ""));
}

}  // namespace lacuna
