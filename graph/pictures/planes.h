#pragma once
// The planes of a picture beside its colour. Installed: lacuna.h includes it.

#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class Histogram { none, ofFile, ofOtherFile, ofFrames };

struct Planes {
  bool sceneLinear = false;
  bool numbers = false;  // of any meaning, without a bound
  bool grey = false;     // one channel of light; sceneLinear
  bool albedo = false, normal = false, depth = false, motion = false;
  bool sequence = false;
  bool deep = false;     // more than 8 bits a channel
  bool bounded = false;  // a picture for viewing: values below 0 and above 1 were cut off
  Histogram histogram = Histogram::none;
  bool raw = false;         // a mosaic, whose colours demosaic:01 makes, and whose noise rawprep:01 states
  bool bayer = false;       // beside it: of 2x2 colours
  bool noise = false;       // for a network of photographs, which reads their noise
  bool demosaiced = false;  // a camera's colours, full at different values; highlights:01 rebuilds them
  bool inMemory = false;    // each comes from a source in memory of its name, not all from i-file:in
  bool alpha = false;       // beside scene-linear colour: a mean of samples, with their noise
  bool fast = false;        // for wiener, in an eighth of the time
  bool bare = false;        // for a network of others, before and behind which nothing changes colours
  bool mixed = false;       // a still of cnn-unet with svgf's result: its guides were looked at
  bool noisyNormal = false, noisyDepth = false;  // not of the above, because only svgf takes noisy ones
};

// Those of albedo, normal and depth that it has.
std::vector<std::string_view> guidesOf(const Planes& planes);
// Those of `planes` that `others` lacks: "albedo, normal and depth"; "" for none.
std::string guidesBeside(const Planes& planes, const Planes& others);

bool isOverTime(const Planes& planes);  // a sequence with motion
// Those planes for which cnn-unet has its own weights.
Planes takenByUnet(const Planes& planes);

}  // namespace lacuna
