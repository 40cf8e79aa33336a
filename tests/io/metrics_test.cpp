// The metrics against their definitions, worked out by hand or the slow way.

#include "graph/pictures/compare.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "modules/codecs/image_file.h"
#include "tests/io/support.h"
#include "tests/support/python.h"
#include "tools/metrics/guides.h"

namespace lacuna::test {
namespace {

ColourImage image(uint32_t width, uint32_t height) {
  std::uniform_real_distribution<float> values(0.0F, 1.0F);
  ColourImage made{{width, height}, ColourTag::rec709, std::vector<float>(size_t{3} * width * height)};
  for (float& value : made.rgb)
    value = values(testRandom());
  return made;
}

TEST(Metrics, RandomEqualImagesAreAtNoDistance) {
  const ColourImage a = image(40, 20);
  const Metrics metrics = compare(a, a);
  EXPECT_EQ(metrics.relMse, 0.0);
  EXPECT_EQ(metrics.psnr, std::numeric_limits<double>::infinity());
  EXPECT_DOUBLE_EQ(metrics.ssim, 1.0);
  EXPECT_EQ(metrics.maxRelativeError, 0.0);
}

TEST(Metrics, RandomConstantImagesByHand) {
  ColourImage a = image(20, 20), b = a;
  for (size_t i = 0; i < a.rgb.size(); ++i) {
    a.rgb[i] = 1.0F;
    b.rgb[i] = 0.5F;
  }
  const Metrics metrics = compare(a, b);
  EXPECT_NEAR(metrics.relMse, 0.25 / 0.26, 1e-12);
  EXPECT_NEAR(metrics.meanRelativeError, 1.0, 1e-12);
  EXPECT_NEAR(metrics.maxRelativeError, 1.0, 1e-12);
  const double half = 1.055 * std::pow(0.5, 1 / 2.4) - 0.055;
  EXPECT_NEAR(metrics.psnr, -20 * std::log10(1 - half), 1e-9);
  EXPECT_NEAR(metrics.ssim, (2 * half + 1e-4) / (1 + half * half + 1e-4), 1e-9);
  b.rgb[5] = 0.001F;  // below 0.01 the error is relative to 0.01
  EXPECT_NEAR(compare(a, b).maxRelativeError, 99.9, 1e-5);
}

TEST(Metrics, RandomValuesThatAreNotFiniteAreCountedAndLeftOut) {
  const ColourImage b = image(12, 12);
  ColourImage a = b;
  a.rgb[7] = std::numeric_limits<float>::quiet_NaN();
  a.rgb[9] = std::numeric_limits<float>::infinity();
  const Metrics metrics = compare(a, b);
  EXPECT_EQ(metrics.notFinite, 2U);
  EXPECT_EQ(metrics.relMse, 0.0);
  EXPECT_TRUE(std::isfinite(metrics.psnr));
  EXPECT_TRUE(std::isfinite(metrics.ssim));
}

TEST(Metrics, RandomTemporalErrorByHand) {
  // Two frames of 30 values; on screen: clipped, on the curve of sRGB.
  ColourImage a = image(5, 2), aBefore = image(5, 2), b = image(5, 2), bBefore = image(5, 2);
  a.rgb[3] = 7.0F;
  a.rgb[4] = -1.0F;
  bBefore.rgb[5] = std::numeric_limits<float>::quiet_NaN();
  const auto curve = [](float v) {
    const double c = v > 0.0F ? std::min(1.0, double{v}) : 0.0;
    return c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
  };
  double sum = 0.0;
  for (size_t i = 0; i < a.rgb.size(); ++i)
    sum += std::abs((curve(a.rgb[i]) - curve(aBefore.rgb[i])) - (curve(b.rgb[i]) - curve(bBefore.rgb[i])));
  EXPECT_NEAR(temporalError(onScreen(a), onScreen(aBefore), onScreen(b), onScreen(bBefore)), sum / 30, 1e-12);
  // An error that is the same in both frames does not flicker.
  EXPECT_EQ(temporalError(onScreen(a), onScreen(a), onScreen(b), onScreen(b)), 0.0);
}

double encoded(double v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1 / 2.4) - 0.055;
}

double luma(const ColourImage& of, int x, int y) {
  const float* rgb = of.rgb.data() + 3 * (static_cast<size_t>(y) * of.extent.width + static_cast<size_t>(x));
  return 0.2126 * encoded(rgb[0]) + 0.7152 * encoded(rgb[1]) + 0.0722 * encoded(rgb[2]);
}

// Two-dimensional windows, with variances around the mean. Along a side that no window fits in, there is one
// around each pixel, of the pixels that exist.
double slowSsim(const ColourImage& a, const ColourImage& b) {
  const int width = static_cast<int>(a.extent.width), height = static_cast<int>(a.extent.height);
  const int beside = width < 11 ? 0 : 5, above = height < 11 ? 0 : 5;
  double total = 0;
  int windows = 0;
  for (int y = above; y < height - above; ++y)
    for (int x = beside; x < width - beside; ++x, ++windows) {
      double weights = 0, meanA = 0, meanB = 0, varianceA = 0, varianceB = 0, covariance = 0;
      const auto each = [&](auto work) {
        for (int v = std::max(-5, -y); v <= std::min(5, height - 1 - y); ++v)
          for (int u = std::max(-5, -x); u <= std::min(5, width - 1 - x); ++u)
            work(std::exp(-(u * u + v * v) / 4.5), luma(a, x + u, y + v), luma(b, x + u, y + v));
      };
      each([&](double w, double va, double vb) { weights += w, meanA += w * va, meanB += w * vb; });
      meanA /= weights, meanB /= weights;
      each([&](double w, double va, double vb) {
        varianceA += w / weights * (va - meanA) * (va - meanA);
        varianceB += w / weights * (vb - meanB) * (vb - meanB);
        covariance += w / weights * (va - meanA) * (vb - meanB);
      });
      total += (2 * meanA * meanB + 1e-4) * (2 * covariance + 9e-4) /
               ((meanA * meanA + meanB * meanB + 1e-4) * (varianceA + varianceB + 9e-4));
    }
  return total / windows;
}

TEST(Metrics, RandomSsimIsThatOfItsDefinition) {
  for (const Extent extent : {Extent{23, 19}, Extent{23, 7}, Extent{10, 11}}) {
    const ColourImage b = image(extent.width, extent.height);
    ColourImage a = b;
    for (float& value : a.rgb)
      value =
          std::clamp(value + 0.2F * (static_cast<float>(testRandom()() % 1000) / 1000.0F - 0.5F), 0.0F, 1.0F);
    const double expected = slowSsim(a, b);
    EXPECT_LT(expected, 0.99);
    EXPECT_NEAR(compare(a, b).ssim, expected, 1e-9) << extent.width << " x " << extent.height;
  }
}

TEST(Metrics, RandomPsnrAndSsimAreScikitImages) {
  if (!pythonRuns("import skimage"))
    GTEST_SKIP() << "python3-skimage is not installed";
  const Folder folder;
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {41, 23}};
  std::vector<std::byte> a = randomBytes(byteSize(type)), b = a;
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = b[i] = i % 4 == 3 ? std::byte{255} : a[i];
    if (i % 4 < 3)
      a[i] = static_cast<std::byte>((3 * std::to_integer<int>(a[i]) + pick(testRandom(), 0, 255)) / 4);
  }
  writeImage("png", folder.file("a.png"), {{"pixels", type, a}});
  writeImage("png", folder.file("b.png"), {{"pixels", type, b}});
  const std::string code = fmt::format(
      "from skimage import io, metrics; a, b = (io.imread(f)[..., :3] / 255. for f in (\"{}\", \"{}\")); "
      "luma = lambda c: c @ [.2126, .7152, .0722]; "
      "ssim = metrics.structural_similarity(luma(a), luma(b), gaussian_weights=True, sigma=1.5, "
      "use_sample_covariance=False, data_range=1.); "
      "open(\"{}\", \"w\").write(\"%.12g %.12g\" % (metrics.peak_signal_noise_ratio(b, a, data_range=1.), "
      "ssim))",
      folder.file("a.png"), folder.file("b.png"), folder.file("numbers"));
  ASSERT_TRUE(pythonRuns(code)) << code;
  double psnr = 0.0, ssim = 0.0;
  std::ifstream(folder.file("numbers")) >> psnr >> ssim;
  EXPECT_GT(ssim, 0.5);
  EXPECT_LT(ssim, 0.99);
  const Metrics ours = compare(loadColour(folder.file("a.png")), loadColour(folder.file("b.png")));
  // loadColour returns linear values in float: an error of about 1e-7, doubled by converting back.
  EXPECT_NEAR(ours.psnr, psnr, 1e-5);
  EXPECT_NEAR(ours.ssim, ssim, 1e-6);
}

