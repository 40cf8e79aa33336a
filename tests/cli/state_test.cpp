// What files of one command are for each other: inputs that its outputs would replace, and inputs that are
// still being written.

#include <fmt/format.h>

#include <chrono>
#include <cstring>

#include "tests/cli/denoise.h"
#include "tests/io/exr_parts.h"
#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

TEST_F(Denoise, AnInputIsReplacedOnlyByWhatIsMadeOfItAlone) {
  for (const char* name : {"a.png", "a1.png", "in_1.png", "in_2.png"})
    writeRandomPng(folder_.file(name), extent);
  fs::create_hard_link(folder_.file("a.png"), folder_.file("link.png"));
  writeParts(folder_.file("RGBA.exr"),
             {{"", {"R", "G", "B", "Second.Combined.R", "Second.Combined.G", "Second.Combined.B"}}});
  struct Case {
    std::vector<std::string> inputs;
    std::string output;
    bool isAllowed;  // by --overwrite-input
  };
  const Case cases[] = {{{"a.png"}, "a.png", true},
                        {{"a.png"}, "link.png", true},
                        {{"a.png", "a1.png"}, "{stem}.png", true},
                        {{"in_%d.png"}, "in_%d.png", true},
                        {{"in_%d.png", "a.png"}, "./", true},
                        {{"a.png", "a1.png"}, "{stem}1.png", false},
                        {{"a1.png", "a.png"}, "{stem}1.png", false},
                        {{"RGBA.exr"}, "{layer}.exr", false}};
  for (const Case& each : cases) {
    SCOPED_TRACE(each.inputs.front() + " " + each.output);
    std::vector<std::string> words = each.inputs;
    words.insert(words.end(), {"-o", each.output, "--dry-run"});
    const Outcome refused = run(words);
    EXPECT_EQ(refused.code, 2) << refused.err;
    EXPECT_NE(refused.err.find("would be written over the input"), std::string::npos) << refused.err;
    EXPECT_EQ(refused.err.find("--overwrite-input allows it") != std::string::npos, each.isAllowed)
        << refused.err;
    words.emplace_back("--overwrite-input");
    EXPECT_EQ(run(words).code, each.isAllowed ? 0 : 2);
  }
}

// Each differs from the first one in one property, by which a plan reads or writes.
TEST_F(Denoise, RandomPicturesThatAreNotAlikeShareNoPlan) {
  fs::create_directory(folder_.file("in"));
  const auto opaque = [](Format format, Extent size) {
    const std::string one = format == Format::u8    ? std::string("\xff")
                            : format == Format::u16 ? std::string("\xff\xff")
                            : format == Format::f16 ? std::string("\0\x3c", 2)
                                                    : std::string("\0\0\x80\x3f", 4);
    Picture picture = randomPicture(format, size);
    for (size_t at = 3 * one.size(); at < picture.pixels.size(); at += 4 * one.size())
      std::memcpy(&picture.pixels[at], one.data(), one.size());
    return picture;
  };
  const auto png = [&](const char* name, const Tags& tags, Format format = Format::u8, Extent size = {20, 12},
                       bool grey = false) {
    Picture picture = opaque(format, size);
    picture.grey = grey;
    writeTaggedPng(folder_.file(std::string("in/") + name + ".png"), picture, tags);
  };
  png("a", {});
  png("wide", {}, Format::u8, {21, 12});
  png("high", {}, Format::u8, {20, 13});
  png("deep", {}, Format::u16);
  png("grey", {}, Format::u8, {20, 12}, true);
  png("gamma", {.gamma = 1 / 1.8});
  png("less-gamma", {.gamma = 1 / 1.4});
  png("colours", {.whiteAndPrimaries = io::rec2020WhiteAndPrimaries});
  png("profile", {.profile = rgbProfile(io::rec2020WhiteAndPrimaries, 1.8)});
  png("other-profile", {.profile = rgbProfile(io::rec2020WhiteAndPrimaries, 2.4)});
  png("z", {});
  for (const Format format : {Format::f16, Format::f32}) {
    const Picture picture = opaque(format, {20, 12});
    writeImage("exr", folder_.file(format == Format::f16 ? "in/half.exr" : "in/float.exr"),
               {{"output", picture.type, picture.pixels}});
  }
  const Outcome outcome = run({"in", "-o", "out/", "--strength", "0"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string& name : namesIn(folder_.file("in"))) {
    SCOPED_TRACE(name);
    ASSERT_TRUE(exists("out/" + name));
    const std::string codec = fs::path(name).extension().string().substr(1);
    const std::string in = folder_.file("in/" + name), out = folder_.file("out/" + name);
    EXPECT_EQ(probeImage(codec, out, {"output"}), probeImage(codec, in, {"output"}));
    EXPECT_TRUE(readPlane(codec, out, "output") == readPlane(codec, in, "output"));
  }
}

// Files that native code reads beside the one that is named, as a scene's textures.
TEST_F(Denoise, WhatIsMadeOfAFileBesideIsMadeAgain) {
  for (const char* name : {"in-00", "in-01", "in-00.beside"})
    spill(folder_.file(name), name);
  spill(folder_.file("graph.cfg"),
        "lacuna:1\nframes:2\nmodule:any-source:01\nmodule:any-sink:01\n"
        "connect:any-source:01:output:any-sink:01:input\nparam:any-source:01:filename:in-%02d\n"
        "param:any-sink:01:filename:out-%02d\n");
  const auto resumed = [&](const std::vector<std::string>& more = {"--resume"}) {
    std::vector<std::string> words = {"run", "graph.cfg", "--modules", LACUNA_TEST_MODULES};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = runProgram(words, {folder_.path()});
    EXPECT_EQ(outcome.code, outcome.err.find("overwrite") == std::string::npos ? 0 : 2) << outcome.err;
    return outcome.err;
  };
  resumed({});
  EXPECT_NE(resumed().find("2 of 2 frames already exist\n"), std::string::npos);
  spill(folder_.file("in-00.beside"), "another");
  EXPECT_NE(resumed().find("0 of 2 frames already exist; made again: 2 of other inputs"), std::string::npos);
  EXPECT_NE(resumed({"-o", "in-00.beside", "--frames", "0"}).find("would overwrite in-00.beside"),
            std::string::npos);
}

TEST_F(Denoise, AwaitsAFileUntilItIsWholeOrStaysAsItIs) {
  writeRandomPng(folder_.file("in.png"), extent);
  const auto awaited = [&] {
    const auto begun = std::chrono::steady_clock::now();
    const Outcome outcome = run({"in.png", "-o", "out.png", "--missing", "wait", "--dry-run"});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    EXPECT_EQ(seconds > 9, outcome.code != 0) << seconds;
    EXPECT_EQ(outcome.err.find("waiting for in.png") != std::string::npos, outcome.code != 0) << outcome.err;
    return outcome.code;
  };
  ASSERT_EQ(awaited(), 0) << "whole, and just written";
  ASSERT_FALSE(HasFailure());
  fs::resize_file(folder_.file("in.png"), 20);
  EXPECT_EQ(awaited(), 2) << "damaged";
}

}  // namespace
}  // namespace lacuna::test
