#pragma once
// lacuna denoise in a separate folder, and files for it.

#include "tests/support/program.h"

namespace lacuna::test {

// A surface that moves by (3, `stepY`) pixels a frame, with the motion vectors of a convention.
inline void writeMovingFrame(const std::string& path, int frame, float motionX, float motionY,
                             int stepY = -2) {
  constexpr Extent extent{48, 40};
  const size_t count = size_t{extent.width} * extent.height;
  std::vector<float> colour(4 * count), albedo(4 * count), normal(4 * count), depth(count), motion(2 * count);
  for (size_t i = 0; i < count; ++i) {
    const int x = static_cast<int>(i % extent.width) - 3 * frame + 1000;
    const int y = static_cast<int>(i / extent.width) - stepY * frame + 1000;
    const float tile = static_cast<float>((x / 4 * 7 + y / 4 * 13) % 11) / 11.0F;
    for (size_t c = 0; c < 3; ++c) {
      albedo[4 * i + c] = tile;
      colour[4 * i + c] = tile * (0.5F + static_cast<float>((x * 31 + y * 17 + frame * 7) % 13) / 13.0F);
    }
    colour[4 * i + 3] = 1.0F;
    normal[4 * i + 2] = 1.0F;
    depth[i] = 2.0F + tile;
    motion[2 * i] = motionX;
    motion[2 * i + 1] = motionY;
  }
  const auto plane = [](const char* name, Channels channels, const std::vector<float>& values) {
    return NamedImage{
        name,
        {channels, Format::f32, name == std::string("output") ? ColourTag::rec709 : ColourTag::data, extent},
        std::as_bytes(std::span(values))};
  };
  writeImage("exr", path,
             {plane("output", Channels::rgba, colour), plane("albedo", Channels::rgb, albedo),
              plane("normal", Channels::normal, normal), plane("depth", Channels::depth, depth),
              plane("motion", Channels::mv, motion)});
}

class Denoise : public testing::Test {
 public:
  static constexpr Extent extent{48, 40};

 protected:
  // The folder is the current one.
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), "denoise");
    return runProgram(words, {folder_.path()});
  }

  void writeMoving(const std::string& pattern, int first, int count, float motionX, float motionY) const {
    for (int i = 0; i < count; ++i)
      writeMovingFrame(folder_.file(framePath(pattern, first + i)), i, motionX, motionY);
  }

  bool exists(const std::string& name) const { return fs::exists(folder_.file(name)); }

  const Folder folder_;
};

}  // namespace lacuna::test