TEST(Metrics, RandomImagesSmallerThanAWindowHaveSsimToo) {
  const ColourImage a = image(1, 1), b = image(3, 7), c = image(3, 7);
  EXPECT_DOUBLE_EQ(compare(a, a).ssim, 1.0);
  EXPECT_LT(compare(b, c).ssim, 0.999);
}

TEST(Metrics, FilesAreLoadedAsLinearColour) {
  Folder folder;
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {1, 1}};
  const std::vector<std::byte> pixel = {std::byte{188}, std::byte{255}, std::byte{0}, std::byte{255}};
  writeImage("png", folder.file("a.png"), {{"pixels", type, pixel}});
  const ColourImage loaded = loadColour(folder.file("a.png"));
  EXPECT_NEAR(loaded.rgb[0], 0.5029, 1e-4);
  EXPECT_EQ(loaded.rgb[1], 1.0F);
  EXPECT_EQ(loaded.rgb[2], 0.0F);
  const float values[4] = {-0.5F, 7.25F, 1e-3F, 1.0F};
  const ValueType wide{Channels::rgba, Format::f32, ColourTag::rec2020, {1, 1}};
  writeImage("exr", folder.file("a.exr"), {{"output", wide, std::as_bytes(std::span(values))}});
  EXPECT_EQ(loadColour(folder.file("a.exr")).rgb, (std::vector<float>{-0.5F, 7.25F, 1e-3F}));
  EXPECT_EQ(loadColour(folder.file("a.exr")).colour, ColourTag::rec2020);
}

// Which guides count as noisy: pixels that no neighbour is like. One neighbour is enough, on any side.
TEST(GuideNoise, IsOfPixelsThatNoNeighbourIsLike) {
  EXPECT_EQ(shareOfNoise({1, {4, 2}, {0, 1, 2, 3, 0, 1, 2, 3}}, "albedo"), 0.0);
  EXPECT_EQ(shareOfNoise({1, {2, 4}, {0, 0, 1, 1, 2, 2, 3, 3}}, "albedo"), 0.0);
  EXPECT_EQ(shareOfNoise({1, {4, 2}, {0, 1, 2, 3, 0, 1, 9, 3}}, "albedo"), 0.25);
  EXPECT_EQ(shareOfNoise({1, {1, 1}, {7}}, "albedo"), 0.0) << "it has no neighbour";
}

}  // namespace
}  // namespace lacuna::test
