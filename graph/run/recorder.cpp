#include "graph/run/recorder.h"

#include <filesystem>

#include "graph/files/standard_streams.h"
#include "graph/nodes/module_file.h"

namespace lacuna {
namespace {

constexpr size_t mostInFlight = 1024;  // frames that may still be written, at least

}  // namespace

bool Recorder::records(const ModuleInstance& sink) const {
  return !graph_.keepsOutputs && !filePattern(sink).empty() && filePattern(sink) != standardStream;
}

void Recorder::hasRead(int frame) {
  const Read read{inputs_.stamp(frame), inputs_.content(frame)};
  const std::scoped_lock lock(mutex_);
  read_[frame] = read;
  const std::optional<int> history = recording_.history;
  if (history && read_.size() > static_cast<size_t>(*history) + mostInFlight) {
    read_.erase(read_.begin());
  }
}

void Recorder::beforeWriting(const ModuleInstance& sink, int frame) const {
  if (records(sink)) {
    removeRecord(fileOf(sink, graph_.folder, frame));
  }
}

void Recorder::hasWritten(const ModuleInstance& sink, int frame) {
  if (!records(sink)) {
    return;
  }
  std::call_once(looked_, [&] { stills_ = stillFiles(graph_); });
  if (!stills_) {
    return;
  }
  const std::string file = fileOf(sink, graph_.folder, frame);
  MadeFrom record = recordOf(frame);
  record.bytes = std::filesystem::file_size(file);
  writeRecord(file, record);
}

MadeFrom Recorder::recordOf(int frame) {
  MadeFrom record;
  record.settings = recording_.settings;
  record.history = recording_.history;
  record.cutsAtGaps = recording_.cutsAtGaps;
  record.stills = *stills_;
  const std::scoped_lock lock(mutex_);
  record.stamp = read_[frame].stamp;
  record.content = read_[frame].content;
  int before = -1;  // frames
  for (auto at = read_.upper_bound(frame);
       at != read_.begin() && before < record.history.value_or(mostFrames); ++before) {
    const int expected = frame - 1 - before;
    if ((--at)->first != expected && record.cutsAtGaps) {
      break;
    }
    record.all += at->second.content;
  }
  return record;
}

}  // namespace lacuna
