#pragma once
// Image files: probed before anything is allocated, read into memory of the caller, written complete or not
// at all. Codecs: "png", "jpeg", "pfm", "exr".

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "graph/files/file_name.h"
#include "graph/module/image_type.h"

namespace lacuna {

// Sides and pixels that a file may have; more is refused before anything is allocated.
constexpr uint32_t maximumSide = 65535;
constexpr uint64_t maximumPixels = uint64_t{1} << 31;

// What the file will deliver, from its header alone: a type for each plane in `wanted`. EXR files hold the
// planes output, albedo, normal, depth, motion and histogram; the other codecs hold one image, which answers
// to any name (and to "output" where `wanted` is empty). Throws FileError.
std::map<std::string, ValueType> probeImage(const std::string& codec, const std::string& path,
                                            const std::vector<std::string>& wanted);

struct PlaneTarget {
  std::string name;
  ValueType expected;                // as probed; the file having changed since is an error
  std::span<std::byte> destination;  // byteSize(expected) bytes
};

// Pixels in rows from the top, words as module/image_type.h says. Three components are stored as four, the
// fourth 0; colour without alpha gets alpha 1 (255, 65535). A histogram's bins lie plane after plane.
// The file is read once for all targets. Throws FileError; destinations then hold anything.
void readImage(const std::string& codec, const std::string& path, std::span<const PlaneTarget> targets);
void readImage(const std::string& codec, const std::string& path, const std::string& plane,
               const ValueType& expected, std::span<std::byte> destination);

struct NamedImage {
  std::string name;  // EXR: output or input (colour), albedo, normal, depth, motion; else anything
  ValueType type;
  std::span<const std::byte> pixels;
};

struct WriteOptions {
  int quality = 95;     // JPEG, 1..100
  bool linear = false;  // PNG: values are not sRGB-encoded, so the file must not say so
};

// Writes `path`.part-<pid> and renames it; a failed write leaves neither. Throws FileError.
// png: one rgba image, u8 or u16; alpha is written where some pixel is not opaque. jpeg: rgba u8, alpha left
// out. pfm: f16 or f32; one component gives a grey file, three or four a colour one. exr: f16 is written as
// half, f32 as float; colour must be rgba, or y.
void writeImage(const std::string& codec, const std::string& path, const std::vector<NamedImage>& planes,
                const WriteOptions& options = {});

// The codec that a file's first bytes ask for. Throws FileError where there is none.
std::string codecOfFile(const std::string& path);

}  // namespace lacuna
