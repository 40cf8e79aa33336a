#include "tests/stream/sequence.h"
#include "tests/support/check_barriers.h"

#include <fmt/format.h>

#include <cstring>
#include <mutex>

#include "graph/shader/compile.h"

namespace lacuna::test {
namespace {

const char* const source = "i-memory:in:image.output";

void put(std::span<std::byte> memory, const Image& image) {
  ASSERT_EQ(memory.size(), image.words.size() * 4);
  std::memcpy(memory.data(), image.words.data(), memory.size());
}

Words words(std::span<const std::byte> memory) {
  Words result(memory.size() / 4);
  std::memcpy(result.data(), memory.data(), memory.size());
  return result;
}

std::span<const std::byte> sinkMemory(const std::function<std::span<const std::byte>(std::string)>& memory) {
  // The value that the sink reads is the output of one of these nodes.
  for (const char* name : {"accumulate:01:sum.output", "exposure:after:main.output"})
    if (const auto found = memory(name); !found.empty())
      return found;
  throw std::runtime_error("the graph has no result");
}

}  // namespace

Sequence::Sequence(std::mt19937_64& random, int frames) : frames_(FrameSet::range(0, frames - 1)) {
  const Extent extent = randomExtent(random);
  for (const int frame : frames_)
    images_[frame] = randomImage(random, Channels::y, Format::f32, extent, false);
  graph_.modulePath = {moduleFolder(), testFolder() + "/gpu/modules"};
  graph_.sources["in"] = images_.at(0);
  const bool before = pick(random, 0, 1) == 0, after = pick(random, 0, 1) == 0;
  graph_.text = fmt::format("frames:{}\naccumulate back~accumulate\n", frames);
  // Two modules, with another one between them or none.
  const auto join = [&](const std::string& from, const std::string& to, const std::string& between) {
    graph_.text += fmt::format("{} {} {}\n", from, between, to);
    if (between.empty())
      return;
    for (const int frame : {0, 1 + frames / 2, 1 + frames})
      graph_.text += fmt::format("keyframe:{}:{}:stops:{}\n", frame, between, pick(random, -3, 3));
  };
  join("i-memory:in", "accumulate", before ? "exposure:before" : "");
  join("accumulate", "o-memory:out", after ? "exposure:after" : "");
}

std::unique_ptr<Session> Sequence::session(Profile* profile) const {
  auto session = std::make_unique<Session>(testDevice(), scheduleOf(graph_, "auto"), graph_.modulePath,
                                           ShaderCache::defaultFolder(), profile);
  EXPECT_EQ(checkBarriers(session->schedule()), std::vector<std::string>());
  return session;
}

std::map<int, Words> Sequence::oneByOne(const FrameSet& frames) const {
  const auto session = this->session();
  std::map<int, Words> results;
  for (const int frame : frames) {
    put(session->uploadMemory(source), images_.at(frame));
    session->compute(frame);
    results[frame] = words(sinkMemory([&](const std::string& n) { return session->downloadMemory(n); }));
  }
  return results;
}

void Sequence::fill(const StreamFrame& frame) const {
  put(frame.uploadMemory(source), images_.at(frame.index()));
}

Words Sequence::resultOf(const StreamFrame& frame) {
  return words(sinkMemory([&](const std::string& n) { return frame.downloadMemory(n); }));
}

StreamOptions Sequence::options(std::map<int, Words>& results) const {
  const auto mutex = std::make_shared<std::mutex>();
  StreamOptions options;
  options.frames = frames_;
  options.fill = [this](const StreamFrame& frame) { fill(frame); };
  options.take = [&results, mutex](const StreamFrame& frame) {
    Words result = resultOf(frame);
    const std::scoped_lock lock(*mutex);
    results[frame.index()] = std::move(result);
  };
  return options;
}

void StreamTest::TearDown() {
  const std::vector<std::string> messages = testDevice().validationMessages();
  for (size_t i = messagesBefore_; i < messages.size(); ++i)
    ADD_FAILURE() << messages[i];
}

}  // namespace lacuna::test
