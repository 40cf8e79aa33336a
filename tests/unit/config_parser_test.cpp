#include <gtest/gtest.h>

#include <random>

#include "graph/config/config.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"

namespace lacuna {
namespace {

Config parseRight(const std::string& text) {
  Diagnostics diagnostics;
  Config config = parseConfigText(text, "folder/graph.cfg", diagnostics);
  EXPECT_EQ(diagnostics.render(), "") << text;
  return config;
}

TEST(Parser, ReadsEveryKindOfLine) {
  const std::string lines =
      "frames:240\n"
      "fps:23.976\n"
      "module:i-exr:beauty:10.5:-20\n"
      "module:svgf:01\n"
      "connect:i-exr:beauty:output:svgf:01:input\n"
      "feedback:svgf:01:output:svgf:01:history\n"
      "param:svgf:01:edges:4:2:1\n"
      "param:i-exr:beauty:filename:\"a b:c\\\"d\\\\.exr\"\n"
      "keyframe:10:svgf:01:sigma:4.0:linear\n"
      "keyframe:20:svgf:01:sigma:4.0:5.0:step\n"
      "keyframe:30:svgf:01:curve:linear\n";
  const Config config = parseRight("# a comment\n\nlacuna:1 # the version\n" + lines);
  EXPECT_EQ(print(config), "lacuna:1\n" + lines);
  EXPECT_EQ(config.folder, "folder");
  EXPECT_EQ(config.file, 0);
  EXPECT_EQ(config.params.at(1).values.at(0).text, "a b:c\"d\\.exr");
  EXPECT_EQ(config.keyframes.at(1).values.size(), 2U);
  EXPECT_EQ(config.keyframes.at(2).values.at(0).text, "linear") << "the only value is not an interpolation";
}

TEST(Parser, KnowsWhereWordsAre) {
  const Config config = parseRight("lacuna:1\n  param:a:b:name:\"x y\":7\n");
  const ParamLine& line = config.params.at(0);
  EXPECT_EQ(line.name.where.line, 2);
  EXPECT_EQ(line.name.where.column, 13);
  EXPECT_EQ(line.name.where.length, 4);
  EXPECT_EQ(line.values[0].where.column, 18);
  EXPECT_EQ(line.values[0].where.length, 5);
  EXPECT_EQ(line.values[1].where.column, 24);
}

TEST(Parser, CommentsStartAfterSpaceOnly) {
  const Config config = parseRight("lacuna:1\nparam:a:b:c:x#y # z\nparam:a:b:c:\"# no comment\" #\n# all\n");
  EXPECT_EQ(config.params.at(0).values.at(0).text, "x#y");
  EXPECT_EQ(config.params.at(1).values.at(0).text, "# no comment");
}

TEST(Parser, ToleratesByteOrderMarkAndCarriageReturns) {
  const Config config = parseRight("\xEF\xBB\xBFlacuna:1\r\nmodule:a:b\r\n");
  EXPECT_EQ(config.modules.at(0).owner.instance.text, "b");
}

TEST(Parser, IncludesRelativeToTheIncludingFile) {
  const test::Folder folder;
  folder.write("common/a.cfg", "include:\"b.cfg\"\nmodule:m:2\n");
  folder.write("common/b.cfg", "lacuna:1\nmodule:m:1\n");
  Diagnostics diagnostics;
  const Config config =
      parseConfigFile(folder.write("main.cfg", "lacuna:1\ninclude:common/a.cfg\nmodule:m:3\n"), diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  EXPECT_EQ(config.folder, folder.path());
  std::string order;
  for (const ModuleLine& line : config.modules)
    order += line.owner.instance.text;
  EXPECT_EQ(order, "123");
  EXPECT_EQ(diagnostics.fileName(config.modules[0].owner.module.where.file), folder.file("common/b.cfg"));
}

// A thousand files that each include the next one twice would be 2^1000 lines.
TEST(Parser, EndsOnIncludesThatMultiply) {
  const test::Folder folder;
  constexpr int files = 30;
  for (int i = 0; i < files; ++i) {
    const std::string next = i + 1 < files ? "include:" + std::to_string(i + 1) + ".cfg\n" : "";
    folder.write(std::to_string(i) + ".cfg", "lacuna:1\n" + next + next);
  }
  Diagnostics diagnostics;
  parseConfigFile(folder.file("0.cfg"), diagnostics);
  const auto errors = diagnostics.sorted();
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].message, "more than 1000 files are included");
}

std::string randomText(std::mt19937_64& random) {
  const std::vector<std::string> pieces = {"a", "7",      ":",    " ", "\"", "\\",
                                           "#", "linear", "step", "ö", "-",  "."};
  std::string text;
  for (size_t i = random() % 6; i > 0; --i)
    text += pieces[random() % pieces.size()];
  return text;
}

Word randomName(std::mt19937_64& random) {
  const std::vector<std::string> names = {"a", "i-exr", "linear", "B_2", "0"};
  return {names[random() % names.size()], {}, false};
}

ParamLine randomParam(std::mt19937_64& random, bool keyframe) {
  ParamLine line{{randomName(random), randomName(random)}, randomName(random), {}, {}};
  for (size_t count = 1 + random() % 3; count > 0; --count)
    line.values.push_back({randomText(random), {}, false});
  if (keyframe) {
    line.frame = static_cast<int>(random() % 1000);
    line.interpolation = static_cast<Interpolation>(random() % 3);
  }
  return line;
}

void expectEqual(const ParamLine& a, const ParamLine& b) {
  EXPECT_EQ(a.owner.name(), b.owner.name());
  EXPECT_EQ(a.name.text, b.name.text);
  EXPECT_EQ(a.frame, b.frame);
  EXPECT_EQ(a.interpolation, b.interpolation);
  ASSERT_EQ(a.values.size(), b.values.size());
  for (size_t i = 0; i < a.values.size(); ++i)
    EXPECT_EQ(a.values[i].text, b.values[i].text);
}

TEST(Print, RandomParsesBackToTheSame) {
  std::mt19937_64& random = test::testRandom();
  for (int round = 0; round < 500; ++round) {
    Config config;
    config.frames = 1 + static_cast<int>(random() % 100);
    config.framesPerSecond = 0.1F * static_cast<float>(1 + random() % 1000);
    config.modules.push_back({{randomName(random), randomName(random)}, {}});
    config.modules.push_back({{randomName(random), randomName(random)},
                              std::array<float, 2>{static_cast<float>(random()) * 1e-3F, -0.1F}});
    config.connections.push_back({{{randomName(random), randomName(random)}, randomName(random)},
                                  {{randomName(random), randomName(random)}, randomName(random)},
                                  random() % 2 == 0});
    for (int i = 0; i < 4; ++i) {
      config.params.push_back(randomParam(random, false));
      config.keyframes.push_back(randomParam(random, true));
    }
    const Config back = parseRight(print(config));
    EXPECT_EQ(print(back), print(config));
    EXPECT_EQ(back.framesPerSecond, config.framesPerSecond);
    EXPECT_EQ(back.modules.at(1).position, config.modules[1].position);
    ASSERT_EQ(back.params.size(), config.params.size());
    ASSERT_EQ(back.keyframes.size(), config.keyframes.size());
    for (size_t i = 0; i < config.params.size(); ++i) {
      expectEqual(back.params[i], config.params[i]);
      expectEqual(back.keyframes[i], config.keyframes[i]);
    }
    if (HasFailure())
      break;
  }
}

}  // namespace
}  // namespace lacuna
