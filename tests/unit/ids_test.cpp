// Ids of one table can't be confused with those of others, and tables are indexed by ids.

#include "graph/ids.h"

#include <gtest/gtest.h>

#include <string>
#include <type_traits>

namespace lacuna {
namespace {

struct Fruit;
struct Tree;
using FruitId = Id<Fruit>;
using TreeId = Id<Tree>;
using Names = Table<FruitId, std::string>;

template <class Key>
concept IndexesNames = requires(Names names, Key key) {
  names[key];
};

static_assert(IndexesNames<FruitId>);
static_assert(!IndexesNames<TreeId> && !IndexesNames<int> && !IndexesNames<size_t>);
static_assert(!std::is_convertible_v<TreeId, FruitId> && !std::is_constructible_v<FruitId, TreeId>);
static_assert(!std::is_convertible_v<int, FruitId> && !std::is_convertible_v<FruitId, int>);
static_assert(!std::is_convertible_v<FruitId, bool> &&
              !std::is_convertible_v<Names, std::vector<std::string>>);

TEST(Ids, AreNoneUntilMade) {
  EXPECT_FALSE(FruitId());
  EXPECT_TRUE(FruitId(0));
  EXPECT_EQ(FruitId(), FruitId());
  EXPECT_LT(FruitId(), FruitId(0));
  EXPECT_LT(FruitId(2), FruitId(11));
}

TEST(Ids, TablesGoByThem) {
  Names names;
  EXPECT_EQ(names.next(), FruitId(0));
  const FruitId apple = names.add("apple");
  const FruitId pear = names.add("pear");
  EXPECT_EQ(names[apple], "apple");
  EXPECT_EQ(names[pear], "pear");
  EXPECT_EQ(names.next().index(), 2U);
  Table<FruitId, bool> eaten(names.size(), false);
  eaten[pear] = true;
  std::string left;
  for (const FruitId fruit : names.ids())
    left += eaten[fruit] ? "" : names[fruit];
  EXPECT_EQ(left, "apple");
}

}  // namespace
}  // namespace lacuna
