// What a record says of an output, and which frames a later run makes again by it: each file that was read,
// each sink, each earlier frame counts.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "graph/config/text.h"
#include "graph/files/part_file.h"
#include "graph/load/file_numbers.h"
#include "graph/nodes/module_file.h"
#include "graph/run/made_from.h"
#include "graph/run/resume.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

// A graph of files that hold any bytes: numbered ones, one that is the same in all frames, one that a
// parameter names, one that native code has reported; and of two sinks.
class Records : public testing::Test {
 protected:
  static constexpr int frames = 6;

  void SetUp() override {
    std::string source = readTextFile(modules_ + "/i-test/module.toml").text;
    source.replace(source.find("i-test"), 6, "i-more");
    fs::create_directories(folder_.file("modules/i-more"));
    folder_.write("modules/i-more/module.toml", source +
                                                    "\n[[parameter]]\nname = \"weights\"\ntype = \"string\"\n"
                                                    "file = true\ndefault = \"\"\ndoc = \"a file\"\n");
    for (const char* file : {"still", "weights", "beside"})
      change(file);
    for (int frame = 0; frame < frames; ++frame)
      change(fmt::format("in_{}", frame));
    build();
  }

  void build(const std::string& more = {}) {
    const std::string text =
        "i-test filter-test o-test\ni-more:01:motion guide=filter-test\ni-test o-test:02\n"
        "param:i-test:01:filename:\"in_%d\"\nparam:i-more:01:filename:\"still\"\n"
        "param:i-more:01:weights:\"weights\"\n";
    Diagnostics diagnostics;
    Registry registry({modules_, folder_.file("modules")});
    graph_ = buildModuleGraph(
        parseConfigText(graphText(text) +
                            fmt::format("param:o-test:01:filename:\"{}\"\nparam:o-test:02:filename:\"{}\"\n",
                                        folder_.file("out_%d"), folder_.file("other_%d")) +
                            more,
                        folder_.file("graph.cfg"), diagnostics),
        registry, diagnostics);
    numberFiles(graph_, diagnostics);
    EXPECT_FALSE(diagnostics.hasErrors()) << diagnostics.render();
    module("i-more:01").alsoRead = {folder_.file("beside")};
  }

  ModuleInstance& module(const std::string& name) {
    return *std::ranges::find_if(graph_.modules, [&](const auto& each) { return each.name() == name; });
  }

  // Other bytes, of another size, so that no clock decides whether it is noticed.
  void change(const std::string& file) { folder_.write(file, std::string(++written_, 'x')); }

  Recording recording() const {
    return {settings_, history_, cutsAtGaps_, namedStills(graph_), stillsBeside(graph_)};
  }

  // Frames as a run makes them; `opened` and `read`: called once its files are. Returns warnings.
  using Meanwhile = std::function<void(int frame)>;
  std::string make(const FrameSet& read, const FrameSet& written, const Meanwhile& opened = {},
                   const Meanwhile& hasRead = {}) {
    std::string warnings;
    Recorder recorder(graph_, recording());
    for (const int frame : read) {
      HeldFiles held;
      const ModuleInstance& source = module("i-test:01");
      held.open(fileOf(source, graph_.folder, source.there.lastUpTo(frame).value_or(frame)));
      if (opened)
        opened(frame);
      recorder.hasRead(frame, held);
      if (hasRead)
        hasRead(frame);
      for (const char* sink : {"o-test:01", "o-test:02"}) {
        if (written.contains(frame)) {
          const std::string output = fileOf(module(sink), graph_.folder, frame);
          fs::remove(recordName(output));  // as PartFile does
          std::ofstream(output) << sink << frame;
          recorder.hasWritten(module(sink), frame, held,
                              [&](Severity, const std::string& text) { warnings += text; });
        }
      }
    }
    return warnings;
  }
  void make() {
    EXPECT_EQ(make(there(), there()), "");
    EXPECT_EQ(again(), FrameSet());
  }

  FrameSet there() const { return framesWithFiles(graph_).between(0, frames - 1); }

  Unfinished unfinished() const { return unfinishedFrames(graph_, there(), missing_, recording()); }
  FrameSet again() const { return unfinished().frames; }

