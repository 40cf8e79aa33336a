// The files after signals at any moment of a sequence: complete outputs, and nothing else after the next
// run.

#include <cstdlib>

#include "tests/cli/sequences.h"
#include "tests/support/long_tests.h"
#include "tests/support/places.h"

namespace lacuna::test {
namespace {

class Signals : public Sequences {
 protected:
  static constexpr int many = 400;

  void SetUp() override {
    Sequences::SetUp();
    for (int frame = 0; frame < frames; ++frame)
      fs::remove(input(frame));
    writeGraph(many);
  }

  int partFiles() const {
    int count = 0;
    for (const std::string& name : namesIn(folder_.file("out")))
      count += name.ends_with(".png") ? 0 : 1;
    return count;
  }

  // Outputs are complete; part files aren't outputs.
  void expectWholeOutputs() const {
    for (int frame = 0; frame < many; ++frame) {
      if (fs::exists(output(frame))) {
        EXPECT_EQ(readPlane("png", output(frame), "output"), readPlane("png", input(frame), "output"))
            << frame;
      }
    }
  }
};

TEST_F(Signals, AskForAnEnd) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(signal);
    const Outcome outcome = run({}, {.interruptAt = output(3), .signal = signal});
    EXPECT_EQ(outcome.code, 128 + signal) << outcome.err;
    EXPECT_NE(outcome.err.find("interrupted: "), std::string::npos) << outcome.err;
    EXPECT_LT(wholeFiles(), many);
    fs::remove_all(folder_.file("out"));
    fs::create_directory(folder_.file("out"));
  }
}

// Signals are not handled between two pictures of a batch; one that came while the first was written is
// remembered.
TEST_F(Signals, EndABatchAfterThePictureThatIsWritten) {
  for (const char* name : {"a", "b"})
    writeRandomPng(folder_.file(std::string(name) + ".png"), {900, 700});
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(signal);
    const std::string first = folder_.file("done/a.png");
    const Outcome outcome = runProgram({"denoise", folder_.file("a.png"), folder_.file("b.png"), "-o",
                                        folder_.file("done/"), "--strength", "0"},
                                       {.interruptAt = first + ".lacuna-part", .signal = signal});
    EXPECT_EQ(outcome.code, 128 + signal) << outcome.err;
    EXPECT_FALSE(fs::exists(folder_.file("done/b.png")));
    EXPECT_FALSE(fs::exists(first + ".lacuna-part"));
    fs::remove_all(folder_.file("done"));
  }
}

// Parents that ignore signals are nohup, and shells with background jobs.
TEST_F(Signals, AreIgnoredWhereTheParentIgnoresThem) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    SCOPED_TRACE(signal);
    const Outcome outcome =
        run({"--frames", "0-49"}, {.interruptAt = output(3), .signal = signal, .ignoresSignals = true});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(wholeFiles(), 50);
    fs::remove(output(3));
  }
}

// Six or a thousand times: a signal some milliseconds after a frame has been written.
TEST_F(Signals, RandomMomentsLeaveWholeOutputsAndTheNextRunTidiesUp) {
  const int rounds = triesAll() ? 1000 : 6;
  const int signals[] = {SIGKILL, SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGXFSZ};
  for (int i = 0; i < rounds && !HasFailure(); ++i) {
    const int at = pick(testRandom(), 0, 60), signal = signals[i % std::size(signals)];
    SCOPED_TRACE(fmt::format("round {}, signal {} at frame {}", i, signal, at));
    fs::remove(output(at));
    const Outcome outcome =
        run({"--frames", "0-99"},
            {.interruptAt = output(at), .signal = signal, .microseconds = pick(testRandom(), 0, 5000)});
    // The process may have ended before; SIGXFSZ is only sent for a write.
    const int expected = signal == SIGKILL ? 1000 + SIGKILL : signal == SIGXFSZ ? 0 : 128 + signal;
    EXPECT_TRUE(outcome.code == expected || outcome.code == 0) << outcome.code << ": " << outcome.err;
    expectWholeOutputs();
    if (rounds > 6 && i % 50 == 0) {
      ASSERT_EQ(run({"--frames", "0-99"}).code, 0);
      EXPECT_EQ(partFiles(), 0);
    }
  }
  // As if the last kill had come at the worst moment.
  spill(output(7) + ".lacuna-part", "half");
  spill(output(8) + ".lacuna-part", "half");
  spill(output(8) + ".lacuna-part-2", "half");
  const Outcome outcome = run({"--frames", "0-99"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(partFiles(), 0);
  EXPECT_EQ(wholeFiles(), 100);
}

TEST_F(Signals, EmptyOutputsAreRunAgain) {
  ASSERT_EQ(run({"--frames", "0-9"}).code, 0);
  spill(output(4), "");
  const Outcome outcome = run({"--frames", "0-9", "--resume"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("9 of 10 frames already exist"), std::string::npos) << outcome.err;
  expectWholeOutputs();
}

TEST_F(Signals, TwoProcessesMayWriteTheSameFiles) {
  const std::string command = fmt::format("cd '{}' && '{}' run graph.cfg --frames 0-99 -q", folder_.path(),
                                          place("LACUNA_PROGRAM", LACUNA_PROGRAM));
  const std::string both =
      fmt::format("({0}) & one=$!; ({0}); two=$?; wait $one || exit 1; exit $two", command);
  EXPECT_EQ(std::system(both.c_str()), 0);
  EXPECT_EQ(wholeFiles(), 100);
  expectWholeOutputs();
}

}  // namespace
}  // namespace lacuna::test
