// Graphs that don't fit the files that they name: exit code 2, nothing written, a message with file and
// reason.

#include <fmt/format.h>
#include <zlib.h>

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class WrongFiles : public testing::Test {
 protected:
  void SetUp() override { writeRandomPng(folder_.file("in.png"), {7, 5}); }

  // Runs and checks a graph that must be refused with all of `messages`.
  void expectRefused(const std::string& graph, const std::vector<std::string>& messages,
                     const std::vector<std::string>& options = {}) {
    spill(folder_.file("graph.cfg"), graph);
    const std::string before = listing(folder_.path());
    for (const std::string command : {"run", "check"}) {
      std::vector<std::string> words = {command, folder_.file("graph.cfg")};
      words.insert(words.end(), options.begin(), options.end());
      const Outcome outcome = runProgram(words, {.folder = folder_.path()});
      EXPECT_EQ(outcome.code, 2) << command << "\n" << outcome.err;
      EXPECT_EQ(outcome.out, "") << command;
      for (const std::string& message : messages) {
        EXPECT_NE(outcome.err.find(message), std::string::npos)
            << command << ": '" << message << "' is not in\n"
            << outcome.err;
      }
    }
    EXPECT_EQ(listing(folder_.path()), before);
  }

  // A PNG file whose header promises another size; its checksum is right.
  void writePngOfSize(const std::string& name, uint32_t width, uint32_t height) {
    std::string bytes = slurp(folder_.file("in.png"));
    const auto put = [&](size_t at, uint32_t value) {
      for (size_t i = 0; i < 4; ++i) {
        bytes[at + i] = static_cast<char>(value >> (24 - 8 * i) & 255U);
      }
    };
    put(16, width);
    put(20, height);
    put(29, static_cast<uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()) + 12, 17)));
    spill(folder_.file(name), bytes);
  }

  const Folder folder_;
};

TEST_F(WrongFiles, MissingInput) {
  expectRefused(exposureGraph("nowhere.png", "out.png"), {"graph.cfg:7:", "nowhere.png", "No such file"});
}

TEST_F(WrongFiles, SidesThatTheFormatCantHold) {
  writePngOfSize("wide.png", 65501, 2);
  for (const std::string sink : {"o-jpg", "o-file"}) {
    expectRefused(
        fmt::format("lacuna:1\nmodule:i-png:01\nmodule:{0}:01\nconnect:i-png:01:output:{0}:01:input\n"
                    "param:i-png:01:filename:wide.png\nparam:{0}:01:filename:a.jpg\n",
                    sink),
        {sink + ":01 writes images of at most 65500 pixels along a side, but this one is 65501x2"});
  }
}

TEST_F(WrongFiles, NoFileNames) {
  expectRefused(exposureGraph("", ""), {"i-png:01 has no filename", "o-png:01 has no filename"});
}

// Not that the parameter is missing.
TEST_F(WrongFiles, ANameThatCantBeReadIsReportedAlone) {
  for (const char* name : {"\"out.png", "a.png:b.png", "my out.png"}) {
    std::string graph = exposureGraph("in.png", "out.png");
    spill(folder_.file("graph.cfg"), graph.replace(graph.find("\"out.png\""), 9, name));
    const Outcome outcome = runProgram({"check", folder_.file("graph.cfg")});
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.err.find("graph.cfg:8:"), outcome.err.find("graph.cfg:")) << outcome.err;
    EXPECT_EQ(outcome.err.find("error: "), outcome.err.rfind("error: ")) << outcome.err;
  }
}

TEST_F(WrongFiles, InputIsAFolder) {
  fs::create_directory(folder_.file("pictures.png"));
  expectRefused(exposureGraph("pictures.png", "out.png"), {"pictures.png", "folder"});
}

TEST_F(WrongFiles, InputIsEmpty) {
  spill(folder_.file("empty.png"), "");
  expectRefused(exposureGraph("empty.png", "out.png"), {"empty.png", "the file is empty"});
}

