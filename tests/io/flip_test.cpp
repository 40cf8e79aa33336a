// FLIP against its definition, in double precision and in two dimensions, from the paper's sections 4 and 5.

#include <functional>

#include "graph/pictures/compare.h"
#include "graph/pictures/flip.h"
#include "tests/io/support.h"

namespace lacuna::test {
namespace {

using Triple = std::array<double, 3>;
constexpr double piOfFlip = 3.14159265358979323846;

ColourImage filledPicture(uint32_t width, uint32_t height, const std::function<float()>& value) {
  ColourImage image{{width, height}, ColourTag::rec709, std::vector<float>(size_t{3} * width * height)};
  std::generate(image.rgb.begin(), image.rgb.end(), value);
  return image;
}

ColourImage uniformPicture(const Triple& colour) {
  size_t i = 0;
  return filledPicture(9, 7, [&] { return static_cast<float>(colour[i++ % 3]); });
}

// Rows of ITU-R BT.709's matrix, white D65 (.3127, .3290).
Triple xyzOf(const Triple& c) {
  return {0.4123907993 * c[0] + 0.3575843394 * c[1] + 0.1804807884 * c[2],
          0.2126390059 * c[0] + 0.7151686788 * c[1] + 0.0721923154 * c[2],
          0.0193308187 * c[0] + 0.1191947798 * c[1] + 0.9505321522 * c[2]};
}

Triple overWhite(const Triple& c) {
  const Triple xyz = xyzOf(c), white = xyzOf({1, 1, 1});
  return {xyz[0] / white[0], xyz[1] / white[1], xyz[2] / white[2]};
}

Triple labWithHunt(const Triple& c) {
  Triple v = overWhite(c);
  for (double& t : v)
    t = t > 216.0 / 24389 ? std::cbrt(t) : (24389.0 / 27 * t + 16) / 116;
  const double light = 116 * v[1] - 16;
  return {light, 5 * light * (v[0] - v[1]), 2 * light * (v[1] - v[2])};
}

double hyab(const Triple& a, const Triple& b) {
  return std::abs(a[0] - b[0]) + std::sqrt((a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));
}

class SlowFlip {
 public:
  SlowFlip(const ColourImage& a, const ColourImage& b, double pixelsPerDegree)
      : pixelsPerDegree_(pixelsPerDegree), a_(a), b_(b) {}

  double mean() const {
    double sum = 0;
    for (int y = 0; y < height(); ++y)
      for (int x = 0; x < width(); ++x)
        sum += std::pow(colour(x, y), 1 - feature(x, y));
    return sum / (width() * height());
  }

 private:
  int width() const { return static_cast<int>(a_.extent.width); }
  int height() const { return static_cast<int>(a_.extent.height); }

  Triple at(const ColourImage& image, int x, int y) const {
    const size_t i = static_cast<size_t>(std::clamp(y, 0, height() - 1)) * image.extent.width +
                     static_cast<size_t>(std::clamp(x, 0, width() - 1));
    Triple v{};
    for (size_t c = 0; c < 3; ++c)
      v[c] = std::clamp<double>(image.rgb[3 * i + c], 0, 1);
    return v;
  }

  // Y, Cx and Cz.
  Triple opponent(const ColourImage& image, int x, int y) const {
    const Triple v = overWhite(at(image, x, y));
    return {116 * v[1] - 16, 500 * (v[0] - v[1]), 200 * (v[1] - v[2])};
  }

  Triple seen(const ColourImage& image, int x, int y) const {
    const int radius =
        static_cast<int>(std::ceil(3 * std::sqrt(0.04 / (2 * piOfFlip * piOfFlip)) * pixelsPerDegree_));
    const auto gauss = [](double a, double b, double squared) {
      return a * std::sqrt(piOfFlip / b) * std::exp(-piOfFlip * piOfFlip * squared / b);
    };
    Triple sum{}, weights{};
    for (int v = -radius; v <= radius; ++v)
      for (int u = -radius; u <= radius; ++u) {
        const double squared = (u * u + v * v) / (pixelsPerDegree_ * pixelsPerDegree_);
        const Triple w = {gauss(1, 0.0047, squared), gauss(1, 0.0053, squared),
                          gauss(34.1, 0.04, squared) + gauss(13.5, 0.025, squared)};
        const Triple o = opponent(image, x + u, y + v);
        for (size_t c = 0; c < 3; ++c) {
          sum[c] += w[c] * o[c];
          weights[c] += w[c];
        }
      }
    const double light = (sum[0] / weights[0] + 16) / 116;
    const Triple white = xyzOf({1, 1, 1});
    const Triple xyz = {white[0] * (light + sum[1] / weights[1] / 500), white[1] * light,
                        white[2] * (light - sum[2] / weights[2] / 200)};
    Triple rgb = {3.2409699419 * xyz[0] - 1.5373831776 * xyz[1] - 0.4986107603 * xyz[2],
                  -0.9692436363 * xyz[0] + 1.8759675015 * xyz[1] + 0.0415550574 * xyz[2],
                  0.0556300797 * xyz[0] - 0.2039769589 * xyz[1] + 1.0569715142 * xyz[2]};
    for (double& c : rgb)
      c = std::clamp(c, 0.0, 1.0);
    return labWithHunt(rgb);
  }

