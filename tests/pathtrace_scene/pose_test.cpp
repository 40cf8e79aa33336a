// Keyframes: poses and lenses at a moment.

#include "pathtrace/scene/pose.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace lacuna::pathtrace {
namespace {

constexpr double tolerance = 1e-12;

void expectNear(const Vec3& a, const Vec3& b, double within = tolerance) {
  EXPECT_NEAR(a.x, b.x, within);
  EXPECT_NEAR(a.y, b.y, within);
  EXPECT_NEAR(a.z, b.z, within);
}

double uniform(double from, double to) {
  return std::uniform_real_distribution<double>(from, to)(test::testRandom());
}
Vec3 randomVector(double from, double to) {
  return {uniform(from, to), uniform(from, to), uniform(from, to)};
}

// Rodrigues' formula.
Vec3 turned(const Vec3& v, const Vec3& axis, double degrees) {
  const Vec3 k = normalised(axis);
  const double angle = degrees * std::numbers::pi / 180;
  return v * std::cos(angle) + cross(k, v) * std::sin(angle) + k * (dot(k, v) * (1 - std::cos(angle)));
}

TEST(Pose, RandomRotatesAsRodriguesSays) {
  for (int i = 0; i < 100; ++i) {
    const Vec3 axis = randomVector(-1, 1), p = randomVector(-5, 5), q = randomVector(0.1, 3);
    const double degrees = uniform(-400, 400);
    const Pose pose{randomVector(-3, 3), rotation(axis, degrees), q};
    expectNear(mapPoint(objectToWorld(pose), p), turned(q * p, axis, degrees) + pose.translate, 1e-10);
  }
}

TEST(Pose, ProductTurnsByTheRightOneFirst) {
  const Vec3 a{0, 0, 1}, b{1, 0, 0}, p{0.3, -2, 0.7};
  const Pose pose{{}, rotation(a, 30) * rotation(b, 70), {1, 1, 1}};
  expectNear(mapPoint(objectToWorld(pose), p), turned(turned(p, b, 70), a, 30));
}

TEST(Pose, RandomMapsAreInverses) {
  for (int i = 0; i < 100; ++i) {
    const Pose pose{randomVector(-3, 3), rotation(randomVector(-1, 1), uniform(-180, 180)),
                    randomVector(0.01, 10)};
    const Vec3 p = randomVector(-2, 2);
    expectNear(mapPoint(worldToObject(pose), mapPoint(objectToWorld(pose), p)), p, 1e-9);
  }
}

Object turning(double degrees) {
  Object object;
  object.keys = {{10, {{1, 0, 0}, rotation({0, 1, 0}, 0), {1, 1, 1}}},
                 {20, {{3, 4, 0}, rotation({0, 1, 0}, degrees), {2, 1, 5}}}};
  return object;
}

TEST(Pose, GoesInLinesAndTurnsEvenly) {
  const Pose pose = poseAt(turning(80), 12.5);
  expectNear(pose.translate, {1.5, 1, 0});
  expectNear(pose.scale, {1.25, 1, 2});
  const Quaternion quarter = rotation({0, 1, 0}, 20);
  EXPECT_NEAR(pose.rotate.w, quarter.w, tolerance);
  EXPECT_NEAR(pose.rotate.y, quarter.y, tolerance);
}

TEST(Pose, StandsStillOutsideItsKeys) {
  expectNear(poseAt(turning(80), -100).translate, {1, 0, 0});
  expectNear(poseAt(turning(80), 10).translate, {1, 0, 0});
  expectNear(poseAt(turning(80), 20).translate, {3, 4, 0});
  expectNear(poseAt(turning(80), 1000).translate, {3, 4, 0});
}

// 340 degrees are -20.
TEST(Pose, TakesTheShorterArc) {
  const Quaternion half = poseAt(turning(340), 15).rotate;
  const Quaternion expected = rotation({0, 1, 0}, -10);
  const double cosine = half.w * expected.w + half.x * expected.x + half.y * expected.y + half.z * expected.z;
  EXPECT_NEAR(std::abs(cosine), 1, tolerance);
}

TEST(Pose, NearlyEqualRotationsStayUnit) {
  const Quaternion q = poseAt(turning(1e-7), 13).rotate;
  EXPECT_NEAR(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z, 1, tolerance);
  EXPECT_NEAR(q.y, 0.3e-7 * std::numbers::pi / 360, 1e-18);
}

TEST(Lens, RandomIsOrthogonalAndAsWideAsItSays) {
  for (int i = 0; i < 100; ++i) {
    CameraKey key;
    key.eye = randomVector(-5, 5);
    key.target = randomVector(-5, 5);
    key.up = randomVector(-1, 1);
    key.fov = uniform(5, 120);
    const Lens lens = lensAt({key}, 0, 300, 200);
    EXPECT_NEAR(length(lens.forward), 1, tolerance);
    EXPECT_NEAR(dot(lens.forward, lens.right), 0, 1e-10);
    EXPECT_NEAR(dot(lens.forward, lens.up), 0, 1e-10);
    EXPECT_NEAR(dot(lens.right, lens.up), 0, 1e-10);
    EXPECT_GT(dot(lens.up, key.up), 0);
    EXPECT_NEAR(length(lens.up), std::tan(key.fov * std::numbers::pi / 360), 1e-10);
    EXPECT_NEAR(length(lens.right) / length(lens.up), 1.5, 1e-10);
    expectNear(lens.eye + lens.forward * lens.focus, key.target, 1e-9);
  }
}

TEST(Lens, LooksAsWeDo) {
  CameraKey key;
  key.eye = {0, 0, 5};
  key.fov = 90;
  const Lens lens = lensAt({key}, 0, 10, 10);
  expectNear(lens.forward, {0, 0, -1});
  expectNear(lens.right, {1, 0, 0});
  expectNear(lens.up, {0, 1, 0});
}

TEST(Lens, GoesFromKeyToKey) {
  CameraKey a, b;
  a.eye = {0, 0, 5};
  a.aperture = 0.1;
  b.eye = {4, 0, 5};
  b.target = {4, 0, 0};
  b.frame = 8;
  b.fov = 65;
  b.focus = 3;
  const Lens lens = lensAt({a, b}, 2, 10, 10);
  expectNear(lens.eye, {1, 0, 5});
  expectNear(lens.forward, {0, 0, -1});
  EXPECT_NEAR(lens.aperture, 0.075, tolerance);
  EXPECT_NEAR(lens.focus, 4.5, tolerance);
  EXPECT_NEAR(length(lens.up), std::tan(25 * std::numbers::pi / 180), tolerance);
}

TEST(Lens, HasADirectionWhereKeysLeadThroughNone) {
  CameraKey a, b;
  a.eye = {0, 0, 1};
  b.eye = {0, 0, -1};
  b.frame = 2;
  for (const double frame : {0.0, 1.0, 2.0}) {
    const Lens lens = lensAt({a, b}, frame, 4, 4);
    EXPECT_NEAR(length(lens.forward), 1, tolerance);
    EXPECT_GT(length(lens.right), 0);
  }
  a.up = {0, 0, 1};
  EXPECT_NEAR(dot(lensAt({a}, 0, 4, 4).right, lensAt({a}, 0, 4, 4).forward), 0, tolerance);
}

}  // namespace
}  // namespace lacuna::pathtrace
