#pragma once
// The measured convention of a sequence's motion vectors: the right one leads to the same surface in the
// previous frame.

#include <array>
#include <map>
#include <optional>
#include <string>

#include "modules/codecs/image_file.h"

namespace lacuna {

struct MotionGuess {
  MotionConvention convention = MotionConvention::pixels;
  std::array<float, 2> scale = {1.0F, 1.0F};  // -1 -1 if the vectors lead from the frame before to this one,
                                              // 2 2 if they span half a frame
  double mismatch = 0;  // mean difference from the frame before over moving pixels, 0 to 1
  MotionConvention used = MotionConvention::pixels;  // the one in use
  double mismatchAsUsed = 0;                         // the same with it
  // The next best one, and its mismatch.
  MotionConvention second = MotionConvention::pixels;
  std::array<float, 2> secondScale = {1.0F, 1.0F};
  double mismatchOfSecond = 1;
  bool isCertain = true;  // whether that is clearly worse
  bool asUsed = true;     // whether the convention in use is right, or no clearly better one was found
  bool fits = true;       // clearly better than no motion at all
};

// The EXR files of a frame's planes: the picture's, and others by plane.
struct FrameFiles {
  std::string picture;
  std::map<std::string, std::string> planes = {};

  const std::string& of(const std::string& plane) const {
    const auto own = planes.find(plane);
    return own != planes.end() ? own->second : picture;
  }
};

// Tries units, signs of both axes, and vectors of a whole or half a frame.
// `before` and `frame`: neighbouring frames of one size, with motion. `used`: how motion is read, or would
// be. nullopt if hardly anything moves, or if neither albedo, normals nor depth can be compared. Throws
// FileError.
std::optional<MotionGuess> guessMotion(const FrameFiles& before, const FrameFiles& frame,
                                       const ReadOptions& used = {});

}  // namespace lacuna
