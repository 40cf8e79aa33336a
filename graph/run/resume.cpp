#include "graph/run/resume.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "graph/load/file_numbers.h"
#include "graph/load/files.h"
#include "graph/nodes/build_native.h"
#include "graph/run/digest.h"
#include "graph/run/made_from.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

bool isWhole(const ModuleGraph& graph, const ModuleInstance& sink, int frame) {
  if (sink.native == nullptr || sink.native->table().check == nullptr)
    return true;
  NativeCall call(callContext(graph, sink, frame));
  return call.run(sink.native->file(), "check", sink.native->table().check);
}

bool hasOutputs(const ModuleInstance& module) {
  return module.description->isSink() && module.description->parameter("filename") != nullptr;
}

// Compares the records of outputs with their present inputs.
class Comparison {
 public:
  Comparison(const ModuleGraph& graph, Missing missing, const Recording& now)
      : graph_(graph),
        inputs_(graph),
        there_(missing == Missing::hold ? FrameSet::range(0, mostFrames - 1)
                                        : framesWithFiles(graph).between(0, mostFrames - 1)),
        now_(now) {}

  Output outputOf(const ModuleInstance& sink, int frame) {
    const std::string file = fileOf(sink, graph_.folder, frame);
    std::error_code isMissing;
    const uint64_t bytes = fs::file_size(file, isMissing);
    if (isMissing)
      return Output::missing;
    const FoundRecord found = readRecord(file);
    if (!found.mistake.empty())
      damaged_.push_back(found.mistake);
    if (bytes == 0 || (found.record && !isSame(file, found.record->output)) || !isWhole(graph_, sink, frame))
      return Output::incomplete;
    if (!found.record)
      return found.isOlder ? Output::olderRecord : Output::unrecorded;
    if (found.record->settings != now_.settings)
      return Output::otherSettings;
    return isMadeFromInputs(*found.record, frame) ? Output::upToDate : Output::otherInputs;
  }

  const std::vector<std::string>& damaged() const { return damaged_; }

 private:
  struct Known {
    uint64_t stamp = 0, content = 0;
  };

  bool isMadeFromInputs(const MadeFrom& record, int frame) {
    const auto isSameStill = [&](const MadeFrom::Still& still) { return isSame(still.path, still); };
    return now_.stills &&
           std::ranges::equal(*now_.stills, record.stills,
                              [&](const auto& now, const auto& was) { return isSame(now.path, was); }) &&
           std::ranges::all_of(record.beside, isSameStill) && hasSameFrames(record, frame);
  }

  // Whether the file that is there now is as it was, or gone.
  bool isSame(const std::string& path, const MadeFrom::Still& was) {
    const auto [known, isNew] = stills_.try_emplace(path);
    if (isNew)
      known->second = {stampDigest(path), 0};
    if (known->second.stamp == 0 || known->second.stamp == was.stamp)
      return true;
    if (known->second.content == 0)
      known->second.content = contentDigest(path);
    return known->second.content == was.content;
  }

  bool hasSameFrames(const MadeFrom& record, int frame) {
    uint64_t all = 0;
    int left = record.history.value_or(mostFrames);
    for (std::optional<int> at = frame; at && left >= 0; at = there_.lastUpTo(*at - 1), --left) {
      const uint64_t content = contentOf(*at);
      if (content == 0)
        return true;  // gone
      all += content;
      if (record.cutsAtGaps && !there_.contains(*at - 1))
        break;
    }
    return all == record.all;
  }

  // Files are only read if their stamps differ from the record's.
  uint64_t contentOf(int frame) {
    const auto [known, isNew] = contents_.try_emplace(frame, 0);
    if (isNew) {
      const uint64_t stamp = inputs_.stamp(frame);
      for (const ModuleInstance& module : graph_.modules) {
        const std::optional<MadeFrom> record =
            hasOutputs(module) ? readRecord(fileOf(module, graph_.folder, frame)).record : std::nullopt;
        if (record && record->settings == now_.settings && record->stamp == stamp)
          return known->second = record->content;
      }
      known->second = inputs_.content(frame);
    }
    return known->second;
  }

  const ModuleGraph& graph_;
  const FrameInputs inputs_;
  const FrameSet there_;
  const Recording& now_;
  std::map<std::string, Known> stills_;
  std::map<int, uint64_t> contents_;
  std::vector<std::string> damaged_;
};

using Counts = std::array<size_t, outputStates>;

// The frames for which look(sink, frame) finds an output that is up to date; all are counted.
template <class Look>
FrameSet upToDate(const ModuleGraph& graph, const ModuleInstance& sink, const FrameSet& frames,
                  Counts& counts, const Look& look) {
  if (!hasFrameFiles(sink)) {  // one file, which is that of the last frame
    const Output output = look(sink, frames.back());
    counts[static_cast<size_t>(output)] += frames.size();
    return output == Output::upToDate ? frames : FrameSet();
  }
  const FrameSet there = frames.within(framesThere(sink, graph.folder));
  counts[static_cast<size_t>(Output::missing)] += frames.size() - there.size();
  FrameSet found;
  for (const int frame : there) {
    const Output output = look(sink, frame);
    ++counts[static_cast<size_t>(output)];
    if (output == Output::upToDate)
      found.add(frame);
  }
  return found;
}

template <class Look>
Unfinished unfinished(const ModuleGraph& graph, const FrameSet& frames, const Look& look) {
  Unfinished found{frames, {}, {}};
  FrameSet done = frames;
  bool hasSink = false;
  for (const ModuleInstance& module : graph.modules) {
    if (hasOutputs(module) && !done.empty()) {
      done = upToDate(graph, module, done, found.counts, look);
      hasSink = true;
    }
  }
  found.frames = hasSink ? frames.without(done) : frames;
  found.counts[static_cast<size_t>(Output::upToDate)] = frames.size() - found.frames.size();
  return found;
}

}  // namespace

Unfinished unfinishedFrames(const ModuleGraph& graph, const FrameSet& frames, Missing missing,
                            const Recording& now) {
  Comparison comparison(graph, missing, now);
  Unfinished found = unfinished(
      graph, frames, [&](const ModuleInstance& sink, int frame) { return comparison.outputOf(sink, frame); });
  found.damaged = comparison.damaged();
  return found;
}

FrameSet unwrittenFrames(const ModuleGraph& graph, const FrameSet& frames) {
  return unfinished(graph, frames,
                    [&](const ModuleInstance& sink, int frame) {
                      std::error_code ignored;
                      return fs::exists(fileOf(sink, graph.folder, frame), ignored) ? Output::upToDate
                                                                                    : Output::missing;
                    })
      .frames;
}

}  // namespace lacuna
