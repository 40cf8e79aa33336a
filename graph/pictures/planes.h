#pragma once
// What a picture that is denoised has beside its colour. Installed: lacuna.h includes it.

#include <string>
#include <string_view>
#include <vector>

namespace lacuna {

enum class Histogram { none, ofFile, ofOtherFile, ofFrames };

struct Planes {
  bool sceneLinear = false;
  bool albedo = false, normal = false, depth = false, motion = false;
  bool sequence = false;
  bool deep = false;  // more than 8 bits a channel
  Histogram histogram = Histogram::none;
  bool raw = false;       // a mosaic, of which demosaic:01 makes the colours, and rawprep:01 knows the noise
  bool inMemory = false;  // each comes from a source in memory of its name, not all from i-file:in
};

std::vector<std::string_view> guidesOf(const Planes& planes);  // of albedo, normal and depth those it has
// Those of `planes` that `others` lacks: "albedo, normal and depth"; "" for none.
std::string guidesBeside(const Planes& planes, const Planes& others);

// Of these planes those that cnn-unet has weights of its own for.
Planes takenByUnet(const Planes& planes);

}  // namespace lacuna
