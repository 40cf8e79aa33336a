// Sequences of files.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <thread>

#include "tests/door/embedder.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {
namespace {

// Files of frames 17 to 20 in a folder, one of them damaged.
class FileRuns : public Validated {
 protected:
  void SetUp() override {
    for (int frame = 17; frame <= 20; ++frame)
      writeInput(frame);
    options_ = treeModules();
    options_.parameters = {"o-pfm:01:filename=" + folder_.file("out%d.pfm")};
  }
  void writeInput(int frame) const {
    std::string file = "PF\n2 1\n-1.0\n";
    const std::vector<float> pixels = {1.0F * static_cast<float>(frame), 0.5F, 0.25F, 0.125F, 2.0F, 3.0F};
    file.append(reinterpret_cast<const char*>(pixels.data()), pixels.size() * sizeof(float));
    folder_.write("new", file);
    std::filesystem::rename(folder_.file("new"), folder_.file("in" + std::to_string(frame) + ".pfm"));
  }
  Graph graph(const std::string& module = "exposure") const {
    return Graph::fromText(graphText(folder_.file("in%d.pfm") + " " + module + " o-pfm\n"), options_);
  }
  // Once a run has ended, or else after 2 seconds, so that it ends: false.
  bool writeLate(int frame, const std::atomic<bool>& ended) const {
    for (int i = 0; i < 100 && !ended; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const bool isInTime = ended;
    writeInput(frame);
    return isInTime;
  }
  // Files of the folder that this process has open.
  size_t openFiles() const {
    size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
      std::error_code isClosed;
      count += std::filesystem::read_symlink(entry, isClosed).string().starts_with(folder_.file("")) ? 1 : 0;
    }
    return count;
  }
  bool isWritten(int frame) const {
    return std::filesystem::exists(folder_.file("out" + std::to_string(frame) + ".pfm"));
  }

