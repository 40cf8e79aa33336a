#pragma once
// Keeps records of outputs (made_from.h) while a run's frames are read and written.

#include <map>
#include <mutex>

#include "graph/nodes/node_graph.h"
#include "graph/run/made_from.h"

namespace lacuna {

struct Recording {
  uint64_t settings = 0;           // settingsDigest()
  std::optional<int> history = 0;  // number of earlier frames that one depends on; nullopt: all
  bool cutsAtGaps = false;         // as in WarmUp
};

// Its functions may be called on several threads at once.
class Recorder {
 public:
  Recorder(const ModuleGraph& graph, const Recording& recording)
      : graph_(graph), inputs_(graph), recording_(recording) {}

  // A frame's sources have been read; those of earlier frames that it depends on were read before.
  void hasRead(int frame);
  // Called before and after a sink's file is written, so that a record never lies beside another output than
  // its own. The latter throws FileError.
  void beforeWriting(const ModuleInstance& sink, int frame) const;
  void hasWritten(const ModuleInstance& sink, int frame);

 private:
  bool records(const ModuleInstance& sink) const;
  MadeFrom recordOf(int frame);

  const ModuleGraph& graph_;
  const FrameInputs inputs_;
  const Recording recording_;
  std::once_flag looked_;
  std::optional<std::vector<MadeFrom::Still>> stills_;
  std::mutex mutex_;  // over all below
  struct Read {
    uint64_t stamp = 0, content = 0;
  };
  std::map<int, Read> read_;
};

}  // namespace lacuna
