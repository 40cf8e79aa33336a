#include "graph/schedule/kernel/kernel_schedule.h"

#include <gtest/gtest.h>

namespace lacuna {
namespace {

class KernelScheduleNames : public testing::Test {
 protected:
  KernelScheduleNames() {
    for (const char* name : {"rows", "tiles", "tiles-padded", "tiles-reloaded"}) {
      VariantDescription variant;
      variant.name = name;
      variant.workgroups = {{16, 16}, {8, 8}};
      variant.constants = {{"N", {4, 1}}, {"FIXED", {1}}};
      variants_.push_back(variant);
    }
  }

  // "" where the name means none.
  std::string meantBy(const std::string& name) const {
    std::vector<const VariantDescription*> all;
    for (const VariantDescription& variant : variants_)
      all.push_back(&variant);
    const auto schedule = kernelScheduleNamed(all, name);
    return schedule ? print(*schedule) : std::string();
  }

  std::vector<VariantDescription> variants_;
};

TEST_F(KernelScheduleNames, LeaveOutWhatIsUsual) {
  EXPECT_EQ(meantBy("tiles"), "tiles@16x16/n4/buffer");
  EXPECT_EQ(meantBy("r"), "rows@16x16/n4/buffer");
  EXPECT_EQ(meantBy("tiles-p@8x4"), "tiles-padded@8x4/n4/buffer");
  EXPECT_EQ(meantBy("rows/image/n2"), "rows@16x16/n2/image");
  EXPECT_EQ(meantBy(meantBy("rows@32x8/n1/image")), "rows@32x8/n1/image");
}

TEST_F(KernelScheduleNames, OfSeveralOrNoneMeanNone) {
  for (const char* name : {"", "t", "til", "tiles-", "lines", "rows@", "rows@8", "rows@0x8", "rows@8x8x8",
                           "rows/", "rows/m4", "rows/n", "rows/fixed2", "rows/n4096"})
    EXPECT_EQ(meantBy(name), "") << name;
}

}  // namespace
}  // namespace lacuna
