#pragma once
// User errors: collected, never thrown, and printed all at once. Those of a file as
//   graph.cfg:12:18: error: message
//   param:svgf:01:levls:4
//                 ^~~~~
//   hint: did you mean 'levels'?
// and those of the command line as
//   lacuna: error: message (from -p svgf:01:levels=0)

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "graph/config/message.h"

namespace lacuna {

// A place in one of the files that a Diagnostics knows. Lines and columns count from 1.
struct Location {
  int file = -1;  // index from Diagnostics::addFile or addOption; -1: none of them
  int line = 0;
  int column = 0;
  int length = 1;  // columns to underline
};

struct Diagnostic {
  Location where;
  std::string message;  // lines after the first one stand below the excerpt: messages of a file that was read
  std::string hint;     // may be empty
  bool isWarning = false;
};

class Diagnostics {
 public:
  // Registers a text so that errors in it can be shown with their line. Returns its index.
  int addFile(std::string name, std::string text);
  // Registers a word of the command line that values come from, as "-p eaw:01:levels=3". Returns its index.
  int addOption(std::string option);
  const std::string& fileName(int file) const;  // or the option
  const std::string& fileText(int file) const;
  int fileCount() const { return static_cast<int>(files_.size()); }
  std::vector<std::string> fileNames() const;  // without options
  // "graph.cfg:12", "-p eaw:01:levels=3"; "" if there is none.
  std::string place(const Location& where) const;
  // A place in an included file, as a place of its `include:` line in this file.
  Location adopt(const Diagnostics& other, Location where);

  void error(Location where, std::string message, std::string hint = {});
  void warn(Location where, std::string message, std::string hint = {});
  bool hasErrors() const { return hasErrors_; }
  // Later messages than this many are dropped.
  bool isFull() const { return isFull_; }
  // Sorted by file, line and column, without exact duplicates. If there are more errors, the last one says
  // so. Long messages are cut.
  std::vector<Diagnostic> sorted() const;

  // All errors and warnings, sorted, in the form above; ends with a newline unless there are none.
  std::string render() const;
  std::vector<Message> messages() const;  // each of sorted(), for programs

 private:
  using Lines = std::vector<std::vector<std::string_view>>;  // one text for each file, which is already split
  void add(Diagnostic found);
  std::string render(const Diagnostic& found, Lines& lines) const;

  struct File {
    std::string name;
    std::string text;
    bool isOption = false;
  };
  std::vector<File> files_;
  std::vector<Diagnostic> found_;
  bool isFull_ = false;
  bool hasErrors_ = false;
};

// "did you mean 'x'?" for the nearest candidate (edit distance at most a third of the length), else for the
// only one that begins with the word's three letters or more, else "".
std::string didYouMean(std::string_view word, std::span<const std::string> candidates);
// The same, or else all names behind `listed`; "" if there are none.
std::string suggest(std::string_view word, const std::vector<std::string>& names,
                    std::string_view listed = "known are");
// suggest() for names of instances: "i-memory:in". The word may be one of a name's parts alone, "in".
std::string suggestInstance(std::string_view word, const std::vector<std::string>& names);

}  // namespace lacuna
