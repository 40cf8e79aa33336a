// The table of the papers' figures in tools/bench/README.md: it is complete, and every command in it runs, at
// a small size.

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "graph/config/regex.h"
#include "graph/config/text.h"
#include "modules/codecs/image_file.h"
#include "tests/support/environment.h"
#include "tests/support/program.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

using Words = std::vector<std::string>;

struct PaperRow {
  std::string text, what, how;
};

std::vector<PaperRow> paperRows() {
  std::string table = slurp(LACUNA_TEST_FOLDER "/../tools/bench/README.md");
  table.erase(0, table.find("| text | what |"));
  std::vector<PaperRow> rows;
  for (const std::string_view line : splitLines(table)) {
    static const Regex cells(R"(^\| (.+) \| (.+) \| (.+) \|$)");
    const auto found = cells.find(line);
    if (!found) {
      if (rows.size() > 1)
        break;
      continue;
    }
    rows.push_back({found->groups[1], found->groups[2], found->groups[3]});
  }
  rows.erase(rows.begin());  // the titles
  return rows;
}

// Whether "figures 1 to 7" or "tables 6.1 and 6.2" has this number.
bool hasNumber(const std::string& what, const std::string& kind, double number) {
  const auto list = Regex(kind + "s? ([0-9][0-9., andto]*)").find(what);
  if (!list)
    return false;
  const auto ranges = Regex("([0-9.]+)( to ([0-9.]+))?").findAll(list->groups[1]);
  return std::any_of(ranges.begin(), ranges.end(), [number](const RegexMatch& range) {
    const std::string& last = range.groups[3].empty() ? range.groups[1] : range.groups[3];
    return number >= std::stod(range.groups[1]) && number <= std::stod(last);
  });
}

