#include "tests/reference/random_surfaces.h"

#include <cmath>
#include <limits>

#include "tests/reference/svgf_surface.h"

namespace lacuna::test {
namespace {

// A number that doesn't change when rounded up or down by some units in the last place.
bool isClear(float code) {
  const float part = code - std::floor(code);
  return part > 0.001F && part < 0.999F;
}

}  // namespace

RandomSurfaces::RandomSurfaces(std::mt19937_64& random, Extent extent) : random_(random), extent_(extent) {
  edge_ = uniform(random, 0.2, 0.8) * extent.width;
  for (Side& side : sides_) {
    for (double& c : side.normal)
      c = uniform(random, -1.0, 1.0);
    side.depth = uniform(random, 0.5, 20.0);
    side.slope = uniform(random, 0.0, 0.02) * side.depth;
    side.id = uniform(random, 0.0, 1000.0);
  }
}

std::map<std::string, Image> RandomSurfaces::frame(bool withId) {
  const double shift[2] = {uniform(random_, -2.0, 2.0), uniform(random_, -2.0, 2.0)};
  const Extent e = extent_;
  std::map<std::string, Image> images;
  images["in"] = randomImage(random_, Channels::rgba, Format::f32, e, pick(random_, 0, 1) == 1);
  images["albedo"] = makeImage(Channels::rgb, Format::f32, e, ColourTag::data);
  images["normal"] = makeImage(Channels::normal, Format::f32, e, ColourTag::data);
  images["depth"] = makeImage(Channels::depth, Format::f32, e, ColourTag::data);
  images["motion"] = makeImage(Channels::mv, Format::f32, e, ColourTag::data);
  if (withId)
    images["id"] = makeImage(Channels::y, Format::f32, e, ColourTag::data);
  for (uint32_t y = 0; y < e.height; ++y)
    for (uint32_t x = 0; x < e.width; ++x)
      setPixel(images, x, y, shift);
  clearSlopes(images.at("depth"));
  return images;
}

void RandomSurfaces::setDepth(Image& image, uint32_t x, uint32_t y) {
  const Side& side = sides_[x < edge_ ? 0 : 1];
  const double rough = uniform(random_, 0.0, 0.01 * side.depth);
  image.set(x, y, 0, side.depth + side.slope * (x + 0.5 * y) + rough);
}

// Changes depths where rounding would decide on a slope; neighbours are then checked again.
void RandomSurfaces::clearSlopes(Image& depth) {
  Picture picture = pictureOf(depth);
  for (bool isClear = false; !isClear;) {
    isClear = true;
    for (int y = 0; y < picture.height; ++y) {
      for (int x = 0; x < picture.width; ++x) {
        const auto px = static_cast<uint32_t>(x);
        const auto py = static_cast<uint32_t>(y);
        if (!std::isnan(*picture.at(x, y)) && !svgfSlopeIsClear(picture, nullptr, x, y)) {
          setDepth(depth, px, py);
          *picture.at(x, y) = depth.at(px, py, 0);
          isClear = false;
        }
      }
    }
  }
}

void RandomSurfaces::addGradient(std::map<std::string, Image>& images) {
  const Picture depth = pictureOf(images.at("depth"));
  Image& image = images["gradient"] = makeImage(Channels::any2, Format::f32, extent_, ColourTag::data);
  Picture gradient = pictureOf(image);
  for (uint32_t y = 0; y < extent_.height; ++y) {
    for (uint32_t x = 0; x < extent_.width; ++x) {
      const int px = static_cast<int>(x);
      const int py = static_cast<int>(y);
      do {
        for (int c = 0; c < 2; ++c) {
          image.set(x, y, c, uniform(random_, -0.1, 0.1) * sides_[0].depth);
          gradient.at(px, py)[c] = image.at(x, y, c);
        }
      } while (!std::isnan(*depth.at(px, py)) && !svgfSlopeIsClear(depth, &gradient, px, py));
      constexpr double odd[] = {std::numeric_limits<double>::quiet_NaN(),
                                std::numeric_limits<double>::infinity()};
      if (pick(random_, 0, 9) == 0)
        image.set(x, y, pick(random_, 0, 1), odd[pick(random_, 0, 1)]);
    }
  }
}

void RandomSurfaces::setPixel(std::map<std::string, Image>& images, uint32_t x, uint32_t y,
                              const double shift[2]) {
  const Side& side = sides_[x < edge_ ? 0 : 1];
  const bool hole = pick(random_, 0, 99) == 0;
  const bool black = pick(random_, 0, 19) == 0;
  for (int c = 0; c < 3; ++c)
    images.at("albedo").set(x, y, c, black ? 0.0 : uniform(random_, -0.1, 1.2));
  setNormal(images.at("normal"), x, y, side, hole);
  setDepth(images.at("depth"), x, y);
  if (hole)
    images.at("depth").set(x, y, 0, std::nan(""));
  for (int c = 0; c < 2; ++c) {
    const bool whole = pick(random_, 0, 3) == 0;
    const double motion = shift[c] + uniform(random_, -0.1, 0.1);
    // Near whole numbers rounding decides which pixels are tapped; whole ones are exact.
    const double part = motion - std::floor(motion);
    images.at("motion").set(x, y, c, whole || part < 0.01 || part > 0.99 ? std::round(motion) : motion);
  }
  if (images.count("id") > 0)
    images.at("id").set(x, y, 0, side.id);
}

void RandomSurfaces::setNormal(Image& image, uint32_t x, uint32_t y, const Side& side, bool hole) {
  float codes[2] = {};
  do {
    double stored[3];
    for (int c = 0; c < 3; ++c) {
      image.set(x, y, c, hole ? 0.0 : side.normal[c] + uniform(random_, -0.1, 0.1));
      stored[c] = image.at(x, y, c);
    }
    svgfNormalCodes(stored, codes);
  } while (!hole && !(isClear(codes[0]) && isClear(codes[1])));
}

SvgfFrame frameOf(const std::map<std::string, Image>& images) {
  const Image& colour = images.at("in");
  const auto plane = [&](const std::string& name, int components) {
    const auto found = images.find(name);
    return found != images.end() ? pictureOf(found->second)
                                 : Picture(static_cast<int>(colour.type.extent.width),
                                           static_cast<int>(colour.type.extent.height), components);
  };
  SvgfFrame frame;
  frame.colour = pictureOf(colour);
  frame.albedo = plane("albedo", 3);
  frame.normal = plane("normal", 3);
  frame.depth = plane("depth", 1);
  frame.motion = plane("motion", 2);
  frame.hasAlbedo = images.count("albedo") > 0;
  frame.hasMotion = images.count("motion") > 0;
  if (images.count("id") > 0)
    frame.id = pictureOf(images.at("id"));
  if (images.count("gradient") > 0)
    frame.gradient = pictureOf(images.at("gradient"));
  return frame;
}

}  // namespace lacuna::test
