// i-file and o-file: the formats' own modules' results, by content and by extension; standard input and
// output; names that a sink refuses.

#include <fmt/format.h>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class FileModules : public testing::Test {
 protected:
  void SetUp() override { writeRandomPng(folder_.file("in.png"), {31, 22}); }

  std::string path(const std::string& name) const { return folder_.file(name); }

  // source:01 (file `from`) -> sink:01 (file `to`), and `more` lines.
  std::string graph(const std::string& source, const std::string& from, const std::string& sink,
                    const std::string& to, const std::string& more = {}) const {
    return fmt::format(
        "lacuna:1\nmodule:{0}:01\nmodule:{2}:01\nconnect:{0}:01:output:{2}:01:input\n"
        "param:{0}:01:filename:\"{1}\"\nparam:{2}:01:filename:\"{3}\"\n{4}",
        source, from, sink, to, more);
  }

  Outcome run(const std::string& text, const std::vector<std::string>& options = {},
              Surroundings surroundings = {}) const {
    spill(path("graph.cfg"), text);
    std::vector<std::string> words = {"run", path("graph.cfg")};
    words.insert(words.end(), options.begin(), options.end());
    surroundings.folder = folder_.path();
    return runProgram(words, surroundings);
  }

  void expectRuns(const std::string& text) const {
    const Outcome outcome = run(text, {"-q"});
    EXPECT_EQ(outcome.code, 0) << text << outcome.err;
    EXPECT_EQ(outcome.err, "");
  }

  // Exit code 2, each with one of `messages`, and no new file.
  void expectRefused(const std::string& text, const std::vector<std::string>& messages,
                     const std::vector<std::string>& options = {}) const {
    spill(path("graph.cfg"), text);
    const std::string before = listing(folder_.path());
    const Outcome outcome = run(text, options, {.folder = folder_.path()});
    EXPECT_EQ(outcome.code, 2) << text << outcome.err;
    EXPECT_EQ(outcome.out, "");
    for (const std::string& message : messages) {
      EXPECT_NE(outcome.err.find(message), std::string::npos) << message << " is not in\n" << outcome.err;
    }
    spill(path("graph.cfg"), "");
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      EXPECT_NE(before.find(entry.path().string()), std::string::npos) << entry.path() << " is new";
    }
  }

  // The random picture in each format, as in.png, in.jpg, ...
  void makeInputs() const {
    for (const char* extension : {"jpg", "exr", "pfm", "npy"}) {
      expectRuns(graph("i-png", "in.png", std::string("o-") + extension, std::string("in.") + extension));
    }
  }

  const Folder folder_;
};

TEST_F(FileModules, ReadAsTheFormatsOwnModulesDo) {
  makeInputs();
  for (const char* format : {"png", "jpg", "exr", "pfm", "npy"}) {
    // The name doesn't determine the format; the content does.
    fs::copy_file(path(std::string("in.") + format), path(std::string(format) + ".dat"));
    for (const char* encoding : {"", "linear"}) {
      const bool hasEncoding = std::string(format) == "png" || std::string(format) == "jpg";
      if (*encoding != '\0' && !hasEncoding) {
        continue;
      }
      const auto more = [&](const std::string& module) {
        return *encoding == '\0' ? "" : fmt::format("param:{}:01:encoding:{}\n", module, encoding);
      };
      const std::string own = std::string("i-") + format, file = std::string(format) + ".dat";
      expectRuns(graph(own, file, "o-npy", "own.npy", more(own)));
      expectRuns(graph("i-file", file, "o-npy", "any.npy", more("i-file")));
      EXPECT_EQ(slurp(path("own.npy")), slurp(path("any.npy"))) << format << " " << encoding;
    }
  }
}

TEST_F(FileModules, WriteAsTheFormatsOwnModulesDo) {
  for (const char* format : {"png", "jpg", "exr", "pfm", "npy"}) {
    const std::string own = std::string("o-") + format;
    expectRuns(graph("i-png", "in.png", own, std::string("own.") + format));
    expectRuns(graph("i-png", "in.png", "o-file", std::string("any.") + format));
    EXPECT_EQ(slurp(path(std::string("own.") + format)), slurp(path(std::string("any.") + format))) << format;
  }
  expectRuns(graph("i-png", "in.png", "o-png", "own16.png", "param:o-png:01:bits:16\n"));
  expectRuns(graph("i-png", "in.png", "o-file", "any16.PNG", "param:o-file:01:bits:16\n"));
  EXPECT_EQ(slurp(path("own16.png")), slurp(path("any16.PNG")));
  expectRuns(graph("i-png", "in.png", "o-jpg", "own70.jpeg", "param:o-jpg:01:quality:70\n"));
  expectRuns(graph("i-png", "in.png", "o-file", "any70.jpeg", "param:o-file:01:quality:70\n"));
  EXPECT_EQ(slurp(path("own70.jpeg")), slurp(path("any70.jpeg")));
}

TEST_F(FileModules, PlanesOfARenderGoThrough) {
  const std::string render = LACUNA_TEST_FOLDER "/../examples/inputs/render.exr";
  const auto through = [&](const std::string& source, const std::string& sink, const std::string& to) {
    std::string more;
    for (const char* plane : {"albedo", "normal", "depth"}) {
      more += fmt::format("connect:{0}:01:{2}:{1}:01:{2}\n", source, sink, plane);
    }
    expectRuns(graph(source, render, sink, to, more));
  };
  through("i-exr", "o-exr", "own.exr");
  through("i-file", "o-file", "any.exr");
  EXPECT_EQ(slurp(path("own.exr")), slurp(path("any.exr")));
}

