// lacuna denoise of many pictures: similar ones run together, with the same results as one by one.

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "modules/codecs/codec.h"
#include "tests/cli/denoise.h"
#include "tests/support/environment.h"

namespace lacuna::test {
namespace {

class Batch : public Denoise {
 protected:
  // Pictures of one size aren't neighbours in the order of names.
  void SetUp() override {
    fs::create_directories(folder_.file("in"));
    for (int i = 0; i < 12; ++i)
      writeRandomPng(in(i), i % 3 == 0 ? Extent{33, 21} : i % 3 == 1 ? Extent{21, 33} : Extent{1, 1});
  }

  std::string in(int i) const { return folder_.file(fmt::format("in/p{:02}.png", i)); }
  static std::string out(int i) { return fmt::format("out/p{:02}.png", i); }
};

TEST_F(Batch, EachPictureIsAsItIsAlone) {
  ASSERT_EQ(run({"in", "-o", "out/"}).code, 0);
  for (int i = 0; i < 12; ++i) {
    ASSERT_EQ(run({in(i), "-o", "alone.png", "-q"}).code, 0);
    EXPECT_EQ(slurp(folder_.file(out(i))), slurp(folder_.file("alone.png"))) << out(i);
  }
}

TEST_F(Batch, PicturesOfDifferentSizesRunSideBySide) {
  fs::create_directories(folder_.file("sizes"));
  constexpr uint32_t count = 9;
  for (uint32_t i = 0; i < count; ++i)
    writeRandomPng(folder_.file(fmt::format("sizes/{}.png", i)), Extent{30 + i, 50 - 2 * i});
  fs::resize_file(folder_.file("sizes/4.png"), 100);
  const Outcome outcome = run({"sizes", "-o", "out/", "--json"});
  EXPECT_EQ(outcome.code, 4) << outcome.out;
  ASSERT_EQ(run({"sizes", "-o", "one/", "--in-flight", "1", "-q"}).code, 4);
  const auto json = readJson(outcome.out);
  for (size_t i = 0; i < count; ++i) {
    const std::string name = fmt::format("{}.png", i);
    EXPECT_EQ(exists("out/" + name), i != 4) << name;
    EXPECT_EQ(slurp(folder_.file("out/" + name)), slurp(folder_.file("one/" + name))) << name;
    EXPECT_EQ(json.at("inputs").at(i).value("frames", 0), i == 4 ? 0 : 1) << outcome.out;
  }
}

size_t filesIn(const std::string& folder) {
  if (!fs::exists(folder)) {
    return 0;
  }
  return static_cast<size_t>(std::ranges::count_if(
      fs::recursive_directory_iterator(folder), [](const auto& entry) { return entry.is_regular_file(); }));
}

TEST_F(Batch, ANewSizeCompilesNothing) {
  const Environment mesa("MESA_SHADER_CACHE_DIR", folder_.file("driver")),
      lacuna("LACUNA_CACHE", folder_.file("own")), kept("MESA_SHADER_CACHE_DISABLE", "false");
  writeRandomPng(folder_.file("a.png"), Extent{330, 210});
  writeRandomPng(folder_.file("b.png"), Extent{317, 223});
  ASSERT_EQ(run({"a.png", "-o", "a-out.png", "-q"}).code, 0);
  const size_t driver = filesIn(folder_.file("driver")), own = filesIn(folder_.file("own"));
  EXPECT_GT(driver, 5U);
  ASSERT_EQ(run({"b.png", "-o", "b-out.png", "-q"}).code, 0);
  EXPECT_EQ(filesIn(folder_.file("driver")), driver);
  EXPECT_EQ(filesIn(folder_.file("own")), own);
}

TEST_F(Batch, EachFileKeepsItsOwnMetadata) {
  const std::vector<std::string> names = {"a.jpg", "b.jpg", "c.jpg"};
  std::mt19937_64 random(3);
  for (const std::string& name : names) {
    const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, Extent{40, 30}};
    writeImage("jpg", folder_.file(name), {{"output", type, randomPixels(type, random)}});
    const std::string comment = std::string("\xff\xfe\0", 3) + static_cast<char>(name.size() + 2) + name;
    spill(folder_.file(name), slurp(folder_.file(name)).insert(2, comment));
  }
  ASSERT_EQ(run({"a.jpg", "b.jpg", "c.jpg", "-o", "out/"}).code, 0);
  for (const std::string& name : names)
    EXPECT_EQ(io::codecOfWord("jpg")->metadata(folder_.file("out/" + name)).comments,
              std::vector<std::string>{name});
}

TEST_F(Batch, ADamagedPictureCostsOnlyItself) {
  fs::resize_file(in(3), fs::file_size(in(3)) / 2);
  const Outcome outcome = run({"in", "-o", "out/", "--json"});
  EXPECT_EQ(outcome.code, 4) << outcome.out;
  const auto json = readJson(outcome.out);
  ASSERT_EQ(json.at("inputs").size(), 12U);
  for (int i = 0; i < 12; ++i) {
    const auto& input = json["inputs"][static_cast<size_t>(i)];
    EXPECT_EQ(exists(out(i)), i != 3) << out(i);
    EXPECT_EQ(input.at("input"), fmt::format("in/p{:02}.png", i));
    EXPECT_EQ(input.at("frames"), i == 3 ? 0 : 1) << input;
    EXPECT_EQ(input.at("leftOut").size(), i == 3 ? 1U : 0U) << input;
  }
  ASSERT_EQ(json.at("messages").size(), 1U) << outcome.out;
  EXPECT_NE(json["messages"][0]["message"].get<std::string>().find("p03.png"), std::string::npos);
}

TEST_F(Batch, AnotherPictureInTheListIsNoReasonToRunOthersAgain) {
  ASSERT_EQ(run({"in", "-o", "out/", "-q"}).code, 0);
  writeRandomPng(folder_.file("in/a.png"), Extent{33, 21});
  writeRandomPng(in(6), Extent{33, 21});
  fs::remove(folder_.file(out(7)));
  const auto before = fs::last_write_time(folder_.file(out(9)));
  const Outcome outcome = run({"in", "-o", "out/", "--resume"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(exists("out/a.png") && exists(out(7)));
  EXPECT_EQ(fs::last_write_time(folder_.file(out(9))), before);
  EXPECT_NE(outcome.err.find("4 of 5 pictures already exist"), std::string::npos) << outcome.err;
}

TEST_F(Batch, AMistakeInTheGraphEndsIt) {
  spill(folder_.file("graph.cfg"), exposureGraph("in/p00.png", "out.png"));
  const Outcome outcome = runProgram(
      {"run", "graph.cfg", "-i", "in", "-o", "out/", "-p", "exposure:01:stops=99"}, {folder_.path()});
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.err.find("json"), std::string::npos) << outcome.err;
  EXPECT_FALSE(exists("out"));
}

TEST_F(Batch, NoClobberNamesWhatItKeeps) {
  fs::create_directories(folder_.file("out"));
  std::ofstream(folder_.file(out(4))) << "mine";
  const Outcome outcome = run({"in", "-o", "out/", "--no-clobber", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(slurp(folder_.file(out(4))), "mine");
  EXPECT_EQ(readJson(outcome.out)["inputs"][4]["kept"][0], out(4));
}

// A limit on file sizes acts like a full disk, but only for large pictures.
TEST_F(Batch, WhatCantBeWrittenIsNamedAndTheOthersAre) {
  fs::create_directories(folder_.file("big"));
  const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, Extent{64, 64}};
  std::mt19937_64 random(4);
  for (const char* name : {"big/a.pfm", "big/b.pfm"})
    writeImage("pfm", folder_.file(name), {{"output", type, randomPixels(type, random)}});
  const Outcome outcome = runProgram({"denoise", "big", "-o", "out/{stem}.pfm", "--json"},
                                     {.folder = folder_.path(), .limit = "-f 40"});
  EXPECT_EQ(outcome.code, 4) << outcome.out;
  const auto json = readJson(outcome.out);
  EXPECT_EQ(json.at("messages").size(), 2U) << outcome.out;
  EXPECT_FALSE(exists("out/a.pfm") || exists("out/b.pfm"));
}

// The same device twice: everything exists twice, and the bits are the same.
TEST_F(Batch, DevicesShareThePictures) {
  ASSERT_EQ(run({"in", "-o", "one/", "-q"}).code, 0);
  const Outcome outcome = run({"in", "-o", "out/", "--device", "llvmpipe,cpu", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(slurp(folder_.file(out(i))), slurp(folder_.file("one" + out(i).substr(3)))) << out(i);
  for (const auto& input : readJson(outcome.out).at("inputs"))
    EXPECT_EQ(input.at("frames"), 1) << input;
}

// Each part's history begins with a warm-up, so results are equal if that covers all frames before.
TEST_F(Batch, DevicesShareTheFramesOfASequence) {
  writeMoving("shot_%04d.exr", 5, 9, -3, 2);
  ASSERT_EQ(run({"shot_%04d.exr", "-o", "a_%04d.exr", "--method", "svgf", "-q"}).code, 0);
  const Outcome outcome = run({"shot_%04d.exr", "-o", "b_%04d.exr", "--method", "svgf", "--device",
                               "llvmpipe,cpu", "--warm-up", "1000"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (int frame = 5; frame < 14; ++frame)
    EXPECT_EQ(slurp(folder_.file(fmt::format("a_{:04}.exr", frame))),
              slurp(folder_.file(fmt::format("b_{:04}.exr", frame))));
}

TEST_F(Batch, WhatALostDeviceLeavesIsRunByTheOthers) {
  ASSERT_EQ(run({"in", "-o", "one/", "-q"}).code, 0);
  const Environment folder("VK_LAYER_PATH", LACUNA_TEST_LAYERS),
      names("VK_INSTANCE_LAYERS", "VK_LAYER_LACUNA_lost_device"), lost("LACUNA_TEST_LOST_AT", "2");
  const Outcome outcome = run({"in", "-o", "out/", "--device", "llvmpipe,cpu", "--in-flight", "1"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_NE(outcome.err.find("device lost while it computed"), std::string::npos) << outcome.err;
  EXPECT_NE(outcome.err.find("the other devices have run its frames"), std::string::npos) << outcome.err;
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(slurp(folder_.file(out(i))), slurp(folder_.file("one" + out(i).substr(3)))) << out(i);
}

// Those that a device has written before it is lost aren't run again.
TEST_F(Batch, FramesOfALostDeviceAreWrittenOnce) {
  constexpr int frames = 24;  // 3 in each part
  for (int frame = 0; frame < frames; ++frame)
    fs::create_hard_link(in(2), folder_.file(fmt::format("in/{}.png", frame)));
  spill(folder_.file("graph.cfg"),
        exposureGraph("in/%d.png", "out/%d.png", fmt::format("frames:{}\n", frames)));
  const Environment folder("VK_LAYER_PATH", LACUNA_TEST_LAYERS),
      names("VK_INSTANCE_LAYERS", "VK_LAYER_LACUNA_lost_device"), lost("LACUNA_TEST_LOST_AT", "2");
  const Outcome outcome = runProgram(
      {"run", "graph.cfg", "--device", "llvmpipe,cpu", "--in-flight", "1", "--json"}, {folder_.path()});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_EQ(readJson(outcome.out).at("frames"), frames) << outcome.out;
}

TEST_F(Batch, AGraphTakesFoldersAndPatterns) {
  ASSERT_EQ(run({"in/p03.png", "-o", "alone.png", "--save-graph", "my.cfg", "-q"}).code, 0);
  const auto runs = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"run", "my.cfg"});
    return runProgram(words, {folder_.path()});
  };
  const Outcome folder = runs({"-i", "in", "-o", "out/"});
  EXPECT_EQ(folder.code, 0) << folder.err;
  EXPECT_NE(folder.err.find("12 of 12 inputs in "), std::string::npos) << folder.err;
  EXPECT_EQ(slurp(folder_.file(out(3))), slurp(folder_.file("alone.png")));
  EXPECT_EQ(runs({"-i", "in/p0*.png", "-o", "new/{stem}-b.png", "-q"}).code, 0);
  EXPECT_TRUE(exists("new/p03-b.png") && exists("new/p09-b.png") && !exists("new/p10-b.png"));
  EXPECT_NE(runs({"-i", "in"}).err.find("-i in: expected -o FOLDER/, or a name with {stem}"),
            std::string::npos);
  EXPECT_NE(runs({"-i", "in", "-o", "in/"}).err.find("in/p00.png"), std::string::npos);
  EXPECT_NE(runs({"-i", "in/p00.png", "in/p01.png", "-o", "out/"}).err.find("-i '*.jpg'` in quotes"),
            std::string::npos);
}

TEST_F(Batch, WrongListsOfDevices) {
  const std::pair<const char*, const char*> cases[] = {
      {"llvmpipe,", "--device llvmpipe,: expected names with commas between them"},
      {"llvmpipe,no such", "no device matches 'no such'"}};
  for (const auto& [devices, message] : cases) {
    const Outcome outcome = run({"in", "-o", "out/", "--device", devices});
    EXPECT_TRUE(outcome.code == 2 || outcome.code == 3) << outcome.code;
    EXPECT_NE(outcome.err.find(message), std::string::npos) << outcome.err;
    EXPECT_FALSE(exists("out"));
  }
}

}  // namespace
}  // namespace lacuna::test
