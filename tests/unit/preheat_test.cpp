// A benchmark's runs before those that count, on invented devices.

#include <gtest/gtest.h>

#include "tools/timing/preheat.h"

namespace lacuna {
namespace {

// A run takes slowMs until the device has worked for risingMs, then fastMs.
struct RisingDevice {
  double slowMs = 1.871, fastMs = 0.6, risingMs = 0.0;
  double worked = 0.0;
  int runs = 0;
  double run() {
    const double ms = worked < risingMs ? slowMs : fastMs;
    worked += ms;
    ++runs;
    return ms;
  }
};

void preheated(RisingDevice& device, double ms) {
  preheat([&] { return device.run(); }, ms);
}

TEST(Preheat, LastsUntilTimesAreSteady) {
  for (const double risingMs : {0.0, 90.0, 140.0, 199.0}) {
    RisingDevice device;
    device.risingMs = risingMs;
    preheated(device, 200.0);
    EXPECT_EQ(device.run(), device.fastMs) << risingMs;
    EXPECT_GE(device.worked, 200.0);
    EXPECT_LT(device.worked, 200.0 + 4 * 55.0) << risingMs;
  }
}

TEST(Preheat, EndsWhereTimesAreNeverSteady) {
  int runs = 0;
  double worked = 0.0;
  preheat(
      [&] {
        const double ms = 10.0 + ++runs / 5 % 7;
        worked += ms;
        return ms;
      },
      200.0);
  EXPECT_GE(worked, 5 * 200.0);
  EXPECT_LT(worked, 5 * 200.0 + 70.0);
}

TEST(Preheat, OneRunIsEnoughWhereNoneIsAskedForOrItIsLong) {
  RisingDevice device;
  preheated(device, 0.0);
  EXPECT_EQ(device.runs, 1);
  RisingDevice slow;
  slow.fastMs = 600.0;
  preheated(slow, 200.0);
  EXPECT_EQ(slow.runs, 1);
}

TEST(Preheat, EndsWhereTimestampsStandStill) {
  int runs = 0;
  preheat(
      [&] {
        ++runs;
        return 0.0;
      },
      2.0);
  EXPECT_GE(runs, 2000);
  EXPECT_LE(runs, 2010);
}

}  // namespace
}  // namespace lacuna
