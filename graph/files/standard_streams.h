#pragma once
// Standard input and output as files: images are read and written as files, so both pass through files in
// memory, which have names but no folder.

#include <optional>
#include <string>

#include "graph/lists.h"

namespace lacuna {

constexpr const char* standardStream = "-";  // as the name of a file

// "-" for other names of standard input or output, as "/dev/stdout"; other names unchanged.
std::string standardInputName(const std::string& file);
std::string standardOutputName(const std::string& file);

// Why standard output can't be written: it is closed.
std::optional<std::string> closedStandardOutput();

// The name of a file that holds all of standard input, which is read when this is called first. Lives as long
// as the process. Throws FileError where it can't be read, is empty or takes more than readMemory().
std::string standardInputFile();

// A file to be written, which send() copies to standard output.
class StandardOutputFile : NoCopy {
 public:
  StandardOutputFile();  // throws FileError
  ~StandardOutputFile();

  std::string name() const;
  void send() const;  // throws FileError

 private:
  int file_;
};

}  // namespace lacuna
