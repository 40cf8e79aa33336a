#include "graph/run/row_stream.h"

#include <limits>

namespace lacuna {

RowStream::RowStream(NodeKind kind, std::function<void(const PassRows&)> transfer)
    : kind_(kind), thread_([this, transfer = std::move(transfer)] {
        std::exception_ptr error;
        try {
          transfer([this](uint32_t end) { return pass(end); });
        } catch (...) {
          error = std::current_exception();
        }
        const std::scoped_lock lock(mutex_);
        error_ = error;
        ended_ = true;
        changed_.notify_all();
      }) {}

RowStream::~RowStream() {
  const std::scoped_lock lock(mutex_);
  stops_ = true;
  changed_.notify_all();
}

void RowStream::allow(uint32_t end) {
  const std::scoped_lock lock(mutex_);
  allowed_ = end;
  changed_.notify_all();
}

// A source has delivered all rows that are needed; a sink needs rows that aren't complete.
bool RowStream::isWaiting() const {
  return kind_ == NodeKind::source ? passed_ >= allowed_ : passed_ > allowed_;
}

void RowStream::await() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ended_ || isWaiting(); });
  if (error_)
    std::rethrow_exception(error_);
}

void RowStream::finish() {
  std::unique_lock lock(mutex_);
  allowed_ = std::numeric_limits<uint32_t>::max();
  changed_.notify_all();
  changed_.wait(lock, [&] { return ended_; });
  if (error_)
    std::rethrow_exception(error_);
}

uint32_t RowStream::written() {
  const std::scoped_lock lock(mutex_);
  return before_;
}

bool RowStream::needsWhole() {
  const std::scoped_lock lock(mutex_);
  return needsWhole_;
}

bool RowStream::pass(uint32_t end) {
  std::unique_lock lock(mutex_);
  needsWhole_ = needsWhole_ || end == 0;
  before_ = passed_;
  passed_ = end;
  changed_.notify_all();
  changed_.wait(lock, [&] { return stops_ || needsWhole_ || !isWaiting(); });
  return !stops_ && !needsWhole_;
}

}  // namespace lacuna