  double colour(int x, int y) const {
    const double most = std::pow(hyab(labWithHunt({0, 1, 0}), labWithHunt({0, 0, 1})), 0.7);
    const double error = std::pow(hyab(seen(a_, x, y), seen(b_, x, y)), 0.7);
    return error < 0.4 * most ? 0.95 / (0.4 * most) * error
                              : 0.95 + (error - 0.4 * most) / (0.6 * most) * 0.05;
  }

  // The length of the gradient (order 1), or of the second derivatives.
  double strength(const ColourImage& image, int x, int y, int order) const {
    const double deviation = 0.5 * 0.082 * pixelsPerDegree_, square = deviation * deviation;
    const int radius = static_cast<int>(std::ceil(3 * deviation));
    double acrossUp = 0, acrossDown = 0, downUp = 0, downDown = 0, up = 0, down = 0;
    for (int v = -radius; v <= radius; ++v)
      for (int u = -radius; u <= radius; ++u) {
        const double gauss = std::exp(-(u * u + v * v) / (2 * square));
        const double w = order == 1 ? -u * gauss : (u * u / square - 1) * gauss;
        (w > 0 ? up : down) += std::abs(w);
        (w > 0 ? acrossUp : acrossDown) += std::abs(w) * (opponent(image, x + u, y + v)[0] + 16) / 116;
        (w > 0 ? downUp : downDown) += std::abs(w) * (opponent(image, x + v, y + u)[0] + 16) / 116;
      }
    const double across = acrossUp / up - acrossDown / down, below = downUp / up - downDown / down;
    return std::sqrt(across * across + below * below);
  }

  double feature(int x, int y) const {
    double most = 0;
    for (const int order : {1, 2})
      most = std::max(most, std::abs(strength(a_, x, y, order) - strength(b_, x, y, order)));
    return std::sqrt(most / std::sqrt(2.0));
  }

  double pixelsPerDegree_;
  const ColourImage &a_, &b_;
};

TEST(Flip, RandomPicturesAreAsItsDefinition) {
  std::uniform_real_distribution<float> values(-0.1F, 1.1F);
  for (const double pixelsPerDegree : {20.0, 67.0}) {
    const ColourImage a = filledPicture(13, 8, [&] { return values(testRandom()); });
    ColourImage b = a;
    for (float& v : b.rgb)
      v = 0.7F * v + 0.3F * values(testRandom());
    const double expected = SlowFlip(a, b, pixelsPerDegree).mean();
    EXPECT_GT(expected, 0.01);
    // Planes are floats: rounding changes features by 1e-6, whose root is 1e-3, in few pixels.
    EXPECT_NEAR(meanFlip(a, b, pixelsPerDegree), expected, 2e-4);
    EXPECT_NEAR(meanFlip(b, a, pixelsPerDegree), meanFlip(a, b, pixelsPerDegree), 1e-9);
    EXPECT_EQ(meanFlip(a, a, pixelsPerDegree), 0.0);
  }
}

// The paper's largest difference is that between pure green and pure blue.
TEST(Flip, GreenAndBlueAreOne) {
  EXPECT_NEAR(meanFlip(uniformPicture({0, 1, 0}), uniformPicture({0, 0, 1})), 1.0, 1e-5);
  const double blackAndWhite = meanFlip(uniformPicture({0, 0, 0}), uniformPicture({1, 1, 1}));
  EXPECT_GT(blackAndWhite, 0.95);
  EXPECT_LT(blackAndWhite, 1.0);
  // A step of a hundredth of light is hardly visible; a tenth is.
  EXPECT_LT(meanFlip(uniformPicture({0.5, 0.5, 0.5}), uniformPicture({0.51, 0.51, 0.51})), 0.1);
  EXPECT_GT(meanFlip(uniformPicture({0.5, 0.5, 0.5}), uniformPicture({0.6, 0.6, 0.6})), 0.1);
}

TEST(Flip, IsAMetricOfPictures) {
  const ColourImage a = uniformPicture({0.2, 0.5, 0.1}), b = uniformPicture({0.3, 0.4, 0.2});
  EXPECT_EQ(compare(a, b).flip, meanFlip(a, b));
  EXPECT_GT(meanFlip(a, b), 0.0);
}

}  // namespace
}  // namespace lacuna::test
