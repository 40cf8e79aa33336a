// Hierarchies over random and degenerate boxes: every box in exactly one leaf, inside all boxes above it, no
// deeper than the limit.

#include "pathtrace/scene/bvh.h"
#include "tests/support/random.h"

#include <gtest/gtest.h>

#include <random>

namespace lacuna::pathtrace {
namespace {

bool contains(const Box& outer, const Box& inner) {
  return outer.low.x <= inner.low.x && outer.low.y <= inner.low.y && outer.low.z <= inner.low.z &&
         outer.high.x >= inner.high.x && outer.high.y >= inner.high.y && outer.high.z >= inner.high.z;
}

class Walk {
 public:
  Walk(const Bvh& bvh, const std::vector<Box>& boxes, const BvhLimits& limits)
      : bvh_(bvh), boxes_(boxes), limits_(limits), seen_(boxes.size()) {}

  void check() {
    ASSERT_FALSE(bvh_.nodes.empty());
    ASSERT_EQ(bvh_.order.size(), boxes_.size());
    visit(0, 1, {{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}});
    EXPECT_EQ(deepest_, bvh_.depth);
    EXPECT_LE(bvh_.depth, limits_.depth);
    EXPECT_EQ(visited_, bvh_.nodes.size());
    for (size_t i = 0; i < seen_.size(); ++i)
      ASSERT_EQ(seen_[i], 1) << "box " << i;
  }

 private:
  void visit(uint32_t index, uint32_t depth, const Box& around) {
    ASSERT_LT(index, bvh_.nodes.size());
    deepest_ = std::max(deepest_, depth);
    ++visited_;
    for (size_t i = 0; i < 2; ++i) {
      const uint32_t child = bvh_.nodes[index].children[i];
      const Box& box = bvh_.nodes[index].boxes[i];
      if ((child & leafBit) != 0 && (child & 15U) == 0) {
        EXPECT_TRUE(box.isEmpty());
        continue;
      }
      ASSERT_TRUE(contains(around, box));
      if ((child & leafBit) == 0) {
        visit(child, depth + 1, box);
        continue;
      }
      ASSERT_LE(child & 15U, limits_.leafSize);
      const uint32_t first = (child & ~leafBit) >> 4U;
      for (uint32_t k = first; k < first + (child & 15U); ++k) {
        ASSERT_LT(k, bvh_.order.size());
        ASSERT_TRUE(contains(box, boxes_[bvh_.order[k]]));
        ++seen_[bvh_.order[k]];
      }
    }
  }

