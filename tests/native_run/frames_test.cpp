// probe(), read() and write() through the runtime: possible failures, and many frames at once.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "graph/compile/compile.h"
#include "graph/load/files.h"
#include "graph/run/made_from.h"
#include "tests/native/places.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

class NativeFrames : public testing::Test {
 protected:
  // The parameters of source and sink: "where:how", or nothing.
  std::string textOf(const std::string& source, const std::string& sink) const {
    std::string text = fmt::format(
        "frames:64\nany-source any-sink\nparam:any-source:01:filename:in-%02d\n"
        "param:any-sink:01:filename:\"{}/out-%02d\"\n",
        folder_.string());
    for (const auto& [module, words] : {std::pair("any-source", source), std::pair("any-sink", sink)}) {
      const size_t colon = words.find(':');
      if (colon != std::string::npos) {
        text += fmt::format("param:{0}:01:where:{1}\nparam:{0}:01:how:{2}\n", module, words.substr(0, colon),
                            words.substr(colon + 1));
      }
    }
    return graphText(text);
  }

  LoadedGraph load(const std::string& source, const std::string& sink) const {
    LoadOptions options;
    options.modulePath = {testModules};
    return loadGraphText(textOf(source, sink), "g.cfg", options);
  }

  static void expectText(const std::string& text, const std::string& part) {
    EXPECT_NE(text.find(part), std::string::npos) << "'" << part << "' is not in\n" << text;
  }

  size_t filesThere() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const Folder own_;
  const fs::path folder_ = own_.path();
  HeldFiles held_;
};

struct Plane {
  std::vector<float> pixels = std::vector<float>(20);
  std::vector<FilePlane> list() {
    return {{"pixels",
             {Channels::y, Format::f32, ColourTag::data, {5, 4}, 0},
             std::as_writable_bytes(std::span(pixels))}};
  }
};

const Warn noWarning = [](Severity, const std::string& text) { ADD_FAILURE() << text; };

TEST_F(NativeFrames, ProbeFails) {
  const std::map<std::string, std::string> messages = {
      {"error", "g.cfg:3:8: error: the cat sat on it"},
      {"blame", "g.cfg:9:21: error: this word is wrong"},
      {"zero", "an error, but returns 0"},
      {"silent", "any-source:01: probe() of"},
      {"throw", "threw an exception, which no entry point may: thrown at you"},
      {"number", "something that is not a std::exception"},
      {"forget", "reports for 'pixels': channels 0, format 0, colour 0, 0 x 0 pixels, 0 elements"},
  };
  for (const auto& [how, message] : messages) {
    const LoadedGraph loaded = load("probe:" + how, "");
    EXPECT_FALSE(loaded.ok()) << how;
    expectText(loaded.diagnostics.render(), message);
  }
  const LoadedGraph warned = load("probe:warn", "");
  EXPECT_TRUE(warned.ok());
  expectText(warned.diagnostics.render(), "g.cfg:3:8: warning: mind the gap");
}

TEST_F(NativeFrames, SettleFails) {
  const std::map<std::string, std::string> messages = {
      {"error", "g.cfg:3:8: error: the cat sat on it"},
      {"blame", "g.cfg:9:21: error: this word is wrong"},
      {"silent", "any-source:01: settle() of"},
      {"throw", "threw an exception, which no entry point may: thrown at you"},
      {"unknown", "sets 'weight' to '3', which is not a value of a structural parameter"},
      {"wrong", "sets 'size' to 'huge', which is not a value of a structural parameter"},
      {"unfit", "sets 'how' to 'so', which is not a value of a structural parameter"},
  };
  for (const auto& [how, message] : messages) {
    const LoadedGraph loaded = load("settle:" + how, "");
    EXPECT_FALSE(loaded.ok()) << how;
    expectText(loaded.diagnostics.render(), message);
  }
  expectText(load("", "settle:error").diagnostics.render(), "g.cfg:4:8: error: the cat sat on it");
}