  const Folder folder_;
  const std::string modules_ = std::string(LACUNA_TEST_FOLDER) + "/error/modules";
  size_t written_ = 0;
  ModuleGraph graph_;
  uint64_t settings_ = 1;
  std::optional<int> history_ = 0;
  bool cutsAtGaps_ = false;
  Missing missing_ = Missing::error;
};

TEST_F(Records, EachFileThatWasReadCounts) {
  make();
  const FrameSet all = FrameSet::range(0, frames - 1);
  const std::pair<const char*, FrameSet> files[] = {
      {"in_2", {2}}, {"in_5", {5}}, {"still", all}, {"weights", all}, {"beside", all}};
  for (const auto& [file, expected] : files) {
    SCOPED_TRACE(file);
    folder_.write(file, readTextFile(folder_.file(file)).text);
    EXPECT_EQ(again(), FrameSet()) << "the same bytes in another file";
    change(file);
    EXPECT_EQ(again(), expected);
    EXPECT_EQ(unfinished().counts[static_cast<size_t>(Output::otherInputs)], expected.size());
    make();
    fs::remove(folder_.file(file));
    EXPECT_EQ(again(), FrameSet()) << "what was made of it is all there is";
    change(file);
    make();
  }
}

TEST_F(Records, EachSinkHasItsOwn) {
  const auto record = [&](const std::string& output, const std::function<void(MadeFrom&)>& edit) {
    MadeFrom found = readRecord(output).record.value();
    edit(found);
    writeRecord(output, found);
  };
  const auto otherStill = [](MadeFrom::Still& still) { still.stamp = still.content = 7; };
  const auto edited = [&](Output state, const std::function<void(MadeFrom&)>& edit) {
    return std::pair(state, std::function([=](const std::string& output) { record(output, edit); }));
  };
  const std::pair<Output, std::function<void(const std::string& output)>> states[] = {
      {Output::missing, [](const std::string& output) { fs::remove(output); }},
      {Output::incomplete, [](const std::string& output) { std::ofstream(output).flush(); }},
      {Output::incomplete, [](const std::string& output) { std::ofstream(output, std::ios::app) << "x"; }},
      {Output::unrecorded, [](const std::string& output) { fs::remove(recordName(output)); }},
      {Output::unrecorded, [](const std::string& output) { std::ofstream(recordName(output)) << "{"; }},
      {Output::olderRecord,
       [](const std::string& output) { std::ofstream(recordName(output)) << "{\"lacuna\": 1}"; }},
      edited(Output::incomplete, [&](MadeFrom& made) { otherStill(made.output); }),
      edited(Output::otherSettings, [](MadeFrom& made) { ++made.settings; }),
      edited(Output::otherInputs, [](MadeFrom& made) { ++made.all; }),
      edited(Output::otherInputs, [](MadeFrom& made) { made.history = 1; }),
      edited(Output::otherInputs, [&](MadeFrom& made) { otherStill(made.stills.at(0)); }),
      edited(Output::otherInputs, [&](MadeFrom& made) { otherStill(made.stills.at(1)); }),
      edited(Output::otherInputs, [](MadeFrom& made) { made.stills.pop_back(); }),
      edited(Output::otherInputs, [&](MadeFrom& made) { otherStill(made.beside.at(0)); }),
  };
  for (const char* sink : {"o-test:01", "o-test:02"}) {
    for (size_t i = 0; i < std::size(states); ++i) {
      SCOPED_TRACE(fmt::format("{} {}", sink, i));
      make();
      states[i].second(fileOf(module(sink), graph_.folder, 3));
      EXPECT_EQ(again(), FrameSet{3});
      EXPECT_EQ(unfinished().counts[static_cast<size_t>(states[i].first)], 1U);
      EXPECT_EQ(unwrittenFrames(graph_, there()),
                states[i].first == Output::missing ? FrameSet{3} : FrameSet());
    }
  }
  fs::remove(folder_.file("out_1"));
  fs::remove(folder_.file("other_4"));
  EXPECT_EQ(again(), (FrameSet{1, 3, 4}));
  EXPECT_EQ(unwrittenFrames(graph_, there()), (FrameSet{1, 4}));
}

