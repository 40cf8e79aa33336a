#pragma once
// The progress of a run, on stderr: one line that is rewritten on a terminal, else at most a line a minute.

#include <string>

#include "graph/lists.h"
#include "lacuna/lacuna.h"
#include "tools/shell/arguments.h"

namespace lacuna {

class Progress : NoCopy {
 public:
  Progress(ShowProgress show, size_t count);  // of frames, or pictures
  ~Progress();                                // clears the terminal's line

  void update(const RunProgress& progress);
  // "a.png: 2 of 500 done, 1.3 a second, 6 min 23 s left, slowest: writing, 80 ms"; `now` is "a.png: 2 of 500
  // done".
  void update(const std::string& now, int done, int left, double seconds);

 private:
  const bool shown_;
  bool rewrites_;             // a terminal that supports it
  double lastShown_ = -1e30;  // seconds since the start
  int leftOut_ = 0;           // frames that can't be read
};

double commandSeconds();  // since the program began

// "2.5 s", "4 min 10 s", "3 h 5 min"
std::string duration(double seconds);

}  // namespace lacuna
