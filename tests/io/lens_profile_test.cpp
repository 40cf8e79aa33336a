// Polynomials of lens profiles, compared with lensfun's own results for the same file.

#include <fmt/format.h>
#include <lensfun/lensfun.h>

#include <cmath>

#include "lens/profile/profile.h"
#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

double uniform(double from, double to) {
  return std::uniform_real_distribution(from, to)(testRandom());
}

// Mount: `lens` where the lens can be changed.
std::string databaseText(const std::string& mount, const std::string& calibration) {
  return fmt::format(
      "<!DOCTYPE lensdatabase SYSTEM \"lensfun-database.dtd\">\n<lensdatabase version=\"1\">\n"
      "<mount><name>{0}</name></mount>\n"
      "<camera><maker>Foo</maker><model>Bar "
      "7</model><mount>{0}</mount><cropfactor>1.6</cropfactor></camera>\n"
      "<lens><maker>Foo</maker><model>Foo 10-50mm f/2</model><mount>{0}</mount><cropfactor>1.5</cropfactor>"
      "<aspect-ratio>4:3</aspect-ratio><calibration>\n{1}</calibration></lens>\n</lensdatabase>\n",
      mount, calibration);
}

std::string randomDistortion(int model) {
  const std::string at = "focal=\"20\"";
  if (model == 0)
    return fmt::format("<distortion model=\"poly3\" {} k1=\"{}\"/>\n", at, uniform(-0.05, 0.05));
  if (model == 1)
    return fmt::format("<distortion model=\"poly5\" {} k1=\"{}\" k2=\"{}\"/>\n", at, uniform(-0.05, 0.05),
                       uniform(-0.01, 0.01));
  return fmt::format("<distortion model=\"ptlens\" {} a=\"{}\" b=\"{}\" c=\"{}\"/>\n", at,
                     uniform(-0.02, 0.02), uniform(-0.03, 0.03), uniform(-0.02, 0.02));
}

std::string randomColours(int model) {
  if (model == 0)
    return fmt::format("<tca model=\"linear\" focal=\"20\" kr=\"{}\" kb=\"{}\"/>\n", uniform(0.998, 1.002),
                       uniform(0.998, 1.002));
  return fmt::format(
      "<tca model=\"poly3\" focal=\"20\" br=\"{}\" cr=\"{}\" vr=\"{}\" bb=\"{}\" cb=\"{}\" vb=\"{}\"/>\n",
      uniform(-1e-4, 1e-4), uniform(-1e-4, 1e-4), uniform(0.999, 1.001), uniform(-1e-4, 1e-4),
      uniform(-1e-4, 1e-4), uniform(0.999, 1.001));
}

double valueOf(std::span<const double> terms, double r) {
  double sum = 0.0;
  for (size_t i = terms.size(); i-- > 0;)
    sum = sum * r + terms[i];
  return sum;
}

constexpr int width = 301, height = 200;
const double unit = 0.5 * std::hypot(width - 1, height - 1);

struct BothProfiles {
  lens::Profile profile;
  lfDatabase database;
  std::unique_ptr<lfModifier> modifier;
};

void prepare(BothProfiles& c, const std::string& path) {
  const auto found = lens::profileOf({"Foo", "Bar 7", "Foo 10-50mm f/2", 20, 2, 10}, path, "");
  ASSERT_TRUE(found);
  c.profile = *found;
  ASSERT_EQ(c.database.Load(path.c_str()), LF_NO_ERROR);
  const lfLens* const* lenses = c.database.GetLenses();
  ASSERT_NE(lenses[0], nullptr);
  c.modifier = std::make_unique<lfModifier>(lenses[0], 1.6F, width, height);
  c.modifier->Initialize(lenses[0], LF_PF_F32, 20, 2, 10, 1.0F, LF_RECTILINEAR,
                         LF_MODIFY_TCA | LF_MODIFY_VIGNETTING | LF_MODIFY_DISTORTION, false);
}

