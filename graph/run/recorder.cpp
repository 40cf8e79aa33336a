#include "graph/run/recorder.h"

#include <fmt/format.h>

#include "graph/files/standard_streams.h"
#include "graph/nodes/module_file.h"
#include "graph/run/digest.h"

namespace lacuna {
namespace {

constexpr size_t mostInFlight = 1024;  // frames that may still be written, at least

}  // namespace

bool Recorder::records(const ModuleInstance& sink) const {
  return recording_.stills && !graph_.keepsOutputs && !filePattern(sink).empty() &&
         filePattern(sink) != standardStream;
}

void Recorder::hasRead(int frame, HeldFiles& held) {
  const Read read{inputs_.stamp(frame, held), inputs_.content(frame, held)};
  const std::scoped_lock lock(mutex_);
  read_[frame] = read;
  const std::optional<int> history = recording_.history;
  if (history && read_.size() > static_cast<size_t>(*history) + mostInFlight)
    read_.erase(read_.begin());
}

void Recorder::readStills() {
  for (MadeFrom::Still& still : *recording_.stills)
    still.content = contentDigest(still.path);
  for (MadeFrom::Still& still : recording_.beside)
    still.content = contentDigest(still.path);
}

// A file that has changed since it was read, or while.
std::string Recorder::changed(const HeldFiles& held) const {
  for (const auto* stills : {&*recording_.stills, &recording_.beside}) {
    for (const MadeFrom::Still& still : *stills)
      if (stampDigest(still.path) != still.stamp)
        return still.path;
  }
  return held.changed();
}

void Recorder::hasWritten(const ModuleInstance& sink, int frame, const HeldFiles& held, const Warn& warn) {
  if (!records(sink))
    return;
  std::call_once(looked_, [&] { readStills(); });
  if (const std::string file = changed(held); !file.empty()) {
    warn(Severity::warning,
         fmt::format(
             "{}: has changed since the run began to read it; --resume makes again what was made of it",
             file));
    return;
  }
  const std::string file = fileOf(sink, graph_.folder, frame);
  MadeFrom record = recordOf(frame);
  record.output = {"", stampDigest(file), contentDigest(file)};
  try {
    writeRecord(file, record);
  } catch (const FileError& error) {
    warn(Severity::warning, fmt::format("{}; --resume will make such files again", error.what()));
  }
}

MadeFrom Recorder::recordOf(int frame) {
  MadeFrom record;
  record.settings = recording_.settings;
  record.history = recording_.history;
  record.cutsAtGaps = recording_.cutsAtGaps;
  record.stills = *recording_.stills;
  record.beside = recording_.beside;
  const std::scoped_lock lock(mutex_);
  record.stamp = read_[frame].stamp;
  record.content = read_[frame].content;
  int before = -1;  // frames
  for (auto at = read_.upper_bound(frame);
       at != read_.begin() && before < record.history.value_or(mostFrames); ++before) {
    const int expected = frame - 1 - before;
    if ((--at)->first != expected && record.cutsAtGaps)
      break;
    record.all += at->second.content;
  }
  return record;
}

}  // namespace lacuna
