// lens against a double-precision version of its resampling.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "lens/profile/profile.h"
#include "tests/reference/reference.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

const char* const database =
    "<lensdatabase version=\"1\"><mount><name>M</name></mount>"
    "<camera><maker>Foo</maker><model>Bar 7</model><mount>M</mount><cropfactor>1.5</cropfactor></camera>"
    "<lens><maker>Foo</maker><model>Foo 20mm</model><mount>M</mount><cropfactor>1.5</cropfactor><calibration>"
    "<distortion model=\"ptlens\" focal=\"20\" a=\"0.01\" b=\"-0.03\" c=\"0.02\"/>"
    "<tca model=\"linear\" focal=\"20\" kr=\"1.01\" kb=\"0.985\"/>"
    "<vignetting model=\"pa\" focal=\"20\" aperture=\"2\" distance=\"10\" k1=\"-0.3\" k2=\"0.1\" "
    "k3=\"-0.05\"/>"
    "</calibration></lens></lensdatabase>\n";

class Lens : public testing::Test {
 protected:
  std::string parameters(const std::string& more) const {
    return fmt::format(
        "param:lens:01:database:\"{}\"\nparam:lens:01:camera:\"Bar 7\"\nparam:lens:01:lens:\"Foo 20mm\"\n"
        "param:lens:01:focal:20\nparam:lens:01:aperture:2\nparam:lens:01:distance:10\n{}",
        path_, more);
  }

  const Folder folder_;
  const std::string path_ = folder_.write("lenses.xml", database);
};

double valueOf(std::span<const double> terms, double r) {
  double sum = 0.0;
  for (size_t i = terms.size(); i-- > 0;)
    sum = sum * r + terms[i];
  return sum;
}

// Keys 1981, equation 15, a = -1/2.
double cubic(double distance) {
  const double d = std::abs(distance);
  return d < 1 ? 1.5 * d * d * d - 2.5 * d * d + 1 : d < 2 ? -0.5 * d * d * d + 2.5 * d * d - 4 * d + 2 : 0.0;
}

double interpolated(const Picture& p, double x, double y, int c) {
  double sum = 0.0;
  for (int row = static_cast<int>(std::floor(y)) - 1; row <= std::floor(y) + 2; ++row) {
    for (int column = static_cast<int>(std::floor(x)) - 1; column <= std::floor(x) + 2; ++column) {
      sum += cubic(x - column) * cubic(y - row) *
             p.at(std::clamp(column, 0, p.width - 1), std::clamp(row, 0, p.height - 1))[c];
    }
  }
  return sum;
}

Picture corrected(const Picture& input, const lens::Profile& profile, double share) {
  Picture output = input;
  const double cx = 0.5 * (input.width - 1), cy = 0.5 * (input.height - 1);
  const double unit = std::hypot(std::max(cx, 0.5), std::max(cy, 0.5));
  for (int y = 0; y < input.height; ++y) {
    for (int x = 0; x < input.width; ++x) {
      const double dx = (x - cx) * share, dy = (y - cy) * share;
      const double r = std::hypot(dx, dy) / unit;
      const double bent = valueOf(profile.distortion, r);
      for (int c = 0; c < 4; ++c) {
        const double size = c == 0   ? valueOf(profile.red, r * bent)
                            : c == 2 ? valueOf(profile.blue, r * bent)
                                     : 1.0;
        const double at = r * bent * size;
        const double light = c == 3 ? 1.0 : valueOf(profile.vignetting, at * at);
        output.at(x, y)[c] = interpolated(input, cx + dx * bent * size, cy + dy * bent * size, c) / light;
      }
    }
  }
  return output;
}

TEST_F(Lens, AgreesWithItsReferenceOnRandomImages) {
  const lens::Profile whole = lens::profileOf({"Foo", "Bar 7", "Foo 20mm", 20, 2, 10}, path_, "").value();
  for (const Extent extent : {Extent{1, 1}, Extent{17, 1}, Extent{127, 509}, Extent{300, 200}}) {
    for (int left = 0; left < 4; ++left) {
      SCOPED_TRACE(fmt::format("{}x{}, {}", extent.width, extent.height, left));
      Image image = randomImage(testRandom(), Channels::rgba, Format::f32, extent, false);
      image.type.colour = ColourTag::data;
      lens::Profile profile = whole;
      std::string more;
      if (left == 1) {
        profile.distortion = {1.0};
        more = "param:lens:01:distortion:false\n";
      } else if (left == 2) {
        profile.red = profile.blue = {1.0};
        more = "param:lens:01:colours:false\n";
      } else if (left == 3) {
        profile.vignetting = {1.0};
        more = "param:lens:01:vignetting:false\nparam:lens:01:scale:1.1\n";
      }
      const double share = left == 1   ? 1.0
                           : left == 3 ? 1 / 1.1
                                       : lens::largestShare(profile, extent.width, extent.height);
      const Picture expected = corrected(pictureOf(image), profile, share);
      const Image output = run(graphAround("lens", image, parameters(more)), "auto").at("out");
      EXPECT_EQ(output.type, image.type);
      // Places are rounded: a tenth of a thousandth of a pixel, times the differences of neighbours.
      const Deviation d = deviation(
          output, expected, [](int, int, int, double b) { return 2e-3 * std::max(std::abs(b), 1.0); });
      EXPECT_LE(d.worst, 1.0) << d.where;
    }
  }
}

// Bit by bit. tests/cli/raw-files.txt checks the message for a missing profile.
TEST_F(Lens, LeavesRandomPicturesAsTheyAreWhereNothingIsWanted) {
  const Image image = randomImage(testRandom(), Channels::rgba, Format::f16, {37, 29}, false);
  const std::string off =
      "param:lens:01:distortion:false\nparam:lens:01:colours:false\nparam:lens:01:vignetting:false\n";
  EXPECT_EQ(run(graphAround("lens", image, parameters(off)), "auto").at("out").words, image.words);
}

}  // namespace
}  // namespace lacuna::test