TEST_F(FileModules, PlanesThatAFormatHasNotAreRefused) {
  expectRefused(graph("i-file", "in.png", "o-file", "out.exr", "connect:i-file:01:albedo:o-file:01:albedo\n"),
                {"in.png: a PNG file holds one image, 'output', but 'albedo' is connected"});
  const std::string render = LACUNA_TEST_FOLDER "/../examples/inputs/render.exr";
  expectRefused(graph("i-file", render, "o-file", "out.png",
                      "connect:i-file:01:albedo:o-file:01:albedo\nconnect:i-file:01:depth:o-file:01:depth\n"),
                {"out.png: a PNG file holds one image, 'input', but 'albedo', 'depth' are connected"});
}

TEST_F(FileModules, ParametersThatAFormatHasNotAreRefused) {
  expectRefused(graph("i-png", "in.png", "o-file", "out.png", "param:o-file:01:quality:90\n"),
                {"graph.cfg:7:", "out.png: 'quality' is for JPEG, not for PNG"});
  expectRefused(graph("i-file", "in.png", "o-png", "out.png", "param:i-file:01:motion:blender\n"),
                {"graph.cfg:7:", "in.png: 'motion' is for OpenEXR, not for PNG"});
  expectRefused(graph("i-file", "in.png", "o-png", "out.png", "param:i-file:01:format:jpg\n"),
                {"in.png: expected JPEG, but this is a PNG file"});
}

TEST_F(FileModules, WrongExtensionsAreRefused) {
  const std::string text = exposureGraph("in.png", "out.png");
  for (const char* name : {"x.jpg", "x.JPEG", "x.exr", "x.npy"}) {
    const std::string writer = std::string(name).find("pg") == 3 || name[2] == 'J' ? "o-jpg"
                               : name[2] == 'e'                                    ? "o-exr"
                                                                                   : "o-npy";
    expectRefused(text, {fmt::format("{}: PNG would be written", name), writer, "o-file"},
                  {"-o", std::string("o-png:01=") + name});
  }
  expectRefused(text, {"x.tmp: PNG would be written, but the name ends with '.tmp'; expected '.png'"},
                {"-o", "o-png:01=x.tmp"});
  expectRefused(graph("i-png", "in.png", "o-exr", "x.png"), {"x.png: OpenEXR would be written", "o-png"});
  EXPECT_EQ(run(text, {"-o", "o-png:01=" + path("plain")}).code, 0);
  EXPECT_EQ(codecOfFile(path("plain")), "png");
}

TEST_F(FileModules, UnknownExtensionsAreRefused) {
  expectRefused(graph("i-png", "in.png", "o-file", "x.tmp"),
                {"x.tmp: '.tmp' is not an extension", ".png, .jpg, .jpeg, .jpe, .jfif, .exr, .pfm, .npy"});
  expectRefused(graph("i-png", "in.png", "o-file", "x"), {"x: the name has no extension", ".png, .jpg"});
  expectRuns(graph("i-png", "in.png", "o-file", "x", "param:o-file:01:format:pfm\n"));
  EXPECT_EQ(codecOfFile(path("x")), "pfm");
}

TEST_F(FileModules, StandardStreams) {
  expectRuns(graph("i-png", "in.png", "o-png", "out.png"));
  const std::string text = graph("i-file", "-", "o-file", "-");
  const Outcome piped = run(text, {"--time"}, {.input = path("in.png")});
  EXPECT_EQ(piped.code, 0) << piped.err;
  EXPECT_EQ(piped.out, slurp(path("out.png")));
  const Outcome asExr = run(text, {"-p", "o-file:01:format=exr"}, {.input = path("in.png")});
  EXPECT_EQ(asExr.out.substr(0, 4), "\x76\x2f\x31\x01");
  // The special modules' too, and by -o.
  const Outcome other = run(graph("i-png", "-", "o-png", "out.png"), {"-o", "o-png:01=-"},
                            {.folder = folder_.path(), .input = path("in.png")});
  EXPECT_EQ(other.out, slurp(path("out.png")));
  EXPECT_FALSE(fs::exists(path("-")));
}

TEST_F(FileModules, StandardStreamsGoneWrong) {
  const std::string text = graph("i-file", "-", "o-file", "-");
  const Outcome empty = run(text);
  EXPECT_EQ(empty.code, 2);
  EXPECT_NE(empty.err.find("standard input: expected an image file, but it is empty"), std::string::npos)
      << empty.err;
  spill(path("text"), "no picture");
  const Outcome noPicture = run(text, {}, {.input = path("text")});
  EXPECT_EQ(noPicture.code, 2);
  EXPECT_NE(noPicture.err.find("standard input: its first bytes are not those of a known image file"),
            std::string::npos)
      << noPicture.err;
  EXPECT_EQ(noPicture.out, "");
  expectRefused(graph("i-file", "in.png", "o-file", "-", "frames:3\nparam:i-file:01:still:true\n"),
                {"o-file:01 would write all 3 frames to standard output"});
  expectRefused(graph("i-file", "in.png", "o-file", "-",
                      "module:o-png:02\nconnect:i-file:01:output:o-png:02:input\n"
                      "param:o-png:02:filename:\"-\"\n"),
                {"o-file:01 and o-png:02 both write standard output"});
}

TEST_F(FileModules, SequencesOfAnyFormat) {
  fs::copy_file(path("in.png"), path("in_0.png"));
  writeRandomPng(path("in_1.png"), {31, 22});
  EXPECT_EQ(run(graph("i-file", "in_%d.png", "o-file", "out_%02d.exr", "frames:2\n")).code, 0);
  EXPECT_EQ(codecOfFile(path("out_00.exr")), "exr");
  EXPECT_NE(slurp(path("out_00.exr")), slurp(path("out_01.exr")));
}

}  // namespace
}  // namespace lacuna::test
