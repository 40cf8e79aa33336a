#pragma once
// A graph over random images from memory, one a frame, with keyframes and feedback.

#include <gtest/gtest.h>

#include <map>
#include <memory>

#include "graph/run/stream.h"
#include "tests/support/memory_graph.h"
#include "tests/support/random_case.h"

namespace lacuna::test {

using Words = std::vector<uint32_t>;

class Sequence {
 public:
  // `random` decides extent, images, keyframes, and the modules around the one with feedback.
  Sequence(std::mt19937_64& random, int frames);

  const FrameSet& frames() const { return frames_; }
  std::unique_ptr<Session> session(Profile* profile = nullptr) const;
  // The result of each frame of Session::compute(), frame after frame.
  std::map<int, Words> oneByOne() const { return oneByOne(frames_); }
  std::map<int, Words> oneByOne(const FrameSet& frames) const;

  // Options that provide the images and keep the results in `results`, which must outlive the stream.
  StreamOptions options(std::map<int, Words>& results) const;
  void fill(const StreamFrame& frame) const;
  static Words resultOf(const StreamFrame& frame);

 private:
  MemoryGraph graph_;
  FrameSet frames_;
  std::map<int, Image> images_;  // by frame
};

// Fails a test for every validation message during it.
class StreamTest : public testing::Test {
 protected:
  void SetUp() override { messagesBefore_ = testDevice().validationMessages().size(); }
  void TearDown() override;

  std::mt19937_64& random_ = testRandom();

 private:
  size_t messagesBefore_ = 0;
};

}  // namespace lacuna::test
