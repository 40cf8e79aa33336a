#pragma once
// Image files: probed before anything is allocated, read into memory of the caller, written complete or not
// at all. Codecs are called as in modules/codecs/formats: "png", "jpg", ...

#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/files/file_name.h"
#include "graph/module/image_type.h"
#include "graph/pictures/colour_image.h"

namespace lacuna {

// What a renderer's motion vectors mean. Inside Lacuna: previous position = position + motion, in pixels, x
// to the right and y down.
enum class MotionConvention {
  pixels,   // as inside
  blender,  // pixels, y up
  uv,       // shares of the width and the height, y down
  ndc,      // shares of half the width and half the height, y up
};

inline constexpr std::array motionConventions = {MotionConvention::pixels, MotionConvention::blender,
                                                 MotionConvention::uv, MotionConvention::ndc};

// What x and y are multiplied by, to mean what they do inside.
std::array<float, 2> motionFactors(MotionConvention convention, Extent extent);

// "motion:blender" or "motion:pixels and motion_scale:-1:-1": what a user writes.
std::string asParameters(MotionConvention convention, const std::array<float, 2>& scale);

std::string_view nameOf(MotionConvention convention);
std::optional<MotionConvention> motionConventionFromName(std::string_view name);

// Sides and pixels that a file may have; more is refused before anything is allocated.
constexpr uint32_t maximumSide = 65535;
constexpr uint64_t maximumPixels = uint64_t{1} << 31;

// How files are read that leave it open.
struct ReadOptions {
  bool orientation = true;  // PNG, JPEG: turned upright, as Exif says
  // Colours by the file's ICC profile (or gAMA and cHRM of PNG files): what is not sRGB or Rec. 2020 with the
  // sRGB curve is converted to the latter in 16 bit. EXR: likewise by its chromaticities, without a bound.
  // False: taken as sRGB, or Rec. 709.
  bool profile = true;
  bool own = false;  // with `profile`: not converted, but delivered as they are, with the tag `own`
  // NPY: what the components of an image mean; if not given y, mv, rgb or rgba by their number.
  std::optional<Channels> channels = {};
  ColourTag colour = ColourTag::data;
  // EXR: the layer of a plane, if its name is none that findExrPlane() knows.
  std::map<std::string, std::string> layers = {};
  // EXR: what motion means; if not given as its channels' names say. A scale other than 1 1 is the whole
  // conversion unless `motion` is given, too.
  std::optional<MotionConvention> motion = {};
  std::array<float, 2> motionScale = {1.0F, 1.0F};
  // Told of Exif data and profiles that are damaged and not used; the picture is there all the same.
  std::function<void(const std::string&)> warn = {};
  // Told of what its pixels show while they are read, by a text that is the same for all frames.
  std::function<void(const std::string&)> warnOfPixels = {};

  bool scalesMotion() const { return motionScale != std::array{1.0F, 1.0F}; }
  void complain(const std::string& text) const {
    if (warn)
      warn(text);
  }
};

// The one that `options` mean for a file whose channels' names mean `byNames`.
inline MotionConvention conventionOf(const ReadOptions& options, MotionConvention byNames) {
  return options.motion.value_or(options.scalesMotion() ? MotionConvention::pixels : byNames);
}

// What the file will deliver, from its header alone: a type for each plane in `wanted`. EXR files hold the
// planes output, direct, indirect, albedo, normal, depth, gradient, id, motion, moments and histogram; NPY
// files hold one image, which answers as "array" to its numbers alone; the other codecs hold one image, which
// answers to any name (and to "output" where `wanted` is empty). Throws FileError, also where the planes take
// more than readMemory() (graph/files/memory_bound.h).
std::map<std::string, ValueType> probeImage(const std::string& codec, const std::string& path,
                                            const std::vector<std::string>& wanted,
                                            const ReadOptions& options = {});

struct PlaneTarget {
  std::string name;
  ValueType expected;                // as probed; the file having changed since is an error
  std::span<std::byte> destination;  // byteSize(expected) bytes
};

// Pixels in rows from the top, words as module/image_type.h says. Three components are stored as four, the
// fourth 0; colour without alpha gets alpha 1 (255, 65535). A histogram is planes.
// The options are those of the probe. Throws FileError; destinations then hold anything.
void readImage(const std::string& codec, const std::string& path, std::span<const PlaneTarget> targets,
               const ReadOptions& options = {});
void readImage(const std::string& codec, const std::string& path, const std::string& plane,
               const ValueType& expected, std::span<std::byte> destination, const ReadOptions& options = {});

struct NamedImage {
  std::string name;  // EXR: output or input (colour), or another plane of probeImage(); else anything
  ValueType type;
  std::span<const std::byte> pixels;
};

// The file that a picture comes from, and how it was read.
struct Origin {
  std::string path = {};
  std::string plane = "output";
  ReadOptions read = {};
  bool isRaw = false;  // PNG, JPEG: its values were taken as they are, not decoded
};

struct WriteOptions {
  int quality = 95;     // JPEG, 1..100
  int compression = 1;  // PNG, 0 (none) to 9 (smallest); 1 is fast
  bool linear = false;  // PNG, JPEG: values are not sRGB-encoded, so the file must not say so
  // OpenEXR: none, rle, zips, zip, piz, pxr24, b44, b44a, dwaa, dwab; auto: that of the origin where it loses
  // nothing, else zip
  std::string exrCompression = "auto";
  // What of it is kept: grey and alpha (as far as the picture allows), Exif, XMP, text, density, the colour
  // profile where values are still in its space; OpenEXR attributes and, if keepsLayers, all channels that
  // are not written here, if the size is still the same. None: nothing.
  std::optional<Origin> origin = {};
  bool keepsLayers = true;
  // Whose profile or chromaticities are written for values of the tag `own`, and for those of OpenEXR files
  // that have none; also where nothing else is kept.
  std::optional<Origin> colours = {};
  // Told of what can't be kept.
  std::function<void(const std::string&)> warn = {};
};

// Writes `path`.part and renames it (graph/files/part_file.h); a failed write leaves neither. Throws
// FileError. png: one rgba image, u8 or u16; alpha is written where some pixel is not opaque, or the origin
// has it. jpeg: rgba u8, alpha left out. Both say what the colour tag means: sRGB, else an ICC profile; data
// gets neither. pfm: f16 or f32; one component gives a grey file, three or four a colour one. exr: f16 is
// written as half, f32 as float, ids (u32) as uint; depth, motion and moments as float anyway; colour must be
// rgba, or y. A histogram is planes of f32 of the other images' size, or an array of as many numbers.
void writeImage(const std::string& codec, const std::string& path, const std::vector<NamedImage>& planes,
                const WriteOptions& options = {});

// The codec that a file's first bytes ask for. Throws FileError where there is none.
std::string codecOfFile(const std::string& path);
bool isImageFile(const std::string& path);  // it is there, and codecOfFile() knows it

// Any of the codecs, told by the file's first bytes. PNG and JPEG are decoded from sRGB; of an OpenEXR file
// the colour is read; one component is taken as grey; alpha is left out. Throws FileError.
ColourImage loadColour(const std::string& path, const ReadOptions& options = {});

}  // namespace lacuna
