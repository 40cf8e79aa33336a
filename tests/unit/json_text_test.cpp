#include "graph/config/json_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lacuna {
namespace {

TEST(JsonText, KeepsOrSortsKeys) {
  const std::string mixed =
      R"({"b":[1,-2,18446744073709551615,0.1,1e+300,true,null,"\u00e9\n"],"a":{"d":{},"c":[]}})";
  const std::string sorted =
      R"({"a":{"c":[],"d":{}},"b":[1,-2,18446744073709551615,0.1,1e+300,true,null,"é\n"]})";
  EXPECT_EQ(jsonText(readOrderedJson(mixed)),
            R"({"b":[1,-2,18446744073709551615,0.1,1e+300,true,null,"é\n"],"a":{"d":{},"c":[]}})");
  EXPECT_EQ(jsonText(readJson(mixed)), sorted);
  const nlohmann::json json = readJson(mixed);
  EXPECT_TRUE(json.at("b").at(2).is_number_unsigned());
  EXPECT_EQ(jsonText(json.at("a"), 1), "{\n \"c\": [],\n \"d\": {}\n}");
}

TEST(JsonText, ThrowsForOtherText) {
  for (const char* text : {"", "{", "[1,]", "{\"a\":1}x", "\"\xff\""}) {
    EXPECT_THROW(readJson(text), nlohmann::json::exception) << text;
    EXPECT_THROW(readOrderedJson(text), nlohmann::json::exception) << text;
  }
}

TEST(JsonText, ReplacesBytesThatAreNotUtf8) {
  EXPECT_EQ(jsonText(nlohmann::json("a\xff.png")), "\"a\xef\xbf\xbd.png\"");
  EXPECT_EQ(jsonText(nlohmann::ordered_json("a\xff.png")), "\"a\xef\xbf\xbd.png\"");
}

}  // namespace
}  // namespace lacuna
