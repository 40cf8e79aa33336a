// lacuna-raw FILE header|pixels MIB SECONDS: only unpacks a raw photograph, by LibRaw, within this memory
// and time. Writes an io::RawMessage and its data (raw_message.h) to standard output, or a mistake to
// standard error. Only for modules/codecs/raw_child.cpp.

#include <libraw/libraw.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "modules/codecs/raw_message.h"
#include "modules/codecs/raw_unpack/unpack.h"

namespace lacuna::raw {
namespace {

[[noreturn]] void fail(const std::string& text) {
  std::fprintf(stderr, "%s", text.c_str());
  std::fflush(stderr);
  _exit(1);
}

void limit(__rlimit_resource what, rlim_t most) {
  const rlimit bound{most, most};
  if (setrlimit(what, &bound) != 0)
    fail("the limits of the process that unpacks it can't be set");
}

// LibRaw would continue, with invented data.
void onDamage(void*, const char*, const int offset) {
  fail(offset < 0 ? std::string("damaged: it breaks off")
                  : "damaged: its data can't be unpacked, from byte " + std::to_string(offset) + " on");
}

constexpr const char* tooLarge = "unpacking it takes more memory than a file of its size may take";

void check(int code, bool isOpened) {
  if (code == LIBRAW_TOO_BIG || code == LIBRAW_UNSUFFICIENT_MEMORY)
    fail(tooLarge);
  if (code != LIBRAW_SUCCESS)
    fail(isOpened ? std::string("can't be unpacked: ") + LibRaw::strerror(code) : io::unknownToLibRaw);
}

// From LibRaw's bits: 1 mirrored left to right, 2 top to bottom, 4 rows are columns.
uint32_t orientationOf(int flip) {
  constexpr uint32_t orientations[] = {1, 2, 4, 3, 5, 8, 6, 7};
  return flip >= 0 && flip < 8 ? orientations[flip] : 1;
}

void setColour(const libraw_colordata_t& colour, bool hasColours, io::RawMessage& message) {
  const float* balance = colour.cam_mul[0] > 0 && colour.cam_mul[2] > 0 ? colour.cam_mul : colour.pre_mul;
  for (int c = 0; c < 3; ++c) {
    const bool isKnown = hasColours && balance[c] > 0 && balance[1] > 0;
    message.balance[c] = isKnown ? balance[c] / balance[1] : 1.0F;
    for (int k = 0; k < 3; ++k) {
      message.toRec709[3 * c + k] = hasColours ? colour.rgb_cam[c][k] : c == k ? 1.0F : 0.0F;
      message.fromXyz[3 * c + k] = hasColours ? colour.cam_xyz[c][k] : 0.0F;
    }
  }
}

// DNG 1.4, NoiseProfile: one pair for all planes, or one for each, of which the green one is used.
void setNoise(const ExifWriter& exif, io::RawMessage& message) {
  const std::vector<double> numbers = exif.doubles(noiseProfile);
  const size_t at = numbers.size() >= 6 ? 2 : 0;
  for (size_t i = 0; i < 2 && numbers.size() >= 2; ++i)
    message.noise[i] = static_cast<float>(std::clamp(numbers[at + i], 0.0, 1.0));
}

io::RawMessage messageOf(LibRaw& raw, const Visible& visible, const ExifWriter& exif,
                         const std::string& tiff) {
  const libraw_data_t& data = raw.imgdata;
  io::RawMessage message{};
  message.magic = io::rawMagic;
  message.width = visible.width;
  message.height = visible.height;
  message.samples = isDemosaiced(data) ? 3 : 1;
  message.orientation = orientationOf(data.sizes.flip);
  setLetters(raw, visible, message.letters);
  setBlack(raw, visible, message.black);
  message.white = static_cast<float>(data.color.maximum);
  setColour(data.color, data.idata.filters != 0 || message.samples == 3, message);
  setNoise(exif, message);
  const float exposure = data.color.dng_levels.baseline_exposure;
  message.baselineExposure = std::abs(exposure) < 20.0F ? exposure : 0.0F;
  message.iso = data.other.iso_speed;
  std::snprintf(message.make, sizeof message.make, "%s", data.idata.make);
  std::snprintf(message.model, sizeof message.model, "%s", data.idata.model);
  message.exifBytes = static_cast<uint32_t>(tiff.size());
  return message;
}

// The text of a field, which may lack a final zero.
template <size_t size>
std::string textOf(const char (&text)[size]) {
  return {text, strnlen(text, size)};
}

void put(const void* bytes, size_t count) {
  if (std::fwrite(bytes, 1, count, stdout) != count)
    _exit(1);  // nobody listens
}

// What each column's or row's black is above the mean that LibRaw has added to the levels. From the first
// visible pixel on.
std::vector<float> blackDeltas(const ExifWriter& tags, uint16_t tag, uint32_t first, uint32_t count) {
  const std::vector<double> numbers = tags.rawNumbers(tag);
  const double mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) /
                      std::max(static_cast<double>(numbers.size()), 1.0);
  std::vector<float> deltas(count);
  for (size_t i = first; i < numbers.size() && i - first < count; ++i)
    deltas[i - first] = static_cast<float>(numbers[i] - mean);
  return deltas;
}

// Numbers from black to white become those that are in proportion to light.
class Linear {
 public:
  Linear(const ExifWriter& tags, const libraw_image_sizes_t& sizes, const io::RawMessage& about)
      : mappings_(mappingsOf(tags, sizes.width, sizes.height)), about_(about) {}