TEST_F(WrongFiles, HeaderIsTruncated) {
  const std::string whole = slurp(folder_.file("in.png"));
  for (const size_t bytes : {size_t{1}, size_t{8}, size_t{20}, size_t{30}}) {
    spill(folder_.file("cut.png"), whole.substr(0, bytes));
    expectRefused(exposureGraph("cut.png", "out.png"), {"cut.png"});
  }
}

TEST_F(WrongFiles, ExrNamedPng) {
  fs::copy_file(LACUNA_TEST_FOLDER "/../examples/inputs/render.exr", folder_.file("render.png"));
  expectRefused(exposureGraph("render.png", "out.png"), {"render.png", "EXR"});
}

TEST_F(WrongFiles, ZeroSized) {
  writePngOfSize("zero.png", 0, 5);
  expectRefused(exposureGraph("zero.png", "out.png"), {"zero.png"});
}

TEST_F(WrongFiles, TwoBillionPixelsWide) {
  for (const uint32_t width : {0x80000000U, 0x7fffffffU}) {
    writePngOfSize("wide.png", width, 5);
    expectRefused(exposureGraph("wide.png", "out.png"), {"wide.png"});
  }
  expectRefused(exposureGraph("wide.png", "out.png"), {"2147483647"});
}

TEST_F(WrongFiles, ChannelsThatTheFileLacks) {
  fs::copy_file(LACUNA_TEST_FOLDER "/../examples/inputs/render.exr", folder_.file("render.exr"));
  expectRefused(
      "lacuna:1\nmodule:i-exr:01\nmodule:o-exr:01\nparam:i-exr:01:filename:\"render.exr\"\n"
      "param:o-exr:01:filename:\"out.exr\"\nconnect:i-exr:01:output:o-exr:01:input\n"
      "connect:i-exr:01:motion:o-exr:01:motion\n",
      {"render.exr", "motion", "albedo.R"});
}

TEST_F(WrongFiles, OutputFolderIsAFile) {
  expectRefused(exposureGraph("in.png", "in.png/out.png"), {"graph.cfg:8:", "'in.png' is not a folder"});
}

TEST_F(WrongFiles, OutputIsAFolder) {
  fs::create_directory(folder_.file("out.png"));
  expectRefused(exposureGraph("in.png", "out.png"), {"out.png: is a folder"});
}

TEST_F(WrongFiles, OutputIsADevice) {
  expectRefused(exposureGraph("in.png", "/dev/full"), {"/dev/full: is not a regular file"});
}

TEST_F(WrongFiles, OutputFromTheCommandLineIsWrong) {
  expectRefused(exposureGraph("in.png", "out.png"), {"in.png/out.png"}, {"-o", "o-png:01=in.png/out.png"});
  expectRefused(exposureGraph("in.png", "out.png"), {"o-png:02"}, {"-o", "o-png:02=out.png"});
}

TEST_F(WrongFiles, TwoSinksOneFile) {
  const std::string second =
      "module:o-png:02\nconnect:i-png:01:output:o-png:02:input\nparam:o-png:02:filename:";
  expectRefused(exposureGraph("in.png", "out.png", second + "\"out.png\"\n"),
                {"o-png:01 and o-png:02 write the same"});
  expectRefused(exposureGraph("in.png", "out.png", second + "\"./sub/../out.png\"\n"), {"write the same"});
}

TEST_F(WrongFiles, ManyFramesInOneFile) {
  expectRefused(exposureGraph("in.png", "out.png", "frames:3\nparam:i-png:01:still:true\n"),
                {"o-png:01 would write all 3 frames to one file"});
}

TEST_F(WrongFiles, BadFramePattern) {
  expectRefused(exposureGraph("in.png", "out_%s.png"), {"%s"});
}

TEST_F(WrongFiles, EverythingAtOnce) {
  expectRefused(exposureGraph("nowhere.png", "in.png/out.png", "param:exposure:01:stops:99\n"),
                {"nowhere.png", "not a folder", "'stops' is 99"});
}

}  // namespace
}  // namespace lacuna::test
