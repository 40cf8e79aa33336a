// tonemap and blend against their formulas in double precision: 1e-4 relative in f32, one step in half.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/reference/reference.h"

namespace lacuna::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The rows of Y in the matrices to XYZ from the primaries of BT.709 and BT.2020.
std::array<double, 3> weightsOf(ColourTag tag) {
  return tag == ColourTag::rec2020 ? std::array<double, 3>{0.2627002, 0.6779981, 0.0593017}
                                   : std::array<double, 3>{0.2126390, 0.7151687, 0.0721923};
}

double luminance(const double* v, int components, ColourTag tag) {
  if (components == 1)
    return v[0];
  const auto w = weightsOf(tag);
  return w[0] * v[0] + w[1] * v[1] + w[2] * v[2];
}

// Float's own error stays where large values cancel.
void expectClose(const Image& device, const Picture& reference, double magnitude) {
  const Deviation d = deviation(device, reference, [&](int, int, int, double b) {
    return device.type.format == Format::f16 ? halfStep(b) + 1e-6 * magnitude
                                             : 1e-4 * std::max(std::abs(b), 0.01) + 1e-6 * magnitude;
  });
  EXPECT_LE(d.worst, 1.0) << d.where;
}

class DisplayReference : public testing::TestWithParam<int> {
 protected:
  std::mt19937_64& random_ = testRandom();
  Extent extent_ = extentOfCase(GetParam(), random_);
  Format format_ = GetParam() % 2 == 0 ? Format::f32 : Format::f16;
};

double hablesRational(double v) {
  const double A = 0.15, B = 0.5, C = 0.1, D = 0.2, E = 0.02, F = 0.3;
  return (v * (A * v + C * B) + D * E) / (v * (A * v + B) + D * F) - E / F;
}

struct ToneCurve {
  std::string name;
  std::function<double(double x, double white)> f;
  double white;
};

const std::vector<ToneCurve>& toneCurves() {
  static const std::vector<ToneCurve> curves = {
      {"aces", [](double x, double) { return x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14); },
       (0.56 + std::sqrt(0.56 * 0.56 + 4 * 0.08 * 0.14)) / 0.16},
      {"hable", [](double x, double) { return hablesRational(2.0 * x); }, 5.6},
      {"reinhard", [](double x, double w) { return x * (1.0 + x / (w * w)) / (1.0 + x); }, 4.0}};
  return curves;
}

double mapped(const ToneCurve& curve, double x, double white) {
  const double v = x > 0.0 ? std::min(x, white) : 0.0;  // NaN is 0
  return curve.f(v, white) / curve.f(white, white);
}

void tonemap(const ToneCurve& curve, double white, bool perChannel, ColourTag tag, double gain, double* v,
             int components) {
  const int colours = std::min(components, 3);
  const double cover = components == 4 && v[3] >= 0.01F && v[3] < 1.0 ? v[3] : 1.0;
  gain /= cover;
  if (perChannel || components == 1) {
    for (int c = 0; c < colours; ++c)
      v[c] = mapped(curve, v[c] * gain, white) * cover;
    return;
  }
  for (int c = 0; c < colours; ++c)
    v[c] = v[c] > 0.0 ? std::min(v[c] * gain, 1e18) : 0.0;
  const double y = luminance(v, components, tag);
  for (int c = 0; c < colours; ++c)
    v[c] = y > 0.0 ? v[c] * (mapped(curve, y, white) / y) * cover : 0.0;
}

TEST_P(DisplayReference, Tonemap) {
  static const Channels channels[] = {Channels::rgba, Channels::rgb, Channels::y};
  Image image = randomImage(random_, channels[GetParam() % 3], format_, extent_, true);
  if (GetParam() % 3 != 2)
    image.type.colour = pick(random_, 0, 1) == 0 ? ColourTag::rec709 : ColourTag::rec2020;
  const ToneCurve& curve = toneCurves()[static_cast<size_t>(GetParam()) / 2];
  const bool perChannel = pick(random_, 0, 1) == 0;
  const double stops = uniform(random_, -3.0, 3.0);
  const double white = pick(random_, 0, 1) == 0 ? 0.0 : uniform(random_, 0.5, 20.0);
  const std::string parameters = fmt::format(
      "param:tonemap:01:curve:{}\nparam:tonemap:01:apply_to:{}\n"
      "param:tonemap:01:exposure:{:.9f}\nparam:tonemap:01:white:{:.9f}\n",
      curve.name, perChannel ? "channels" : "luminance", stops, white);
  Picture reference = pictureOf(image);
  for (size_t i = 0; i < reference.values.size(); i += static_cast<size_t>(reference.components)) {
    tonemap(curve, white > 0.0 ? white : curve.white, perChannel, image.type.colour, std::exp2(stops),
            &reference.values[i], reference.components);
  }
  roundTo(reference, format_);
  const Image device = run(graphAround("tonemap", image, parameters), "auto").at("out");
  SCOPED_TRACE(parameters);
  expectClose(device, reference, 1.0);
  const Picture shown = pictureOf(device);
  for (size_t i = 0; i < shown.values.size(); ++i) {
    const bool isAlpha = shown.components == 4 && i % 4 == 3;
    const double most = perChannel || shown.components == 1 ? 1.0 + 1e-6 : 65504.0;
    ASSERT_TRUE(isAlpha || (shown.values[i] >= 0.0 && shown.values[i] <= most)) << shown.values[i];
  }
}