TEST_F(Records, EachFrameThatHistoryHoldsCounts) {
  struct Case {
    std::optional<int> history;
    bool cutsAtGaps;
    Missing missing;  // where it isn't error, frame 3 has no file
    int changed;
    FrameSet again;
  };
  const Case cases[] = {
      {0, false, Missing::error, 2, {2}},
      {1, false, Missing::error, 2, {2, 3}},
      {2, true, Missing::error, 1, {1, 2, 3}},
      {std::nullopt, false, Missing::error, 1, {1, 2, 3, 4, 5}},
      {std::nullopt, true, Missing::error, 4, {4, 5}},
      {1, false, Missing::skip, 2, {2, 4}},
      {1, true, Missing::skip, 2, {2}},
      {1, true, Missing::skip, 4, {4, 5}},
      {std::nullopt, false, Missing::skip, 1, {1, 2, 4, 5}},
      {std::nullopt, true, Missing::skip, 1, {1, 2}},
      {0, false, Missing::hold, 2, {2, 3}},
      {1, false, Missing::hold, 2, {2, 3, 4}},
      {1, true, Missing::hold, 4, {4, 5}},
  };
  for (size_t i = 0; i < std::size(cases); ++i) {
    SCOPED_TRACE(i);
    const Case& now = cases[i];
    history_ = now.history;
    cutsAtGaps_ = now.cutsAtGaps;
    missing_ = now.missing;
    if (missing_ != Missing::error)
      fs::remove(folder_.file("in_3"));
    build();
    module("i-test:01").holdsLast = missing_ == Missing::hold;
    make();
    change(fmt::format("in_{}", now.changed));
    EXPECT_EQ(again(), now.again);
  }
}

// Frames before the first one that is written are read for its history.
TEST_F(Records, APartOfASequenceIsRecordedAsTheWhole) {
  history_ = 2;
  EXPECT_EQ(make(FrameSet::range(0, 3), FrameSet::range(0, 3)), "");
  EXPECT_EQ(make(FrameSet::range(2, 5), {4, 5}), "");
  EXPECT_EQ(again(), FrameSet());
}

TEST_F(Records, TheNumberAndTheKeyframesOfAFrameCount) {
  const std::string keyframes =
      "keyframe:0:filter-test:01:strength:0\nkeyframe:4:filter-test:01:strength:0\n";
  build(keyframes + "keyframe:5:filter-test:01:strength:1\n");
  make();
  build(keyframes + "keyframe:5:filter-test:01:strength:2\n");
  EXPECT_EQ(again(), FrameSet{5});
  make();
  const auto swap = [&](const std::string& pattern) {
    const std::string one = folder_.file(framePath(pattern, 1)), two = folder_.file(framePath(pattern, 2));
    fs::rename(one, folder_.file("between"));
    fs::rename(two, one);
    fs::rename(folder_.file("between"), two);
  };
  for (const char* pattern : {"in_%d", "out_%d", "other_%d", ".lacuna/out_%d.json", ".lacuna/other_%d.json"})
    swap(pattern);
  EXPECT_EQ(again(), (FrameSet{1, 2}));
}

TEST_F(Records, APictureOfAListKeepsItsRecordAtAnotherPlace) {
  const auto list = [&](const std::vector<int>& order) {
    for (const auto& [name, pattern] :
         {std::pair("i-test:01", "in_%d"), {"o-test:01", "out_%d"}, {"o-test:02", "other_%d"}}) {
      std::vector<std::string>& files = module(name).frameFiles;
      files.clear();
      for (const int number : order)
        files.push_back(folder_.file(framePath(pattern, number)));
    }
  };
  list({0, 1, 2, 3, 4, 5});
  make();
  list({5, 3, 1, 0, 2, 4});
  EXPECT_EQ(again(), FrameSet());
  change("in_1");
  EXPECT_EQ(again(), FrameSet{2});
}

// One file without a number is that of the last frame.
TEST_F(Records, OfOneFileAreThoseOfTheLastFrame) {
  build(fmt::format("param:o-test:01:filename:\"{0}\"\nparam:o-test:02:filename:\"{0}-2\"\n",
                    folder_.file("last")));
  make();
  change("in_0");
  EXPECT_EQ(again(), FrameSet());
  change("in_5");
  EXPECT_EQ(again(), there());
}