TEST_F(NativeFrames, SettleSetsParametersAndSinksKnowTheirSource) {
  const LoadedGraph loaded = load("", "");
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics.render();
  EXPECT_EQ(std::get<std::string>(loaded.graph.modules.modules.front().parameter("size").values.front()),
            "small");
  expectText(loaded.diagnostics.render(), "g.cfg:4:8: warning: from in-00, small");
}

TEST_F(NativeFrames, TheKeyOfARecordNamesNativeCode) {
  fs::copy(testModules, folder_ / "modules", fs::copy_options::recursive);
  const auto key = [&] {
    LoadOptions options;
    const std::string modules = (folder_ / "modules").string();
    options.modulePath = {modules};
    std::string text;
    options.frames = [&](const ModuleGraph& graph) {
      text = keyText(graph, {}, {modules});
      return FrameSet{0};
    };
    loadGraphText(textOf("", ""), "g.cfg", options);
    return text;
  };
  const std::string before = key();
  EXPECT_NE(before, "");
  EXPECT_EQ(key(), before);
  std::ofstream(folder_ / "modules/any-sink/module.so", std::ios::app) << "\n";
  EXPECT_NE(key(), before);
}

// Several modules may share native code, which lies in another one's folder.
TEST_F(NativeFrames, TheKeyOfARecordNamesNativeCodeOfAnotherModule) {
  fs::copy(testModules, folder_ / "modules", fs::copy_options::recursive);
  const auto replace = [](std::string text, const std::string& from, const std::string& to) {
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
      text.replace(at, from.size(), to);
    return text;
  };
  const std::string modules = (folder_ / "modules").string();
  const std::string toml = slurp(modules + "/any-sink/module.toml");
  fs::create_directory(modules + "/lean-sink");
  std::ofstream(modules + "/lean-sink/module.toml")
      << replace(toml, "name = \"any-sink\"\n", "name = \"lean-sink\"\ncode = \"any-sink\"\n");
  const auto key = [&] {
    LoadOptions options;
    options.modulePath = {modules};
    std::string text;
    options.frames = [&](const ModuleGraph& graph) {
      text = keyText(graph, {}, {modules});
      return FrameSet{0};
    };
    loadGraphText(replace(textOf("", ""), "any-sink", "lean-sink"), "g.cfg", options);
    return text;
  };
  const std::string before = key();
  EXPECT_NE(before.find("module lean-sink:01"), std::string::npos) << before;
  EXPECT_EQ(key(), before);
  std::ofstream(modules + "/any-sink/module.so", std::ios::app) << "\n";
  EXPECT_NE(key(), before);
}

TEST_F(NativeFrames, ReadFails) {
  for (const std::string how : {"error", "blame", "zero", "silent", "throw", "number"}) {
    const LoadedGraph loaded = load("read:" + how, "");
    ASSERT_TRUE(loaded.ok()) << loaded.diagnostics.render();
    Plane plane;
    EXPECT_THROW(readFrame(loaded.graph, loaded.graph.nodes.front(), 3, plane.list(), noWarning, held_),
                 FileError)
        << how;
  }
  const LoadedGraph loaded = load("read:warn", "");
  Plane plane;
  std::string warned;
  readFrame(
      loaded.graph, loaded.graph.nodes.front(), 3, plane.list(),
      [&](Severity severity, const std::string& text) { warned = fmt::format("{} {}", int(severity), text); },
      held_);
  EXPECT_EQ(warned, fmt::format("{} mind the gap", int(Severity::warning)));
  EXPECT_EQ(plane.pixels[7], 3007.0F);
}