TEST(LensProfile, RandomPolynomialsAreLensfuns) {
  const Folder folder;
  for (int model = 0; model < 6; ++model) {
    const std::string path = folder.file(fmt::format("{}.xml", model));
    spill(path, databaseText("Foo M",
                             randomDistortion(model % 3) + randomColours(model % 2) +
                                 fmt::format("<vignetting model=\"pa\" focal=\"20\" aperture=\"2\" "
                                             "distance=\"10\" k1=\"{}\" k2=\"{}\" k3=\"{}\"/>\n",
                                             uniform(-0.4, -0.1), uniform(-0.1, 0.1), uniform(-0.1, 0.1))));
    BothProfiles c;
    ASSERT_NO_FATAL_FAILURE(prepare(c, path));
    for (int i = 0; i < 200; ++i) {
      const double x = uniform(0, width - 1), y = uniform(0, height - 1);
      const double dx = x - 0.5 * (width - 1), dy = y - 0.5 * (height - 1);
      const double r = std::hypot(dx, dy) / unit;
      float places[6]{};
      c.modifier->ApplySubpixelGeometryDistortion(static_cast<float>(x), static_cast<float>(y), 1, 1, places);
      const double bent = valueOf(c.profile.distortion, r);
      const double sizes[] = {valueOf(c.profile.red, r * bent), 1.0, valueOf(c.profile.blue, r * bent)};
      for (size_t k = 0; k < 3; ++k) {
        EXPECT_NEAR(places[2 * k], 0.5 * (width - 1) + dx * bent * sizes[k], 2e-3) << model << " " << k;
        EXPECT_NEAR(places[2 * k + 1], 0.5 * (height - 1) + dy * bent * sizes[k], 2e-3) << model << " " << k;
      }
      float light[] = {1, 1, 1};
      c.modifier->ApplyColorModification(light, static_cast<float>(x), static_cast<float>(y), 1, 1,
                                         LF_CR_3(RED, GREEN, BLUE), sizeof light);
      EXPECT_NEAR(light[1], 1 / valueOf(c.profile.vignetting, r * r), 2e-4) << model;
    }
  }
}

// Its corners and the middles of its sides are inside, one of them only just.
TEST(LensProfile, RandomPicturesHaveNoEmptyCorner) {
  for (int i = 0; i < 50; ++i) {
    lens::Profile profile;
    profile.distortion = {1, uniform(-0.05, 0.05), uniform(-0.1, 0.1), uniform(-0.05, 0.05), 0};
    const double share = lens::largestShare(profile, 3, 2);
    double furthest = 0.0;
    for (int k = 0; k <= 1000; ++k) {
      const double border = 2 / std::hypot(3, 2) + (1 - 2 / std::hypot(3, 2)) * k / 1000;
      const double r = share * border;
      furthest = std::max(furthest, r * valueOf(profile.distortion, r) / border);
    }
    EXPECT_NEAR(furthest, 1.0, 1e-3);
  }
}

TEST(LensProfile, AreFoundByNames) {
  const Folder folder;
  const std::string path = folder.file("a.xml"), fixed = folder.file("b.xml");
  const std::string calibration = "<distortion model=\"poly3\" focal=\"20\" k1=\"0.01\"/>\n";
  spill(path, databaseText("Foo M", calibration));
  spill(fixed, databaseText("fooBar7", calibration));
  EXPECT_TRUE(lens::profileOf({"Foo", "Bar 7", "Foo 10-50mm f/2", 20, 2, 0}, path, ""));
  EXPECT_TRUE(lens::profileOf({"", "Bar 7", "10-50mm f/2", 20, 0, 0}, path, ""));
  EXPECT_FALSE(lens::profileOf({"Foo", "Bar 7", "", 20, 2, 0}, path, ""));
  EXPECT_FALSE(lens::profileOf({"Foo", "Bar 8000", "Foo 10-50mm f/2", 20, 2, 0}, path, ""));
  EXPECT_FALSE(lens::profileOf({"Foo", "Bar 7", "Quux 300mm", 300, 2, 0}, path, ""));
  EXPECT_TRUE(lens::profileOf({"Foo", "Bar 7", "", 20, 2, 0}, fixed, ""));
  spill(folder.file("c.xml"), "no profiles");
  EXPECT_THROW(lens::profileOf({"Foo", "Bar 7", "", 20, 2, 0}, folder.file("c.xml"), ""), std::runtime_error);
}

}  // namespace
}  // namespace lacuna::test