TEST_F(Records, NameWhatWasReadAndNotWhatIsThereNow) {
  const auto changed = [&](int frame) {
    if (frame == 2)
      change("in_2");
  };
  EXPECT_EQ(make(there(), there(), changed), "");
  EXPECT_EQ(again(), FrameSet{2}) << "replaced between opening and reading to the end";
  make();
  EXPECT_EQ(make(there(), there(), {}, changed), "");
  EXPECT_EQ(again(), FrameSet{2}) << "replaced between reading and writing";
}

TEST_F(Records, AreNotKeptOfWhatChangesMeanwhile) {
  for (const char* file : {"in_2", "still", "weights", "beside"}) {
    make();
    const std::string warnings =
        make({2}, {2}, {}, [&](int) { std::ofstream(folder_.file(file), std::ios::app) << "more"; });
    EXPECT_NE(warnings.find(folder_.file(file) + ": has changed since the run began to read it"),
              std::string::npos)
        << warnings;
    EXPECT_TRUE(again().contains(2)) << file;
  }
}

TEST_F(Records, AreNotKeptOfPipesNorOfFilesThatStay) {
  const auto isRecorded = [&] {
    fs::remove_all(folder_.file(".lacuna"));
    make({2}, {2});
    return fs::exists(recordName(folder_.file("out_2")));
  };
  EXPECT_TRUE(isRecorded());
  graph_.keepsOutputs = true;
  EXPECT_FALSE(isRecorded());
  graph_.keepsOutputs = false;
  build("param:i-more:01:filename:\"-\"\n");
  EXPECT_FALSE(isRecorded());
}

TEST_F(Records, AreReadAsTheyWereWritten) {
  MadeFrom written;
  written.settings = 1;
  written.output = {"", 2, 3};
  written.history = std::nullopt;
  written.cutsAtGaps = true;
  written.stamp = 4;
  written.content = 5;
  written.all = 6;
  written.stills = {{"a", 7, 8}, {"b", 9, 10}};
  written.beside = {{"c", 11, 12}};
  const auto isSame = [](const MadeFrom::Still& a, const MadeFrom::Still& b) {
    return a.path == b.path && a.stamp == b.stamp && a.content == b.content;
  };
  for (const auto history : {std::optional<int>(), std::optional(3)}) {
    written.history = history;
    writeRecord(folder_.file("out_1"), written);
    const MadeFrom read = readRecord(folder_.file("out_1")).record.value();
    EXPECT_EQ(std::tie(read.settings, read.history, read.cutsAtGaps, read.stamp, read.content, read.all),
              std::tie(written.settings, written.history, written.cutsAtGaps, written.stamp, written.content,
                       written.all));
    EXPECT_TRUE(isSame(read.output, written.output));
    EXPECT_TRUE(std::ranges::equal(read.stills, written.stills, isSame));
    EXPECT_TRUE(std::ranges::equal(read.beside, written.beside, isSame));
  }
}

// None is written that would then be too large to be read.
TEST_F(Records, AreOfBoundedSize) {
  MadeFrom record;
  size_t count = 1;
  try {
    for (; count < 100'000; count *= 2) {
      record.stills.resize(count, {std::string(100, 'a'), 1, 2});
      writeRecord(folder_.file("out_1"), record);
      EXPECT_EQ(readRecord(folder_.file("out_1")).record.value().stills.size(), count);
    }
    ADD_FAILURE() << "any size is written";
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find(fmt::format("{} files are too many", count)), std::string::npos)
        << error.what();
  }
  EXPECT_GT(count, 1000U);
}

// Names of files don't count, since their contents do.
TEST_F(Records, HaveTheSameKeyForFilesOfOtherNames) {
  const auto key = [&](const std::string& more) {
    build(more);
    return keyText(graph_, {}, {modules_, folder_.file("modules")});
  };
  const std::string before = key("");
  EXPECT_EQ(key("param:i-more:01:weights:\"more\"\n"), before);
  EXPECT_EQ(key("param:i-more:01:filename:\"more\"\n"), before);
  EXPECT_NE(key("param:filter-test:01:label:\"more\"\n"), before);
}

}  // namespace
}  // namespace lacuna::test
