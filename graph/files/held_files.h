#pragma once
// Inputs that stay open from reading to writing, so that what is read, what is kept of it in the output and
// what a record says of it are of one file, even if its name has another one meanwhile.

#include <sys/stat.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "graph/lists.h"

namespace lacuna {

class HeldFile : NoCopy {
 public:
  HeldFile(int file, const struct stat& opened) : file_(file), opened_(opened) {}
  ~HeldFile();

  int number() const { return file_; }
  const struct stat& opened() const { return opened_; }  // its state at that time
  std::string name() const;                              // opens the same file again, at its start
  bool hasChanged() const;                               // by its size and its time of writing

 private:
  int file_;
  struct stat opened_;
};

// The files of one frame. Its functions may be called on several threads at once.
class HeldFiles {
 public:
  // Opened by the first call. null: it is no regular file, or can't be opened.
  std::shared_ptr<const HeldFile> open(const std::string& path);
  // "" or the name of one that has been written meanwhile.
  std::string changed() const;
  void close();

 private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const HeldFile>> files_;
};

}  // namespace lacuna
