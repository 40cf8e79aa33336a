#pragma once
// How far a run has come, on stderr: one line that is rewritten on a terminal, else a line a minute at most.

#include <mutex>
#include <string>

#include "lacuna/lacuna.h"
#include "tools/shell/arguments.h"

namespace lacuna {

class Progress {
 public:
  Progress(ShowProgress show, int frames);
  ~Progress();  // leaves the terminal's line
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void update(const RunProgress& progress);
  void clear();                           // the terminal's line
  void message(const std::string& text);  // a line of its own; from any thread

 private:
  void clearLine();

  std::mutex mutex_;
  const bool shown_;
  bool rewrites_;             // a terminal that knows how to
  bool lineIsOpen_ = false;   // on the terminal
  double lastShown_ = -1e30;  // seconds since the start
};

// "2.5 s", "4 min 10 s", "3 h 5 min"
std::string duration(double seconds);

}  // namespace lacuna