// The file may have been replaced since it was opened, by another picture or by what is none.
TEST_F(NativeFrames, ReadWhatWasOpened) {
  const std::string path = folder_ / "in.pfm";
  const auto write = [&](const std::string& bytes) {
    fs::remove(path);
    std::ofstream(path, std::ios::binary) << bytes;
  };
  const std::string picture = "PF\n1 1\n-1.0\n";
  write(picture + "123412341234");
  LoadOptions options;
  options.modulePath = {ownModules};
  const LoadedGraph loaded =
      loadGraphText(graphText("in.pfm " + (folder_ / "out.pfm").string() + "\n"), folder_ / "g.cfg", options);
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics.render();
  const Node& source = loaded.graph.nodes.front();
  const ValueType& type = loaded.graph.values[source.outputs.front().value].type;
  const auto pixelsOf = [&](HeldFiles& held) {
    std::vector<std::byte> pixels(byteSize(type));
    readFrame(loaded.graph, source, 0, {{source.outputs.front().name, type, pixels}}, noWarning, held);
    return pixels;
  };
  const std::vector<std::byte> expected = pixelsOf(held_);
  for (const std::string& bytes : {picture + "abcdabcdabcd", std::string("no picture"), picture}) {
    write(picture + "123412341234");
    HeldFiles held;
    held.open(path);
    write(bytes);
    EXPECT_EQ(pixelsOf(held), expected);
  }
}

TEST_F(NativeFrames, AFailedWriteLeavesNoFile) {
  for (const std::string how : {"error", "zero", "silent", "throw"}) {
    const LoadedGraph loaded = load("", "write:" + how);
    ASSERT_TRUE(loaded.ok()) << loaded.diagnostics.render();
    Plane plane;
    try {
      writeFrame(loaded.graph, loaded.graph.nodes.back(), 0, plane.list(), noWarning, held_);
      ADD_FAILURE() << how << " was written";
    } catch (const FileError& error) {
      EXPECT_NE(std::string(error.what()), "");
    }
    EXPECT_EQ(filesThere(), 0U) << how;
  }
}

TEST_F(NativeFrames, ManyAtOnce) {
  const LoadedGraph loaded = load("", "");
  ASSERT_TRUE(loaded.ok()) << loaded.diagnostics.render();
  constexpr int threadCount = 8;
  constexpr int frameCount = 64;
  std::vector<std::thread> threads;
  for (int t = 0; t < threadCount; ++t) {
    threads.emplace_back([&, t] {
      for (int frame = t; frame < frameCount; frame += threadCount) {
        Plane plane;
        readFrame(loaded.graph, loaded.graph.nodes.front(), frame, plane.list(), noWarning, held_);
        writeFrame(loaded.graph, loaded.graph.nodes.back(), frame, plane.list(), noWarning, held_);
      }
    });
  }
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(filesThere(), static_cast<size_t>(frameCount));
  for (int frame = 0; frame < frameCount; ++frame) {
    std::ifstream file(folder_ / fmt::format("out-{:02}", frame), std::ios::binary);
    Plane found;
    ASSERT_TRUE(file.read(reinterpret_cast<char*>(found.pixels.data()), 80)) << frame;
    for (int i = 0; i < 20; ++i)
      EXPECT_EQ(found.pixels[static_cast<size_t>(i)], static_cast<float>(1000 * frame + i));
  }
}

TEST_F(NativeFrames, CodeThatIsMissing) {
  fs::create_directory(folder_ / "any-source");
  fs::copy_file(fs::path(testModules) / "any-source/module.toml", folder_ / "any-source/module.toml");
  LoadOptions options;
  options.modulePath = {folder_.string(), testModules};
  const LoadedGraph loaded = loadGraphText(
      graphText("any-source any-sink\nparam:any-source:01:filename:a\nparam:any-sink:01:filename:b\n"),
      "g.cfg", options);
  EXPECT_FALSE(loaded.ok());
  expectText(loaded.diagnostics.render(), "g.cfg:2:8: error: " + folder_.string() + "/any-source/module.so");
  expectText(loaded.diagnostics.render(), "there is no such file");
}

}  // namespace
}  // namespace lacuna::test
