#pragma once
// A file that is read or written on a thread of its own while its picture is computed in tiles, so that only
// some of its rows are in memory.

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "graph/lists.h"
#include "graph/load/files.h"

namespace lacuna {

class RowStream : NoCopy {
 public:
  // `transfer` is readFrame() of a source, which stays within the rows that allow() has named, or
  // writeFrame() of a sink, which waits for those.
  RowStream(NodeKind kind, std::function<void(const PassRows&)> transfer);
  ~RowStream();  // `transfer` fails if it has not ended

  NodeKind kind() const { return kind_; }
  // Rows above `end` are needed (from a source), or complete (for a sink).
  void allow(uint32_t end);
  // Returns when the transfer waits for allow(), or has ended. Throws what `transfer` has thrown.
  void await();
  // Until it has ended. Throws likewise.
  void finish();
  // Rows above that a sink has written.
  uint32_t written();
  // Whether a sink has failed because it must see all rows at once.
  bool needsWhole();

 private:
  bool pass(uint32_t end);
  bool isWaiting() const;

  const NodeKind kind_;
  std::mutex mutex_;  // over all below
  std::condition_variable changed_;
  uint32_t allowed_ = 0;
  uint32_t passed_ = 0, before_ = 0;  // by the last call of pass(), and the one before
  bool stops_ = false, ended_ = false, needsWhole_ = false;
  std::exception_ptr error_;
  std::jthread thread_;
};

}  // namespace lacuna