double screen(double b, double s) {
  return b + s - b * s;
}
double hardLight(double b, double s) {
  return s <= 0.5 ? b * 2.0 * s : screen(b, 2.0 * s - 1.0);
}
double softLight(double b, double s) {
  if (s <= 0.5)
    return b - (1.0 - 2.0 * s) * b * (1.0 - b);
  const double d = b <= 0.25 ? ((16.0 * b - 12.0) * b + 4.0) * b : std::sqrt(b);
  return b + (2.0 * s - 1.0) * (d - b);
}

using Mode = std::pair<std::string, std::function<double(double b, double s)>>;
const std::vector<Mode>& modes() {
  static const std::vector<Mode> list = {
      {"normal", [](double, double s) { return s; }},
      {"add", [](double b, double s) { return b + s; }},
      {"multiply", [](double b, double s) { return b * s; }},
      {"screen", screen},
      {"overlay", [](double b, double s) { return hardLight(s, b); }},
      {"darken", [](double b, double s) { return std::min(b, s); }},
      {"lighten", [](double b, double s) { return std::max(b, s); }},
      {"color-dodge",
       [](double b, double s) { return b <= 0.0   ? 0.0
                                       : s >= 1.0 ? 1.0
                                                  : std::min(1.0, b / (1.0 - s)); }},
      {"color-burn",
       [](double b, double s) {
         return b >= 1.0 ? 1.0 : s <= 0.0 ? 0.0 : 1.0 - std::min(1.0, (1.0 - b) / s);
       }},
      {"hard-light", hardLight},
      {"soft-light", softLight},
      {"difference", [](double b, double s) { return std::abs(b - s); }},
      {"exclusion", [](double b, double s) { return b + s - 2.0 * b * s; }}};
  return list;
}

std::array<double, 4> asColour(const Picture& picture, int x, int y) {
  const double* v = picture.at(x, y);
  switch (picture.components) {
    case 1:
      return {v[0], v[0], v[0], 1.0};
    case 3:
      return {v[0], v[1], v[2], 1.0};
    default:
      return {v[0], v[1], v[2], v[3]};
  }
}

// As the recommendation writes it: co = cs as + cb ab (1 - as), cs = (1 - ab) Cs + ab B(Cb, Cs), of which Cs
// as and Cb ab come in. Light without cover is added.
std::array<double, 4> composite(const Mode& mode, const std::array<double, 4>& back,
                                std::array<double, 4> front, double share) {
  for (double& v : front)
    v *= share;
  const double both = front[3] * back[3];
  std::array<double, 4> result{};
  for (size_t c = 0; c < 3; ++c) {
    result[c] = (1.0 - back[3]) * front[c] + (1.0 - front[3]) * back[c];
    result[c] += both > 0.0 ? both * mode.second(back[c] / back[3], front[c] / front[3]) : 0.0;
  }
  result[3] = front[3] + back[3] - both;
  return result;
}

double unit(double v) {
  return v > 0.0 ? std::min(v, 1.0) : 0.0;
}