  const Folder folder_;
  GraphOptions options_;
};

TEST_F(FileRuns, CountAsFilesDo) {
  const Graph whole = graph();
  EXPECT_EQ(whole.firstNumber(), 17);
  EXPECT_EQ(whole.frames(), (std::vector<int>{17, 18, 19, 20}));
  EXPECT_EQ(whole.outputFiles(18), std::vector<std::string>{folder_.file("out18.pfm")});
  options_.frames.most = 2;
  EXPECT_EQ(graph().frames(), (std::vector<int>{17, 18}));
  EXPECT_TRUE((options_.frames = Frames::none(), graph().frames().empty()));
  options_.frames = {18, 20};
  std::vector<int> finished;
  RunOptions options;
  options.progress = [&](const RunProgress& now) { finished.push_back(now.frame); };
  EXPECT_EQ(Pipeline(sharedDevice(), graph()).run(options).done, 2);
  std::sort(finished.begin(), finished.end());
  EXPECT_EQ(finished, (std::vector<int>{18, 20}));
  EXPECT_TRUE(isWritten(18) && isWritten(20) && !isWritten(17));
  options_.frames = {};
  options_.resume = true;
  const Graph rest = graph();
  EXPECT_EQ(rest.frames(), (std::vector<int>{17, 19}));
  EXPECT_EQ(rest.finishedBefore(), 2);
}

TEST_F(FileRuns, LeaveOutWhatIsMissing) {
  std::filesystem::remove(folder_.file("in19.pfm"));
  const Error error = errorOf([&] { graph(); });
  EXPECT_EQ(error.kind(), ErrorKind::graph);
  EXPECT_NE(std::string(error.what()).find("19"), std::string::npos) << error.what();
  options_.missing = Missing::skip;
  const Graph some = graph();
  EXPECT_EQ(some.frames(), (std::vector<int>{17, 18, 20}));
  EXPECT_EQ(some.warnings().size(), 1U);
  EXPECT_EQ(Pipeline(sharedDevice(), some).run(RunOptions()).done, 3);
}

TEST_F(FileRuns, NameWhatIsDamagedOrLeaveItOut) {
  folder_.write("in19.pfm", "PF\n2 1\n-1.0\nshort");
  Pipeline strict(sharedDevice(), graph());
  const Error error = errorOf([&] { strict.run(RunOptions()); });
  EXPECT_EQ(error.kind(), ErrorKind::input);
  EXPECT_NE(std::string(error.what()).find("in19.pfm"), std::string::npos) << error.what();
  EXPECT_TRUE(isWritten(17) && isWritten(18) && !isWritten(19));
  options_.skipDamaged = true;
  Pipeline lenient(sharedDevice(), graph());
  RunOptions options;
  std::string damaged;
  options.progress = [&](const RunProgress& now) { damaged += now.damaged; };
  const RunResult result = lenient.run(options);
  EXPECT_EQ(result.done, 3);
  EXPECT_EQ(result.damaged, std::vector<int>{19});
  EXPECT_NE(damaged.find("in19.pfm"), std::string::npos) << damaged;
}

TEST_F(FileRuns, ReadAFileAgainThatWasReplacedSinceItsError) {
  options_.frames = {19};
  Pipeline pipeline(sharedDevice(), graph());
  const std::pair<const char*, std::function<void()>> runs[] = {
      {"as a sequence", [&] { EXPECT_EQ(pipeline.run(RunOptions()).done, 1); }},
      {"alone", [&] { pipeline.run(19, {}, {}); }}};
  for (const auto& [how, run] : runs) {
    SCOPED_TRACE(how);
    folder_.write("in19.pfm", "PF\n2 1\n-1.0\nshort");
    EXPECT_EQ(errorOf(run).kind(), ErrorKind::input);
    EXPECT_FALSE(isWritten(19));
    writeInput(19);
    run();
    EXPECT_TRUE(isWritten(19));
    EXPECT_EQ(openFiles(), 0U);
    std::filesystem::remove(folder_.file("out19.pfm"));
  }
}

// Renderers write a file in place, or beside it and then rename it.
TEST_F(FileRuns, AwaitFilesUntilTheyAreReplacedOrTheRunIsCancelled) {
  options_.missing = Missing::wait;
  options_.frames = {17, 18, 19, 20};
  for (const bool isHalf : {true, false}) {
    for (const bool isCancelled : {true, false}) {
      std::filesystem::remove(folder_.file("in20.pfm"));
      std::filesystem::remove(folder_.file("out20.pfm"));
      if (isHalf)
        folder_.write("in20.pfm", "PF\n2 1\n-1.0\nshort");
      Pipeline pipeline(sharedDevice(), graph());
      std::atomic<bool> isEnough = false, ended = false, isLate = false;
      std::jthread renderer;
      RunOptions options;
      options.progress = [&](const RunProgress& now) {
        isEnough = now.done == 3;
        if (now.done == 3 && !isCancelled)
          writeInput(20);
        else if (now.done == 3)  // so that a run that isn't cancelled ends
          renderer = std::jthread([&] { isLate = !writeLate(20, ended); });
      };
      options.cancelled = [&] { return isCancelled && isEnough; };
      const RunResult result = pipeline.run(options);
      ended = true;
      EXPECT_FALSE(isLate);
      EXPECT_EQ(result.cancelled, isCancelled);
      EXPECT_EQ(result.done, isCancelled ? 3 : 4);
      EXPECT_EQ(isWritten(20), !isCancelled);
    }
  }
}

TEST_F(FileRuns, EndWithAnErrorThoughALaterFileIsAwaited) {
  options_.missing = Missing::wait;
  options_.frames = {19, 20};
  std::filesystem::remove(folder_.file("in20.pfm"));
  Pipeline pipeline(sharedDevice(), graph());
  std::atomic<bool> ended = false, isLate = false;
  std::jthread renderer;
  RunOptions options;
  options.inFlight = 2;
  options.take = [&](const Frame&) {
    renderer = std::jthread([&] { isLate = !writeLate(20, ended); });
    std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the next frame waits
    throw std::runtime_error("no more");
  };
  EXPECT_THROW(pipeline.run(options), std::runtime_error);
  ended = true;
  renderer = {};
  EXPECT_FALSE(isLate);
}

// Its name has another one meanwhile, or none.
TEST_F(FileRuns, KeepTheMetadataOfTheFileThatWasRead) {
  const auto run = [&](const std::string& from, const std::string& to, const RunOptions& options) {
    const Graph graph =
        Graph::fromText(graphText("i-file " + folder_.file(to) + "\nparam:i-file:01:filename:\"" +
                                  folder_.file(from) + "\"\n"),
                        treeModules());
    EXPECT_EQ(Pipeline(sharedDevice(), graph).run(options).done, 1);
    std::ifstream file(folder_.file(to), std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const std::string plain = run("in17.pfm", "plain.jpg", {});
  const auto write = [&](const std::string& comment) {  // of 5 bytes
    folder_.write("a.jpg", std::string(plain).insert(2, std::string("\xff\xfe\0\7", 4) + comment));
  };
  for (const bool isReplaced : {true, false}) {
    write("first");
    RunOptions options;
    options.take = [&](const Frame&) {
      std::filesystem::remove(folder_.file("a.jpg"));
      if (isReplaced)
        write("other");
    };
    EXPECT_NE(run("a.jpg", "out.jpg", options).find("first"), std::string::npos) << isReplaced;
  }
}

// What comes before the frames that are asked for is there, or is a gap, whatever is done about those.
TEST_F(FileRuns, WarmUpWithTheFilesBefore) {
  struct Case {
    Missing missing;
    int absent;
    int warmedUp;
  };
  const Case cases[] = {{Missing::error, 0, 3}, {Missing::skip, 0, 3},   {Missing::hold, 0, 3},
                        {Missing::wait, 0, 3},  {Missing::error, 18, 1}, {Missing::skip, 18, 2},
                        {Missing::hold, 18, 3}, {Missing::wait, 18, 1}};
  options_.frames = {20};
  for (const auto& [missing, absent, warmedUp] : cases) {
    SCOPED_TRACE(testing::Message() << static_cast<int>(missing) << " without " << absent);
    std::filesystem::remove(folder_.file("in" + std::to_string(absent) + ".pfm"));
    options_.missing = missing;
    Pipeline pipeline(sharedDevice(), graph("accum"));
    const RunResult result = pipeline.run(RunOptions());
    EXPECT_EQ(result.done, 1);
    EXPECT_EQ(result.warmedUp, warmedUp);
  }
}

// Types of images follow from the first frame's files.
TEST_F(FileRuns, BeginWithTheFirstReadableFileOnlyIfOthersAreLeftOut) {
  folder_.write("in17.pfm", "no picture");
  const Error error = errorOf([&] { graph(); });
  EXPECT_EQ(error.kind(), ErrorKind::graph);
  EXPECT_NE(std::string(error.what()).find("in17.pfm"), std::string::npos) << error.what();
  options_.skipDamaged = true;
  EXPECT_EQ(graph().frames(), (std::vector<int>{17, 18, 19, 20}));
}

TEST_F(FileRuns, NeedAFileForEachFrameThatIsWritten) {
  std::vector<std::string>& files = options_.files["o-pfm:01"];
  files = {folder_.file("a.pfm"), folder_.file("b.pfm"), folder_.file("c.pfm")};
  const std::string refused = errorOf([&] { graph(); }).what();
  EXPECT_NE(refused.find("o-pfm:01 has 3 files, from frame 0 on, and none for frame 3"), std::string::npos)
      << refused;
  files.push_back(folder_.file("d.pfm"));
  EXPECT_EQ(graph().outputFiles(20), std::vector<std::string>{files.back()});
}

// If no frame runs, sinks are checked for the frames that the graph writes by default.
TEST_F(FileRuns, AreCheckedWithoutFrames) {
  options_.frames = Frames::none();
  options_.parameters = {"o-pfm:01:filename=" + folder_.file("one.pfm")};
  const std::string refused = errorOf([&] { graph(); }).what();
  EXPECT_NE(refused.find("o-pfm:01 would write all 4 frames to one file"), std::string::npos) << refused;
}

}  // namespace
}  // namespace lacuna::test
