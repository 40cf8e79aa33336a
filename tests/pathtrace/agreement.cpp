#include "tests/pathtrace/agreement.h"

#include <gtest/gtest.h>

#include <cctype>
#include <cmath>

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace::reference {
namespace {

// Few samples a frame, because lavapipe ends long loops (the module's README).
constexpr int moduleSeeds = 48;

double standardError(const Blocks& whole) {
  const Vec3& v = whole.variances[0];
  // This would be the luminance's error if all components had one noise.
  return luminance({std::sqrt(v.x), std::sqrt(v.y), std::sqrt(v.z)});
}

}  // namespace

Scene sceneOf(const std::string& fileOrSeed) {
  if (std::isdigit(static_cast<unsigned char>(fileOrSeed[0])) != 0)
    return randomScene(static_cast<uint32_t>(std::stoul(fileOrSeed)));
  Diagnostics diagnostics;
  Scene scene = readScene(fileOrSeed, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  return scene;
}

double samplesFor(const Scene& scene, const Settings& settings, double relative) {
  Settings pilot = settings;
  pilot.samples = 64;
  const Blocks whole = wholeOf(Tracer(scene, 0, pilot).render());
  const double error = standardError(whole) / luminance(whole.means[0]);
  return pilot.samples * error * error / (relative * relative);
}

bool expectAgreement(const std::string& fileOrSeed, const Settings& settings, int side) {
  const Film film = Tracer(sceneOf(fileOrSeed), 0, settings).render();
  Settings each = settings;
  each.samples = (settings.samples + moduleSeeds - 1) / moduleSeeds;
  const auto renders = renderSeeds(fileOrSeed, each, moduleSeeds);
  const Blocks ours = wholeOf(film);
  const Blocks module = wholeOf(renders);
  const double mean = luminance(ours.means[0]);
  EXPECT_EQ(difference(blocksOf(renders, settings.width, settings.height, side), blocksOf(film, side)), "");
  EXPECT_EQ(difference(module, ours), "");
  const double error = std::hypot(standardError(ours), standardError(module)) / mean;
  const bool isPrecise = error < 0.001;
  if (isPrecise)
    EXPECT_NEAR(luminance(module.means[0]) / mean, 1, 0.005);
  return isPrecise;
}

}  // namespace lacuna::pathtrace::reference
