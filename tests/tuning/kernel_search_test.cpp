// The search among a kernel's schedules, on invented times.

#include "graph/schedule/kernel/kernel_search.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "graph/schedule/kernel/kernel_schedule.h"
#include "tests/support/random_case.h"

namespace lacuna::test {
namespace {

VariantDescription variantNamed(const std::string& name, std::vector<VariantConstant> constants) {
  VariantDescription variant;
  variant.name = name;
  variant.workgroups = {{16, 16}, {8, 8}, {32, 4}, {32, 32}};
  variant.constants = std::move(constants);
  return variant;
}

class Search : public testing::Test {
 protected:
  Search() {
    variants_.push_back(variantNamed("tiles", {{"N", {4, 1, 2, 3}}}));
    variants_.push_back(variantNamed("tiles-padded", {{"N", {4, 1, 2, 3}}, {"PADDED", {1}}}));
    variants_.push_back(variantNamed("rows", {{"N", {4, 1, 2, 3}}, {"M", {2, 1}}}));
    variants_.push_back(variantNamed("naive", {}));
  }

  // A product of one factor for each detail, so a variant is fastest with the fastest of each.
  double ms(const std::string& schedule) {
    double product = 1.0;
    for (size_t begin = 0; begin < schedule.size();) {
      const size_t end = std::min(schedule.find_first_of("@/", begin + 1), schedule.size());
      const std::string word = schedule.substr(begin, end - begin);
      if (factors_.count(word) == 0)
        factors_[word] = std::exp2(uniform(random_, 0.0, 1.0));
      product *= factors_[word];
      begin = end;
    }
    return product;
  }

  void measure(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
      EXPECT_TRUE(std::none_of(ranked_.begin(), ranked_.end(), [&](const auto& known) {
        return known.name == name;
      })) << name;
      ranked_.push_back({name, ms(name)});
    }
    std::sort(ranked_.begin(), ranked_.end(), [](const auto& a, const auto& b) { return a.ms < b.ms; });
  }

  std::vector<const VariantDescription*> all() const {
    std::vector<const VariantDescription*> pointers;
    for (const VariantDescription& variant : variants_)
      pointers.push_back(&variant);
    return pointers;
  }

  void search(KernelSearch search) {
    for (int step = 0; step < 100; ++step) {
      const auto next = search.next(ranked_);
      if (next.empty()) {
        EXPECT_TRUE(search.next(ranked_).empty());
        return;
      }
      measure(next);
    }
    ADD_FAILURE() << "no end";
  }

  double leastOf(const VariantDescription& variant) {
    double least = 1e9;
    for (KernelSchedule schedule : allKernelSchedules(variant)) {
      for (const ResourceKind storage : {ResourceKind::buffer, ResourceKind::image}) {
        schedule.storage = storage;
        least = canRun(schedule) ? std::min(least, ms(print(schedule))) : least;
      }
    }
    return least;
  }

  static bool canRun(const KernelSchedule& schedule) {
    return schedule.workgroup[0] * schedule.workgroup[1] <= 256;
  }

  std::mt19937_64& random_ = testRandom();
  std::vector<VariantDescription> variants_;
  std::map<std::string, double> factors_;
  std::vector<TimedSchedule> ranked_;
};

TEST_F(Search, RandomFindsTheBestDetailsOfTheBestVariant) {
  for (int round = 0; round < 50; ++round) {
    factors_.clear();
    ranked_.clear();
    for (const VariantDescription* variant : all())
      measure({print(defaultSchedule(*variant))});
    const std::string first = ranked_.front().name;
    search(KernelSearch(all(), canRun));
    const std::string variant = first.substr(0, first.find('@'));
    const auto described = std::find_if(variants_.begin(), variants_.end(),
                                        [&](const auto& each) { return each.name == variant; });
    EXPECT_LE(ranked_.front().ms, leastOf(*described) + 1e-9);
    // Two workgroups, three or four constants, images: once for two variants, once more for one.
    EXPECT_LE(ranked_.size(), variants_.size() + 3 * (2 + 4 + 1));
    for (const TimedSchedule& measured : ranked_)
      EXPECT_EQ(measured.name.find("32x32"), std::string::npos);
  }
}

TEST_F(Search, RandomOfTheVariantsThatItIsGivenAlone) {
  for (const VariantDescription* variant : all())
    measure({print(defaultSchedule(*variant))});
  const size_t before = ranked_.size();
  search(KernelSearch({}, canRun));
  EXPECT_EQ(ranked_.size(), before);
  search(KernelSearch({&variants_[0]}, canRun));
  EXPECT_EQ(std::count_if(ranked_.begin(), ranked_.end(),
                          [](const auto& measured) { return measured.name.starts_with("tiles@"); }),
            static_cast<int64_t>(ranked_.size() - before + 1));
  EXPECT_NEAR(std::find_if(ranked_.begin(), ranked_.end(),
                           [](const auto& measured) { return measured.name.starts_with("tiles@"); })
                  ->ms,
              leastOf(variants_[0]), 1e-9);
}

TEST_F(Search, RandomNothingMeasuredNothingTold) {
  EXPECT_TRUE(KernelSearch(all(), canRun).next({}).empty());
}

// A device may refuse a schedule that seemed possible: that is reported once.
TEST_F(Search, RandomTellsNothingTwice) {
  measure({print(defaultSchedule(variants_[2]))});
  KernelSearch search(all(), canRun);
  std::set<std::string> told;
  for (auto next = search.next(ranked_); !next.empty(); next = search.next(ranked_))
    for (const std::string& name : next)
      EXPECT_TRUE(told.insert(name).second) << name;
  EXPECT_EQ(told.size(), 2U + 3U + 1U + 1U);
}

}  // namespace
}  // namespace lacuna::test
