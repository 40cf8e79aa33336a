// DNG files (Adobe, Digital Negative Specification 1.4), by libtiff.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "modules/codecs/exif.h"
#include "modules/codecs/half_float.h"
#include "modules/codecs/kept.h"
#include "modules/codecs/raw.h"
#include "modules/codecs/tiff_tags.h"

namespace lacuna::io {
namespace {

constexpr uint16_t colourFilterArray = 32803, linearRaw = 34892, noiseProfile = 51041, daylight = 21;
constexpr float mostCode = 65535.0F;

struct Job {
  std::string path;
  const NamedImage* image = nullptr;
  CameraValues camera;
  Matrix3 fromXyz{};
  bool isMosaic = false;
  std::array<float, 9> toCode{};  // for a linear picture: rows, to the camera's colours before balance
  std::vector<std::byte> exif;
  Orientation orientation = 1;
  std::string model;
};

// libtiff 4.5 does not know this tag.
void addTags(TIFF* file) {
  static const TIFFFieldInfo info[] = {
      {noiseProfile, -1, -1, TIFF_DOUBLE, FIELD_CUSTOM, 1, 1, const_cast<char*>("NoiseProfile")}};
  if (TIFFFindField(file, noiseProfile, TIFF_ANY) == nullptr)
    TIFFMergeFieldInfo(file, info, 1);
}

std::array<float, 9> floats(const Matrix3& matrix) {
  std::array<float, 9> numbers{};
  std::ranges::transform(matrix, numbers.begin(), [](double number) { return static_cast<float>(number); });
  return numbers;
}

void putSize(TIFF* file, const Job& job) {
  const Extent extent = job.image->type.extent;
  const bool isGrey = job.image->type.pattern == MosaicPattern{};
  TIFFSetField(file, TIFFTAG_SUBFILETYPE, 0);
  TIFFSetField(file, TIFFTAG_IMAGEWIDTH, extent.width);
  TIFFSetField(file, TIFFTAG_IMAGELENGTH, extent.height);
  TIFFSetField(file, TIFFTAG_BITSPERSAMPLE, 16);
  TIFFSetField(file, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
  TIFFSetField(file, TIFFTAG_PHOTOMETRIC, job.isMosaic && !isGrey ? colourFilterArray : linearRaw);
  TIFFSetField(file, TIFFTAG_SAMPLESPERPIXEL, job.isMosaic ? 1 : 3);
  TIFFSetField(file, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG);
  TIFFSetField(file, TIFFTAG_ORIENTATION, job.orientation);
  TIFFSetField(file, TIFFTAG_ROWSPERSTRIP, 64);
  const float origin[] = {0.0F, 0.0F};
  const float size[] = {static_cast<float>(extent.width), static_cast<float>(extent.height)};
  const uint32_t active[] = {0, 0, extent.height, extent.width};
  TIFFSetField(file, TIFFTAG_DEFAULTCROPORIGIN, origin);
  TIFFSetField(file, TIFFTAG_DEFAULTCROPSIZE, size);
  TIFFSetField(file, TIFFTAG_ACTIVEAREA, active);
}

void putPattern(TIFF* file, const MosaicPattern& pattern) {
  const uint16_t side = isBayer(pattern) ? 2 : patternSide;
  const uint16_t dimensions[] = {side, side};
  std::vector<uint8_t> letters;
  for (uint32_t i = 0; i < uint32_t{side} * side; ++i)
    letters.push_back(static_cast<uint8_t>(letterAt(pattern, {i % side, i / side}) - 1));
  TIFFSetField(file, TIFFTAG_CFAREPEATPATTERNDIM, dimensions);
  TIFFSetField(file, TIFFTAG_CFAPATTERN, static_cast<int>(letters.size()), letters.data());
  const uint8_t colours[] = {0, 1, 2};
  TIFFSetField(file, TIFFTAG_CFAPLANECOLOR, 3, colours);
  TIFFSetField(file, TIFFTAG_CFALAYOUT, 1);
}

void putLevels(TIFF* file, const Job& job) {
  const uint16_t repeats[] = {2, 2};
  const uint32_t white[] = {static_cast<uint32_t>(std::lround(job.isMosaic ? job.camera.white : mostCode)),
                            65535, 65535};
  if (job.isMosaic) {
    TIFFSetField(file, TIFFTAG_BLACKLEVELREPEATDIM, repeats);
    TIFFSetField(file, TIFFTAG_BLACKLEVEL, 4, job.camera.black.data());
  }
  TIFFSetField(file, TIFFTAG_WHITELEVEL, job.isMosaic ? 1 : 3, white);
  const double noise[] = {static_cast<double>(job.camera.noise[0]), static_cast<double>(job.camera.noise[1])};
  if (job.isMosaic && (noise[0] > 0 || noise[1] > 0))
    TIFFSetField(file, noiseProfile, 2, noise);
}

void putColours(TIFF* file, const Job& job) {
  const uint8_t version[] = {1, 4, 0, 0}, readers[] = {1, 1, 0, 0};
  TIFFSetField(file, TIFFTAG_DNGVERSION, version);
  TIFFSetField(file, TIFFTAG_DNGBACKWARDVERSION, readers);
  TIFFSetField(file, TIFFTAG_UNIQUECAMERAMODEL, job.model.c_str());
  TIFFSetField(file, TIFFTAG_BASELINEEXPOSURE, static_cast<double>(job.camera.baselineExposure));
  if (job.isMosaic && job.image->type.pattern == MosaicPattern{})
    return;
  const std::array<float, 9> matrix = floats(job.fromXyz);
  std::array<float, 3> neutral{};
  std::ranges::transform(job.camera.balance, neutral.begin(), [](float factor) { return 1 / factor; });
  TIFFSetField(file, TIFFTAG_COLORMATRIX1, 9, matrix.data());
  TIFFSetField(file, TIFFTAG_CALIBRATIONILLUMINANT1, daylight);
  TIFFSetField(file, TIFFTAG_ASSHOTNEUTRAL, 3, neutral.data());
}

uint16_t code(float value) {
  return static_cast<uint16_t>(std::lround(std::clamp(std::isnan(value) ? 0.0F : value, 0.0F, mostCode)));
}

void fillRow(const Job& job, uint32_t y, std::vector<uint16_t>& row) {
  const ValueType& type = job.image->type;
  const uint32_t pixelBytes = bytesPerPixel(type.channels, type.format);
  const std::byte* pixel = job.image->pixels.data() + size_t{y} * type.extent.width * pixelBytes;
  for (uint32_t x = 0; x < type.extent.width; ++x, pixel += pixelBytes) {
    if (job.isMosaic) {
      row[x] = code(componentAt(pixel, 0, type.format));
      continue;
    }
    const float rgb[] = {componentAt(pixel, 0, type.format), componentAt(pixel, 1, type.format),
                         componentAt(pixel, 2, type.format)};
    for (size_t c = 0; c < 3; ++c) {
      const float* m = &job.toCode[3 * c];
      const float share = m[0] * rgb[0] + m[1] * rgb[1] + m[2] * rgb[2];
      row[3 * size_t{x} + c] = code(share * mostCode);
    }
  }
}

bool putAll(TIFF* file, const Job& job) {
  addTags(file);
  putSize(file, job);
  if (job.isMosaic && !(job.image->type.pattern == MosaicPattern{}))
    putPattern(file, job.image->type.pattern);
  putLevels(file, job);
  putColours(file, job);
  putMainExif(file, job.exif);
  const Extent extent = job.image->type.extent;
  std::vector<uint16_t> row(size_t{extent.width} * (job.isMosaic ? 1 : 3));
  for (uint32_t y = 0; y < extent.height; ++y) {
    fillRow(job, y, row);
    if (TIFFWriteScanline(file, row.data(), y, 0) != 1)
      return false;
  }
  return writeTiffFolders(file, job.exif);
}

std::optional<CameraValues> connectedCamera(const std::string& path, const std::vector<NamedImage>& planes) {
  for (const NamedImage& plane : planes) {
    if (plane.name != "camera")
      continue;
    if (plane.type.arrayCount != cameraCount || plane.pixels.size() < cameraCount * sizeof(float))
      refuse(path, "'camera' is {}, expected an array of {} y f32", print(plane.type), cameraCount);
    std::array<float, cameraCount> numbers{};
    std::memcpy(numbers.data(), plane.pixels.data(), sizeof numbers);
    return cameraFrom(numbers);
  }
  return std::nullopt;
}

void checkCamera(const std::string& path, const CameraValues& camera) {
  const bool hasLevels =
      std::ranges::all_of(camera.black, [&](float black) { return black >= 0 && black < camera.white; });
  const bool hasBalance =
      std::ranges::all_of(camera.balance, [](float factor) { return factor > 0 && std::isfinite(factor); });
  if (!hasLevels || !(camera.white >= 1 && camera.white <= mostCode) || !hasBalance)
    refuse(path,
           "'camera' says black {}, white {}, balance {} {} {}; expected 0 <= black < white <= 65535 and "
           "factors above 0",
           camera.black[0], camera.white, camera.balance[0], camera.balance[1], camera.balance[2]);
}

void setColours(Job& job, const std::vector<NamedImage>& planes, const WriteOptions& options) {
  // The photograph that the picture comes from, if there is one.
  const std::optional<Origin>& origin = options.colours;
  const Codec* codec = origin ? codecIfKnown(origin->path) : nullptr;
  const auto raw = codec != nullptr && codec->holds == Holds::mosaic ? rawHeader(origin->path) : nullptr;
  const auto given = connectedCamera(job.path, planes);
  if (raw) {
    const Orientation orientation = orientationOf(*raw, origin->read);
    job.camera = cameraValues(raw->about, patternOf(*raw, orientation), blackOf(*raw, orientation));
  }
  job.camera = given.value_or(job.camera);
  if (job.isMosaic)
    job.camera.black = blackFor(job.camera, job.image->type.pattern);
  checkCamera(job.path, job.camera);
  job.fromXyz = xyzToCamera(job.camera);
  if (raw && std::ranges::any_of(raw->about.fromXyz, [](float number) { return number != 0; }))
    std::ranges::copy(raw->about.fromXyz, job.fromXyz.begin());
  const bool isCameras = job.image->type.colour == ColourTag::data;
  job.toCode = floats(isCameras ? Matrix3{1, 0, 0, 0, 1, 0, 0, 0, 1} : inverse(job.camera.toRec2020));
  for (size_t i = 0; i < job.toCode.size(); ++i)
    job.toCode.at(i) /= job.camera.balance.at(i / 3);
  if (raw)
    job.model = fmt::format("{} {}", raw->about.make, raw->about.model);
  if (!std::ranges::all_of(job.fromXyz, [](double number) { return std::isfinite(number); }))
    refuse(job.path, "the matrix of 'camera' has no inverse");
}

const NamedImage& pictureOf(const std::string& path, const std::vector<NamedImage>& planes) {
  for (const NamedImage& plane : planes)
    if (plane.name != "camera") {
      checkPixels(path, plane);
      const ValueType& type = plane.type;
      const bool isColour = componentCount(type.channels) >= 3 &&
                            (type.colour == ColourTag::rec2020 || type.colour == ColourTag::data);
      const bool isFloat = type.format == Format::f16 || type.format == Format::f32;
      if (!isFloat || (type.channels != Channels::mosaic && !isColour))
        refuse(path,
               "a DNG file is written from a mosaic, or from colours that are rec2020 or the camera's own "
               "(data), in f16 or f32, not from {}",
               print(type));
      return plane;
    }
  refuse(path, "no picture is connected");
}

}  // namespace

void writeDng(const std::string& path, const std::string& part, const std::vector<NamedImage>& planes,
              const WriteOptions& options) {
  Job job;
  job.path = path;
  job.image = &pictureOf(path, planes);
  job.isMosaic = job.image->type.channels == Channels::mosaic;
  job.model = "Lacuna";
  setColours(job, planes, options);
  if (const std::optional<Kept> kept = keptOf(options, job.image->type.extent)) {
    job.exif = kept->metadata.exif;
    job.orientation = kept->orientation;
  }
  writeTiffFile(path, part, "wl", [&](TIFF* file) { return putAll(file, job); });
}

// libtiff writes the folder of tags behind the pixels.
void checkDng(const std::string& path) {
  const File file = openToRead(path);
  std::array<uint8_t, 8> head{};
  const bool isRead = std::fread(head.data(), 1, head.size(), file.get()) == head.size();
  const uint64_t folder = head[4] | head[5] << 8 | head[6] << 16 | uint64_t{head[7]} << 24;
  if (!isRead || folder + 2 > fileBytes(path))
    refuse(path, "it breaks off");
}

}  // namespace lacuna::io