  const Bvh& bvh_;
  const std::vector<Box>& boxes_;
  BvhLimits limits_;
  std::vector<int> seen_;
  uint32_t deepest_ = 0;
  size_t visited_ = 0;
};

void checkAll(const std::vector<Box>& boxes, const BvhLimits& limits = {}) {
  const Bvh bvh = buildBvh(boxes, limits);
  Walk(bvh, boxes, limits).check();
}

Box around(const Vec3& centre, double half) {
  return {centre - Vec3{half, half, half}, centre + Vec3{half, half, half}};
}

TEST(Bvh, RandomBoxes) {
  std::mt19937_64& random = test::testRandom();
  std::normal_distribution<double> normal;
  for (const size_t count : {0, 1, 2, 3, 9, 100, 5000, 40000}) {
    std::vector<Box> boxes;
    for (size_t i = 0; i < count; ++i) {
      boxes.push_back(
          around({normal(random), normal(random), normal(random)}, std::abs(normal(random)) * 0.05));
    }
    SCOPED_TRACE(count);
    checkAll(boxes);
    checkAll(boxes, {1, maxObjectDepth});
    checkAll(boxes, {15, 14});
  }
}

TEST(Bvh, AllInOnePlace) {
  for (const size_t count : {2, 17, 1000, 70000}) {
    SCOPED_TRACE(count);
    checkAll(std::vector<Box>(count, around({1, -2, 3}, 0)));
    checkAll(std::vector<Box>(count, around({0, 0, 0}, 1e30)));
  }
}

// Each box is far beyond the one before, so the heuristic alone would split off one at a time.
TEST(Bvh, GrowingWithoutEnd) {
  std::vector<Box> boxes;
  for (int i = 0; i < 900; ++i)
    boxes.push_back(around({std::pow(1.9, i), 0, 0}, std::pow(1.9, i - 3)));
  checkAll(boxes, {1, 24});
  checkAll(boxes, {1, 10});
  checkAll(boxes, {8, 7});
}

TEST(Bvh, RandomTinyAndHugeTogether) {
  std::mt19937_64& random = test::testRandom();
  std::vector<Box> boxes;
  for (int i = 0; i < 3000; ++i) {
    const double scale = std::pow(10.0, static_cast<double>(random() % 60) - 30);
    const auto number = [&] { return scale * (static_cast<double>(random() % 2001) / 1000 - 1); };
    boxes.push_back(around({number(), number(), number()}, std::abs(number()) * (random() % 2)));
  }
  checkAll(boxes);
}

// The result doesn't depend on threads.
TEST(Bvh, RandomTheSameTwice) {
  std::mt19937_64& random = test::testRandom();
  std::vector<Box> boxes;
  for (int i = 0; i < 30000; ++i)
    boxes.push_back(around({static_cast<double>(random() % 97), static_cast<double>(random() % 89), 0}, 0.5));
  const Bvh first = buildBvh(boxes, {});
  const Bvh second = buildBvh(boxes, {});
  EXPECT_EQ(first.order, second.order);
  ASSERT_EQ(first.nodes.size(), second.nodes.size());
  for (size_t i = 0; i < first.nodes.size(); ++i)
    ASSERT_EQ(first.nodes[i].children, second.nodes[i].children);
}

// The benefit: the heuristic finds clusters, so a random ray's expected work stays close to that of one
// cluster.
TEST(Bvh, RandomClustersAreSplitApart) {
  std::mt19937_64& random = test::testRandom();
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::vector<Box> boxes;
  for (int i = 0; i < 2000; ++i) {
    const double side = i % 2 == 0 ? -100 : 100;
    boxes.push_back(around({side + uniform(random), uniform(random), uniform(random)}, 0.01));
  }
  const Bvh bvh = buildBvh(boxes, {});
  const auto& [left, right] = bvh.nodes[0].boxes;
  EXPECT_LT(std::min(left.high.x, right.high.x), -99);
  EXPECT_GT(std::max(left.low.x, right.low.x), 99);
}

// Floats on the device never cut into a box.
TEST(Bvh, RandomWordsContainTheBoxes) {
  std::mt19937_64& random = test::testRandom();
  std::uniform_real_distribution<double> uniform(-1e3, 1e3);
  std::vector<Box> boxes;
  for (int i = 0; i < 500; ++i) {
    boxes.push_back(
        around({uniform(random), uniform(random), uniform(random)}, std::abs(uniform(random)) / 1e5));
  }
  const Bvh bvh = buildBvh(boxes, {});
  std::vector<Words> words;
  appendNodes(bvh, 7, 100, words);
  ASSERT_EQ(words.size(), bvh.nodes.size() * nodeElements);
  const auto number = [&](size_t element, size_t word) {
    return double{std::bit_cast<float>(words[element][word])};
  };
  for (size_t i = 0; i < bvh.nodes.size(); ++i) {
    for (size_t child = 0; child < 2; ++child) {
      const Box& box = bvh.nodes[i].boxes[child];
      const size_t at = 4 * i + child;
      const Box stored{{number(at, 0), number(at, 2), number(4 * i + 2, 2 * child)},
                       {number(at, 1), number(at, 3), number(4 * i + 2, 2 * child + 1)}};
      ASSERT_TRUE(contains(stored, box));
      const uint32_t wanted = bvh.nodes[i].children[child];
      ASSERT_EQ(words[4 * i + 3][child], wanted + ((wanted & leafBit) != 0 ? 100U << 4U : 7U));
    }
  }
}

}  // namespace
}  // namespace lacuna::pathtrace