  void operator()(float* row, uint32_t y, uint32_t samples, uint32_t width) const {
    for (const Mapping& mapping : mappings_) {
      for (uint32_t i = 0; i < samples * width; ++i) {
        const uint32_t plane = i % samples;
        const float black = about_.black[samples == 1 ? y % 2 * 2 + i % 2 : plane];
        const double range = double{about_.white} - black;
        if (plane < mapping.firstPlane || plane - mapping.firstPlane >= mapping.planes || !(range > 0.0))
          continue;
        row[i] = static_cast<float>(black + range * mapping(std::clamp((row[i] - black) / range, 0.0, 1.0)));
      }
    }
  }

 private:
  std::vector<Mapping> mappings_;
  const io::RawMessage& about_;
};

void putPixels(const LibRaw& raw, const Visible& visible, const ExifWriter& tags,
               const io::RawMessage& message) {
  const libraw_rawdata_t& data = raw.imgdata.rawdata;
  const ushort* first = data.raw_image;
  uint32_t stride = 1;
  if (isDemosaiced(raw.imgdata)) {
    stride = data.color3_image != nullptr ? 3 : 4;
    first = stride == 3                    ? data.color3_image[0]
            : data.color4_image != nullptr ? data.color4_image[0]
                                           : nullptr;
  }
  if (first == nullptr)
    fail("its pixels are not whole numbers, and no others are read");
  // LibRaw doesn't set the pitch if a pixel has four numbers.
  const size_t pitch = stride == 4 ? size_t{4} * data.sizes.raw_width : data.sizes.raw_pitch / sizeof(ushort);
  const uint32_t samples = std::min(stride, 3U);
  const std::vector<float> ofColumns = blackDeltas(tags, blackLevelDeltaH, visible.cropLeft, visible.width),
                           ofRows = blackDeltas(tags, blackLevelDeltaV, visible.cropTop, visible.height);
  const Linear linear(tags, data.sizes, message);
  std::vector<float> numbers(size_t{samples} * visible.width);
  for (uint32_t y = 0; y < visible.height; ++y) {
    const ushort* row = first + (visible.top + y) * pitch + size_t{visible.left} * stride;
    for (size_t x = 0; x < visible.width; ++x)
      for (size_t c = 0; c < samples; ++c)
        numbers[x * samples + c] = static_cast<float>(row[x * stride + c]) - ofColumns[x] - ofRows[y];
    linear(numbers.data(), y, samples, visible.width);
    put(numbers.data(), numbers.size() * sizeof(float));
  }
}

// Fails as LibRaw could, within the same limits; the limit is a second of time, so that tests are short.
void misbehave(const std::string& how) {
  constexpr size_t mebibyte = 1 << 20;
  if (how == "crash")
    raise(SIGSEGV);
  if (how == "spin")
    limit(RLIMIT_CPU, 1);
  while (how == "spin")
    getppid();
  for (std::vector<std::vector<char>> taken; how == "memory";)
    taken.emplace_back(mebibyte);
}

void unpack(const char* file, bool wantsPixels, uint64_t memory) {
  const auto raw = std::make_unique<LibRaw>(LIBRAW_OPTIONS_NONE);
  raw->imgdata.params.max_raw_memory_mb = static_cast<unsigned>(memory >> 20U);
  raw->set_dataerror_handler(onDamage, nullptr);
  ExifWriter exif;
  exif.listen(*raw);
  const int opened = raw->open_file(file);
  if (const std::string reason = dngRefusal(exif); !reason.empty())  // LibRaw may not know such a file
    fail(reason);
  check(opened, false);
  if (const std::string reason = refusal(raw->imgdata); !reason.empty())
    fail(reason);
  const libraw_lensinfo_t& lens = raw->imgdata.lens;
  exif.nameLens(textOf(lens.Lens[0] != 0 ? lens.Lens : lens.makernotes.Lens));
  const Visible visible = visibleOf(raw->imgdata, exif);
  const auto orientation = static_cast<uint16_t>(orientationOf(raw->imgdata.sizes.flip));
  const std::string tiff = exif.tiff(orientation, io::mostExifBytes);
  // Of some cameras' files LibRaw knows the levels only then; DNG files state them.
  if (wantsPixels || raw->imgdata.idata.dng_version == 0)
    check(raw->unpack(), true);
  const io::RawMessage message = messageOf(*raw, visible, exif, tiff);
  put(&message, sizeof message);
  put(tiff.data(), tiff.size());
  if (wantsPixels)
    putPixels(*raw, visible, exif, message);
  if (std::fflush(stdout) != 0)
    _exit(1);
  _exit(0);  // LibRaw's destructor may fail over damaged data
}

}  // namespace
}  // namespace lacuna::raw

int main(int count, char** words) {
  using namespace lacuna::raw;
  constexpr int expected = 5;
  if (count != expected)
    fail("usage: lacuna-raw FILE header|pixels MIB SECONDS");
  const uint64_t memory = std::strtoull(words[3], nullptr, 10) << 20U;
  const uint64_t seconds = std::strtoull(words[4], nullptr, 10);
  limit(RLIMIT_AS, memory);
  limit(RLIMIT_CPU, seconds);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, 0);
  try {
    if (const char* how = std::getenv(lacuna::io::rawTestVariable))
      misbehave(how);
    unpack(words[1], std::strcmp(words[2], "pixels") == 0, memory);
  } catch (const std::bad_alloc&) {
    fail(tooLarge);
  } catch (...) {
    fail("LibRaw fails on this");
  }
}
