#pragma once
// Image files: probed before anything is allocated, read into the caller's memory, written complete or not at
// all. Codecs are called as in modules/codecs/formats: "png", "jpg", ...

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
#include "graph/values/image_type.h"

namespace lacuna {

// The convention of a renderer's motion vectors. Inside Lacuna: previous position = position + motion, in
// pixels, x to the right and y down.
enum class MotionConvention {
  pixels,   // as inside
  blender,  // pixels, y up
  uv,       // shares of the width and the height, y down
  ndc,      // shares of half the width and half the height, y up
};

inline constexpr std::array motionConventions = {MotionConvention::pixels, MotionConvention::blender,
                                                 MotionConvention::uv, MotionConvention::ndc};

// Factors that convert x and y to the convention inside Lacuna.
std::array<float, 2> motionFactors(MotionConvention convention, Extent extent);

// "motion:blender" or "motion:pixels and motion_scale:-1:-1": as a user writes it.
std::string asParameters(MotionConvention convention, const std::array<float, 2>& scale);

std::string_view nameOf(MotionConvention convention);
std::optional<MotionConvention> motionConventionFromName(std::string_view name);

// The most pixels, and pixels on a side, of a file; larger ones are refused before anything is allocated.
constexpr uint32_t maximumSide = 65535;
constexpr uint64_t maximumPixels = uint64_t{1} << 31;

// Called for pictures that pass through memory in rows, from the top. A reader calls it when the rows above
// `end` are complete: they may be gone when it returns, and those below may not be touched before. A writer
// calls it before it reads the rows above `end`; those above the last call's may be gone. Throws if the run
// has ended.
using OnRows = std::function<void(uint32_t end)>;

// How to read files that don't state this themselves.
struct ReadOptions {
  bool orientation = true;  // PNG, JPEG: turned upright, as Exif says
  // Colours by the file's ICC profile (or gAMA and cHRM of PNG files): colours other than sRGB or Rec. 2020
  // with the sRGB curve are converted to the latter in 16 bit. EXR: likewise by its chromaticities, without a
  // bound. If false, values are taken as sRGB, or Rec. 709.
  bool profile = true;
  bool own = false;  // with `profile`: not converted, but delivered unchanged, with the tag `own`
  int page = 0;      // of files with several pictures, from 1; 0: the only one
  // NPY: the components of an image; by default y, mv, rgb or rgba by their number.
  std::optional<Channels> channels = {};
  ColourTag colour = ColourTag::data;
  // EXR: the layer of a plane, if its name is unknown to findExrPlane().
  std::map<std::string, std::string> layers = {};
  // EXR: the convention of motion; by default from its channels' names. A scale other than 1 1 is the whole
  // conversion unless `motion` is given, too.
  std::optional<MotionConvention> motion = {};
  std::array<float, 2> motionScale = {1.0F, 1.0F};
  // EXR: the picture is the file's data windows together; if framed, with the display window, too, so that
  // pictures of a sequence whose data windows differ have the same place.
  bool framed = false;
  // Empty, or not called: the picture is whole.
  OnRows rows = {};
  // Called for damaged Exif data and profiles, which are not used; the picture is still read.
  std::function<void(const std::string&)> warn = {};

  bool scalesMotion() const { return motionScale != std::array{1.0F, 1.0F}; }
};

// The convention by `options`, for a file whose channels' names mean `byNames`.
inline MotionConvention conventionOf(const ReadOptions& options, MotionConvention byNames) {
  return options.motion.value_or(options.scalesMotion() ? MotionConvention::pixels : byNames);
}

// The types that the file will deliver, from its header alone: one for each plane in `wanted`. EXR files hold
// the planes output, direct, indirect, albedo, normal, depth, gradient, id, motion, moments and histogram;
// NPY files hold one image, also available as "array", without its shape as an image; the other codecs hold
// one image, which any name means ("output" if `wanted` is empty). Throws FileError, also where the planes
// take more than readMemory() (graph/files/memory_bound.h).
std::map<std::string, ValueType> probeImage(const std::string& codec, const std::string& path,
                                            const std::vector<std::string>& wanted,
                                            const ReadOptions& options = {});

struct PlaneTarget {
  std::string name;
  ValueType expected;                // as probed; if the file has changed since, that is an error
  std::span<std::byte> destination;  // byteSize(expected) bytes
};

// Pixels in rows from the top, words as in module/image_type.h. Three components are stored as four, the
// fourth 0; colour without alpha gets alpha 1 (255, 65535). A histogram is planes. The options are those of
// the probe. Throws FileError; destinations are then undefined.
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
  bool isRaw = false;  // PNG, JPEG: whether its values were read unchanged, not decoded
};

struct WriteOptions {
  int quality = 95;     // of lossy compression, 1..100
  int compression = 1;  // PNG, 0 (none) to 9 (smallest); 1 is fast
  bool linear = false;  // PNG, JPEG: values are not sRGB-encoded, so the file must not claim that
  // OpenEXR: none, rle, zips, zip, piz, pxr24, b44, b44a, dwaa, dwab; auto: the origin's if it is lossless,
  // else zip
  std::string exrCompression = "auto";
  std::string tiffCompression = "auto";  // none, lzw, deflate, packbits, zstd, jpeg; auto: the origin's
  std::string lossless = "auto";         // formats with both: yes, no; auto: as the origin in this format
  // The kept data: grey and alpha (if the picture allows it), Exif, XMP, text, density, the colour profile if
  // values are still in its space; OpenEXR attributes and, if keepsLayers, all channels that are not written
  // here, if the size is still the same. Without an origin nothing is kept.
  std::optional<Origin> origin = {};
  bool keepsLayers = true;
  // The file whose profile or chromaticities are written for values of the tag `own`, and for those of
  // OpenEXR files without them; also if nothing else is kept.
  std::optional<Origin> colours = {};
  // For codecs that write rows; empty if the picture is whole. Grey and alpha are then the origin's; rows(0)
  // reports that the picture differs in these, and must be whole.
  OnRows rows = {};
  // Called for metadata that can't be kept.
  std::function<void(const std::string&)> warn = {};
};

// Writes `path`.part and renames it (graph/files/part_file.h); a failed write leaves neither. Throws
// FileError. png: one rgba image, u8 or u16; alpha is written if some pixel is not opaque, or the origin has
// it. jpeg: rgba u8, without alpha. Both write the colour tag: sRGB, else an ICC profile; data gets neither.
// pfm: f16 or f32; one component gives a grey file, three or four a colour one. exr: f16 is written as half,
// f32 as float, ids (u32) as uint; depth, motion and moments as float anyway; colour must be rgba, or y. A
// histogram is planes of f32 of the other images' size, or an array of that many numbers.
void writeImage(const std::string& codec, const std::string& path, const std::vector<NamedImage>& planes,
                const WriteOptions& options = {});

// The codec for a file's first bytes. Throws FileError if there is none.
std::string codecOfFile(const std::string& path);
bool isImageFile(const std::string& path);  // it exists, and codecOfFile() knows it

// Any of the codecs, selected by the file's first bytes. PNG and JPEG are decoded from sRGB; from an OpenEXR
// file the colour is read; one component counts as grey; alpha is omitted. Throws FileError.
ColourImage loadColour(const std::string& path, const ReadOptions& options = {});

}  // namespace lacuna