class BlendReference : public DisplayReference {
 protected:
  // Straight colours and alphas over all of [0, 1], the ends among them. Powers of two divide and multiply
  // without rounding, which modes that jump at 0 and 1 need.
  Image layer(Channels channels) {
    Image image =
        makeImage(channels, format_, extent_, channels == Channels::y ? ColourTag::data : ColourTag::rec709);
    for (uint32_t y = 0; y < extent_.height; ++y) {
      for (uint32_t x = 0; x < extent_.width; ++x) {
        for (int c = 0; c < componentCount(channels); ++c) {
          const int choice = pick(random_, 0, 9);
          image.set(x, y, c, choice < 2 ? choice : uniform(random_, 0.0, 1.0));
        }
        if (channels == Channels::rgba) {
          const double alphas[] = {0.0, 0.25, 0.5, 1.0};
          image.set(x, y, 3, alphas[pick(random_, 0, 3)]);
          for (int c = 0; c < 3; ++c)
            image.set(x, y, c, image.at(x, y, c) * image.at(x, y, 3));
        }
      }
    }
    return image;
  }

  MemoryGraph graph(bool masked) const {
    MemoryGraph result;
    result.text = "i-memory:in blend o-memory:out\ni-memory:back back=blend\n";
    if (masked)
      result.text += "i-memory:mask mask=blend\n";
    return result;
  }
};

TEST_P(BlendReference, EveryMode) {
  static const Channels channels[][3] = {{Channels::rgba, Channels::rgba, Channels::y},
                                         {Channels::rgb, Channels::rgba, Channels::rgba},
                                         {Channels::rgba, Channels::y, Channels::rgb}};
  const auto* types = channels[GetParam() % 3];
  const bool masked = GetParam() != 0;
  MemoryGraph blend = graph(masked);
  blend.sources["in"] = layer(types[0]);
  blend.sources["back"] = layer(types[1]);
  Picture mask(static_cast<int>(extent_.width), static_cast<int>(extent_.height), 1);
  if (masked) {
    blend.sources["mask"] = layer(types[2]);
    mask = pictureOf(blend.sources["mask"]);
  }
  const Picture front = pictureOf(blend.sources["in"]);
  const Picture back = pictureOf(blend.sources["back"]);
  const double opacity = GetParam() == 1 ? 1.0 : uniform(random_, 0.0, 1.0);
  for (const Mode& mode : modes()) {
    SCOPED_TRACE(mode.first);
    Picture reference(front.width, front.height, 4);
    for (int y = 0; y < front.height; ++y) {
      for (int x = 0; x < front.width; ++x) {
        const auto s = asColour(front, x, y);
        const double share =
            opacity * (masked ? unit(luminance(mask.at(x, y), mask.components, ColourTag::rec709)) : 1.0);
        const auto result = composite(mode, asColour(back, x, y), s, share);
        std::copy(result.begin(), result.end(), reference.at(x, y));
      }
    }
    roundTo(reference, format_);
    MemoryGraph given = blend;
    given.text += fmt::format("param:blend:01:mode:{}\nparam:blend:01:opacity:{:.9f}\n", mode.first, opacity);
    const Image device = run(given, "auto").at("out");
    EXPECT_EQ(device.type.channels, Channels::rgba);
    expectClose(device, reference, 2.0);
  }
}

// Where the mask is 0, neither a NaN of the upper image nor a rounding of the lower one shows, even where the
// lower one doesn't cover.
TEST_P(BlendReference, MaskedOutIsNotThere) {
  MemoryGraph blend = graph(true);
  Image front = layer(Channels::rgba);
  const bool covers = GetParam() % 2 == 0;
  const Image back = layer(covers ? Channels::rgb : Channels::rgba);
  Image mask = makeImage(Channels::y, format_, extent_, ColourTag::data);
  for (uint32_t y = 0; y < extent_.height; ++y) {
    for (uint32_t x = 0; x < extent_.width; ++x) {
      front.set(x, y, pick(random_, 0, 3), pick(random_, 0, 1) == 0 ? infinity : std::nan(""));
      mask.set(x, y, 0, pick(random_, 0, 2) == 0 ? 0.0 : -0.5);
    }
  }
  blend.sources = {{"in", front}, {"back", back}, {"mask", mask}};
  blend.text += "param:blend:01:mode:soft-light\n";
  const Image device = run(blend, "auto").at("out");
  for (uint32_t y = 0; y < extent_.height; ++y) {
    for (uint32_t x = 0; x < extent_.width; ++x) {
      for (int c = 0; c < 3; ++c)
        ASSERT_EQ(device.at(x, y, c), back.at(x, y, c)) << x << " " << y << " " << c;
      ASSERT_EQ(device.at(x, y, 3), covers ? 1.0 : back.at(x, y, 3));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Random, DisplayReference, testing::Range(0, 6));
INSTANTIATE_TEST_SUITE_P(Random, BlendReference, testing::Range(0, 4));

}  // namespace
}  // namespace lacuna::test