TEST(Papers, EveryFigureAndTableIsListedOnce) {
  struct Numbers {
    std::string text, kind;
    std::vector<double> numbers;
  };
  const Numbers all[] = {{"Dolp", "figure", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
                         {"Dolp, supplementary", "figure", {1, 2, 3}},
                         {"Larsson", "figure", {2.1, 2.6, 3.1, 3.4, 5.1, 5.6, 6.1, 6.2}},
                         {"Larsson", "table", {6.1, 6.2, 6.3, 6.4, 6.5, 6.6, 6.7, 6.8, 6.9}},
                         {"Szeracki", "figure", {1, 2, 3, 4, 5, 6}},
                         {"Vannson", "figure", {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}},
                         {"Vannson", "table", {1, 2}}};
  const std::vector<PaperRow> rows = paperRows();
  for (const Numbers& of : all) {
    for (const double number : of.numbers) {
      EXPECT_EQ(std::count_if(rows.begin(), rows.end(),
                              [&](const PaperRow& row) {
                                return row.text == of.text && hasNumber(row.what, of.kind, number);
                              }),
                1)
          << of.text << ", " << of.kind << " " << number;
    }
  }
}

TEST(Papers, EveryRowHasACommandOrAReason) {
  static const Regex how("`lacuna |a picture|a figure of another GPU|a hardware counter");
  for (const PaperRow& row : paperRows())
    EXPECT_TRUE(how.find(row.how)) << row.text << ", " << row.what << ": " << row.how;
}

// Where else it is stated, it is the table's.
TEST(Papers, AStillHasOneTimeInAllReadmes) {
  const auto figureIn = [](const std::string& file, const char* pattern) {
    const auto found = Regex(pattern).find(slurp(LACUNA_TEST_FOLDER "/../" + file));
    return found ? found->groups[1] : file + " has none";
  };
  const std::string still = figureIn("tools/bench/README.md", R"(1920x1080 \| \*\*([0-9.]+)\*\*)");
  EXPECT_EQ(figureIn("README.md", "([0-9.]+) ms with cnn-unet"), still);
  EXPECT_EQ(figureIn("modules/cnn-unet/README.md", "a still ([0-9.]+) ms"), still);
}

class PaperCommands : public testing::Test {
 protected:
  PaperCommands() {
    for (const char* name : {"examples", "tools"}) {
      fs::create_directory_symlink(fs::canonical(std::string(LACUNA_TEST_FOLDER "/../") + name),
                                   folder_.file(name));
    }
    const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, {20, 20}, 0};
    for (const char* name : {"rhf.exr", "noisy.exr", "reference.exr"})
      writeImage("exr", folder_.file(name), {{"output", type, randomPixels(type)}});
  }

  // Options that make a part of the bench quick, without those that the command has itself.
  static Words quick(const std::string& part, const Words& own) {
    const std::map<std::string, std::vector<Words>> all = {
        {"atrous", {{"--size", "24x16"}, {"--filter", "eaw"}, {"--schedule", "rows2@16x16/buffer"}}},
        {"bilateral",
         {{"--size", "33x17"}, {"--radius", "1"}, {"--schedule", "naive", "--schedule", "tiles/n2"}}},
        {"caches", {{"--size", "64x48"}}},
        {"device", {{"--quick"}}},
        {"gemm", {{"--size", "32"}, {"--pack", "none"}, {"--accumulate", "f32"}, {"--schedule", "naive"}}},
        {"rhf", {{"--size", "24x16"}, {"--samples", "4"}, {"--schedule", "once"}}},
        {"unet", {{"--size", "16x16"}}}};
    const auto has = [&own](const char* word) { return std::count(own.begin(), own.end(), word) > 0; };
    Words words;
    if (const auto found = all.find(part); found != all.end())
      for (const Words& option : found->second)
        if (!has(option.front().c_str()) && (option.front() != "--schedule" || !has("--quality")))
          words.insert(words.end(), option.begin(), option.end());
    if (part != "borders" && part != "caches")
      words.insert(words.end(), {"--runs", "1", "--limit", "0", "--preheat", "0", "--device", "cpu"});
    return words;
  }

  // The command's words with `quick` sizes in place of its own.
  static Words small(const std::string& command) {
    std::istringstream text(Regex("^lacuna | --(size|radius) [^ ]+").replace(command, ""));
    Words words{std::istream_iterator<std::string>(text), {}};
    if (words.at(0) == "bench") {
      const Words more = quick(words.at(1), words);
      words.insert(words.end(), more.begin(), more.end());
    }
    words.push_back("--json");
    return words;
  }

  void expectMeasured(const std::string& command, const nlohmann::json& tables) const {
    ASSERT_FALSE(tables.empty()) << command;
    for (const nlohmann::json& table : tables) {
      EXPECT_TRUE(table.contains("refused") ? table.at("name") == "tensor" : !table.at("rows").empty())
          << command << table;
      if (command.find("--plots plots") != std::string::npos) {
        EXPECT_TRUE(fs::exists(folder_.file("plots/" + table.at("name").get<std::string>() + ".svg")))
            << table.at("name");
      }
    }
  }

  const Folder folder_;
};

TEST_F(PaperCommands, RunWithRandomPictures) {
  static const Regex quoted("`(lacuna [^`]+)`");
  size_t count = 0;
  for (const PaperRow& row : paperRows()) {
    for (const RegexMatch& found : quoted.findAll(row.how)) {
      ++count;
      const std::string& command = found.groups[1];
      Surroundings where;
      where.folder = folder_.path();
      const Words words = small(command);
      // Its plain convolutions take longer to run than to compile.
      std::optional<Environment> optimising;
      if (words.at(1) == "unet")
        optimising.emplace("GALLIVM_PERF", "");
      const Outcome outcome = runProgram(words, where);
      ASSERT_EQ(outcome.code, 0) << command << '\n' << outcome.err;
      if (words.at(0) == "bench")
        expectMeasured(command, readJson(outcome.out).at("tables"));
    }
  }
  EXPECT_GE(count, 18U) << "commands were found";
}

}  // namespace
}  // namespace lacuna::test
