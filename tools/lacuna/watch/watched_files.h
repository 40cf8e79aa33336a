#pragma once
// Files that a graph was made from, watched by inotify: a save is a change however an editor writes it, in
// place or by rename.

#include <map>
#include <set>
#include <string>

#include "graph/lists.h"

namespace lacuna {

class WatchedFiles : NoCopy {
 public:
  WatchedFiles();  // throws FileError
  ~WatchedFiles();

  // From now on these, and all files in these folders, in place of the earlier ones. Files that are missing
  // count when they appear.
  void follow(const std::set<std::string>& files, const std::set<std::string>& folders);

  int descriptor() const { return inotify_; }  // readable after a change of a neighbour, too
  // The names that have changed since the last call; waits until all is quiet for a moment, as editors write
  // in steps.
  std::set<std::string> changed();

 private:
  int inotify_;
  std::map<int, std::string> names_;       // of folders, by watch
  std::map<std::string, int> watches_;     // of folders
  std::set<std::string> files_, folders_;  // absolute
};

}  // namespace lacuna
