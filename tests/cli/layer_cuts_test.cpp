// The estimates of cnn-unet's layers on matrices against what was measured (layer-cuts.csv).

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

using Cuts = std::map<std::array<int, 3>, double>;  // rows, wide, groups: microseconds

std::map<std::pair<std::string, int>, Cuts> measuredCuts() {
  std::ifstream file(testFolder() + "/cli/layer-cuts.csv");
  std::map<std::pair<std::string, int>, Cuts> all;
  std::vector<std::array<int, 3>> columns;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string width, height, layer, word;
    for (std::string* first : {&width, &height, &layer})
      std::getline(words, *first, ',');
    for (size_t i = 0; std::getline(words, word, ','); ++i) {
      std::array<int, 3> cut{};
      if (std::sscanf(word.c_str(), "%d/%d/%d", &cut[0], &cut[1], &cut[2]) == 3)
        columns.push_back(cut);
      else if (!columns.empty() && !word.empty())
        all[{width + "x" + height, std::stoi(layer)}][columns.at(i)] = std::stod(word);
    }
  }
  return all;
}

// The number behind a word of a schedule's name, else the only one that the layer has.
int numberIn(const std::string& schedule, const std::string& word, int otherwise) {
  const size_t at = schedule.find(word);
  return at == std::string::npos ? otherwise : std::stoi(schedule.substr(at + word.size()));
}

TEST(LayerCuts, TheEstimateChoosesGoodOnes) {
  std::map<std::string, nlohmann::json> plans;
  double chosen = 0.0, best = 0.0;
  for (const auto& [place, cuts] : measuredCuts()) {
    const auto& [size, layer] = place;
    nlohmann::json& plan = plans[size];
    if (plan.is_null()) {
      const size_t x = size.find('x');
      plan = jsonOf({"plan", LACUNA_TEST_FOLDER "/../pipelines/cnn-unet.cfg", "--model", "nvidia", "--json",
                     "-p", "pathtrace:01:width=" + size.substr(0, x), "-p",
                     "pathtrace:01:height=" + size.substr(x + 1)});
    }
    const std::string node = fmt::format("cnn-unet:01:layers/layer{}", layer);
    const auto& choices = plan.at("choices");
    const auto choice = std::find_if(choices.begin(), choices.end(),
                                     [&](const nlohmann::json& each) { return each.at("node") == node; });
    ASSERT_NE(choice, choices.end()) << node;
    const std::string schedule = choice->at("schedule");
    ASSERT_TRUE(schedule.starts_with("matrices@32x")) << schedule;
    const auto found = cuts.find(
        {numberIn(schedule, "/rows", 4), numberIn(schedule, "/wide", 1), numberIn(schedule, "@32x", 0)});
    ASSERT_NE(found, cuts.end()) << size << " " << node << ": " << schedule << " wasn't measured";
    const double least =
        std::ranges::min_element(cuts, {}, [](const auto& cut) { return cut.second; })->second;
    EXPECT_LE(found->second, 1.12 * least) << size << " " << node << ": " << schedule;
    chosen += found->second;
    best += least;
  }
  EXPECT_EQ(plans.size(), 2U);
  EXPECT_LE(chosen, 1.025 * best);
}

}  // namespace
}  // namespace lacuna::test
