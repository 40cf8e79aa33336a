#include "tools/lacuna/plan/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "graph/config/json_text.h"
#include "graph/door/state.h"
#include "graph/load/file_numbers.h"
#include "graph/run/stream.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

struct Chunk {
  std::string frames;  // as --frames takes them
  size_t written = 0, warmUp = 0;
};

// "1-100,103"
std::string asWords(const FrameSet& frames) {
  std::vector<std::string> words;
  for (const FrameSet::Run& run : frames.runs()) {
    words.push_back(run.first == run.last ? fmt::format("{}", run.first)
                                          : fmt::format("{}-{}", run.first, run.last));
  }
  return fmt::format("{}", fmt::join(words, ","));
}

size_t warmUpOf(const FrameSet& part, const door::GraphState& state) {
  const FrameSet there = framesWithFiles(state.loaded.graph.modules);
  return framesToRun(part, state.warmUp, state.missing, there).warmUp.size();
}

std::vector<Chunk> chunksOf(const door::GraphState& state, size_t count) {
  const int first = state.loaded.graph.modules.firstNumber;
  std::vector<Chunk> chunks;
  for (const FrameSet& part : framesInParts(state, count))
    chunks.push_back({asWords(part), part.size(), warmUpOf(part.shifted(-first), state)});
  return chunks;
}

// On stderr, so that scripts read only ranges.
void printTotals(const std::vector<Chunk>& chunks, size_t asked) {
  size_t written = 0, warmUp = 0, most = 0;
  for (const Chunk& chunk : chunks) {
    written += chunk.written;
    warmUp += chunk.warmUp;
    most = std::max(most, chunk.written + chunk.warmUp);
  }
  printNote(fmt::format("{} chunk{}{}: {} frame{} and {} of warm-up; the longest computes {}", chunks.size(),
                        chunks.size() == 1 ? "" : "s",
                        chunks.size() < asked ? " (more would not end earlier)" : "", written,
                        written == 1 ? "" : "s", warmUp, most));
}

}  // namespace

std::vector<FrameSet> framesInParts(const door::GraphState& state, size_t count) {
  std::vector<FrameSet> parts = chunksOf(state.plan.frames, count, [&](const FrameSet& frames) {
    return frames.size() + warmUpOf(frames, state);
  });
  for (FrameSet& part : parts)
    part = part.shifted(state.loaded.graph.modules.firstNumber);
  return parts;
}

int printChunks(const PlanArguments& arguments) {
  const auto state = loadState(arguments.graph, arguments.graph.graph, arguments.frames);
  printDiagnostics(state->loaded.diagnostics);
  if (!state->loaded.ok())
    return exitUsage;
  const auto asked = static_cast<size_t>(arguments.chunks);
  const std::vector<Chunk> chunks = chunksOf(*state, asked);
  if (arguments.json) {
    nlohmann::ordered_json out = nlohmann::ordered_json::array();
    for (const Chunk& chunk : chunks)
      out.push_back({{"frames", chunk.frames}, {"written", chunk.written}, {"warmUp", chunk.warmUp}});
    fmt::print("{}\n", jsonText(out, 2));
    return exitOk;
  }
  for (const Chunk& chunk : chunks)
    fmt::print("{}\n", chunk.frames);
  printTotals(chunks, asked);
  return exitOk;
}

}  // namespace lacuna
