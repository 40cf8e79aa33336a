#pragma once
// Files that another program is about to write.

#include <chrono>
#include <map>
#include <string>

namespace lacuna {

// A file is compared with itself, by this machine's running time: a file server's clock may differ.
class Awaited {
 public:
  // Whether it is missing, or has changed within the last 10 seconds; the first call counts as a change.
  bool contains(const std::string& file);

 private:
  struct Seen {
    std::string state;  // size, time and inode
    std::chrono::steady_clock::time_point since;
  };
  std::map<std::string, Seen> seen_;
};

}  // namespace lacuna
