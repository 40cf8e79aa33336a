#include "modules/codecs/raw_unpack/unpack.h"

#include <cmath>

#include "modules/codecs/raw_message.h"

namespace lacuna::raw {
namespace {

constexpr unsigned leafFilters = 1, xTransFilters = 9, leastBayerFilters = 1000;
constexpr int firstGreen = 1, secondGreen = 3;

// LibRaw's number of a pixel's colour: 0 to 3, of which 1 and 3 are green.
int colourAt(LibRaw& raw, const Visible& visible, uint32_t x, uint32_t y) {
  const int colour = raw.imgdata.idata.filters == 0 ? 0
                                                    : raw.COLOR(static_cast<int>(visible.cropTop + y),
                                                                static_cast<int>(visible.cropLeft + x));
  return colour < 0 || colour > secondGreen ? 0 : colour;
}

uint8_t letterNumber(char letter) {
  return letter == 'R' ? 1 : letter == 'G' ? 2 : letter == 'B' ? 3 : 0;
}

// The level of a pixel, from LibRaw's table of levels, which repeats.
template <typename Number>
float repeated(const Number* levels, unsigned rows, unsigned columns, uint32_t x, uint32_t y) {
  const bool hasTable = rows > 0 && columns > 0 && uint64_t{rows} * columns + 6 <= LIBRAW_CBLACK_SIZE;
  return hasTable ? static_cast<float>(levels[6 + y % rows * columns + x % columns]) : 0.0F;
}

// Of a pixel of LibRaw's colour c.
float blackAt(const libraw_colordata_t& colour, bool isDng, int c, uint32_t column, uint32_t row) {
  const float whole = static_cast<float>(colour.black) + static_cast<float>(colour.cblack[c]) +
                      repeated(colour.cblack, colour.cblack[4], colour.cblack[5], column, row);
  // DNG files have fractions, which LibRaw keeps separately.
  const libraw_dng_levels_t& dng = colour.dng_levels;
  const float exact = dng.dng_fblack + dng.dng_fcblack[c] +
                      repeated(dng.dng_fcblack, dng.dng_cblack[4], dng.dng_cblack[5], column, row);
  return isDng && std::abs(exact - whole) < 1.0F ? exact : whole;
}

bool hasRedGreenBlue(const libraw_iparams_t& about) {
  bool isKnown = about.colors == 3;
  for (int c = 0; c < 4; ++c)
    isKnown = isKnown && (about.cdesc[c] == 0 || letterNumber(about.cdesc[c]) > 0);
  return isKnown;
}

}  // namespace

bool isDemosaiced(const libraw_data_t& data) {
  const libraw_iparams_t& about = data.idata;
  return about.filters == 0 && about.colors == 3 && about.dng_version != 0 && about.is_foveon == 0;
}

std::string refusal(const libraw_data_t& data) {
  const libraw_iparams_t& about = data.idata;
  if (about.raw_count != 1)
    return "holds " + std::to_string(about.raw_count) +
           " raw pictures (of several exposures or a shifted sensor); only files with one are read";
  if (about.is_foveon != 0)
    return "of a sensor with three layers (Foveon), which is not a mosaic";
  if (about.filters == 0 && about.colors > 1 && !isDemosaiced(data))
    return "holds colours that are demosaiced already (a small raw, or other colours than red, green and "
           "blue); only DNG files of red, green and blue are read";
  if (data.rawdata.ioparams.fuji_width != 0 || about.filters == leafFilters ||
      (about.filters != 0 && about.filters != xTransFilters && about.filters < leastBayerFilters))
    return "a sensor whose pattern is neither Bayer's nor X-Trans";
  if (about.filters != 0 && !hasRedGreenBlue(about))
    return std::string("a sensor of the colours ") + about.cdesc + "; red, green and blue are what is read";
  return {};
}

std::string dngRefusal(const ExifWriter& tags) {
  const auto is = [&](uint16_t tag, double number) {
    const std::vector<double> numbers = tags.rawNumbers(tag);
    return !numbers.empty() && numbers[0] == number;
  };
  constexpr double floats = 3, deflate = 8, olderDeflate = 32946, jpegXl = 52546, most = 16;
  const std::vector<double> bits = tags.rawNumbers(bitsPerSample);
  const std::string advice =
      "; only whole numbers of up to 16 bits are read, uncompressed or as lossless JPEG";
  if (is(sampleFormat, floats))
    return "holds floating-point numbers" + advice;
  if (is(compression, deflate) || is(compression, olderDeflate))
    return "its pixels are deflated" + advice;
  if (is(compression, jpegXl))
    return "its pixels are compressed as JPEG XL" + advice;
  if (!bits.empty() && bits[0] > most)
    return "holds numbers of " + std::to_string(static_cast<int>(bits[0])) + " bits" + advice;
  return {};
}

// LibRaw's own crop misses whole numbers, which the specification allows.
Visible visibleOf(const libraw_data_t& data, const ExifWriter& tags) {
  const libraw_image_sizes_t& sizes = data.sizes;
  Visible visible{sizes.left_margin, sizes.top_margin, sizes.width, sizes.height, 0, 0};
  const std::vector<double> from = tags.rawNumbers(defaultCropOrigin),
                            size = tags.rawNumbers(defaultCropSize);
  const bool isInside = from.size() == 2 && size.size() == 2 && from[0] >= 0 && from[1] >= 0 &&
                        size[0] >= 1 && size[1] >= 1 && from[0] + size[0] <= sizes.width &&
                        from[1] + size[1] <= sizes.height;
  if (data.idata.dng_version != 0 && isInside) {
    const auto whole = [](double number) { return static_cast<uint32_t>(number); };
    visible = {visible.left + whole(from[0]),
               visible.top + whole(from[1]),
               whole(size[0]),
               whole(size[1]),
               whole(from[0]),
               whole(from[1])};
  }
  return visible;
}

void setLetters(LibRaw& raw, const Visible& visible, uint8_t* letters) {
  for (uint32_t i = 0; i < io::rawPatternSide * io::rawPatternSide; ++i) {
    const int colour = colourAt(raw, visible, i % io::rawPatternSide, i / io::rawPatternSide);
    const bool hasColours = raw.imgdata.idata.filters != 0;
    letters[i] =
        hasColours ? letterNumber(raw.imgdata.idata.cdesc[colour == secondGreen ? firstGreen : colour]) : 0;
  }
}

void setBlack(LibRaw& raw, const Visible& visible, float* black) {
  const libraw_colordata_t& colour = raw.imgdata.color;
  const bool isDng = raw.imgdata.idata.dng_version != 0;
  for (uint32_t i = 0; i < 4; ++i)
    if (isDemosaiced(raw.imgdata))
      black[i] = i < 3 ? blackAt(colour, isDng, static_cast<int>(i), 0, 0) : 0.0F;
    else
      black[i] = blackAt(colour, isDng, colourAt(raw, visible, i % 2, i / 2), visible.cropLeft + i % 2,
                         visible.cropTop + i / 2);
}

}  // namespace lacuna::raw
