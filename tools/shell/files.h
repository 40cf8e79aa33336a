#pragma once
// Files and folders of the program: text, what is temporary, and what comes with it.

#include <string>

#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna {

FileText readStandardInput();
std::string readBytes(const std::string& file);  // all of them; throws FileError

// Appears complete or not at all. Throws FileError.
void writeTextFile(const std::string& path, const std::string& text);

// A folder of this process alone, which is removed with its owner.
class TemporaryFolder : NoCopy {
 public:
  TemporaryFolder();  // throws FileError
  ~TemporaryFolder();
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

// A folder in the source tree, if the program is in its build tree; else the one below share/lacuna of its
// installation.
std::string installedFolder(const std::string& inSources, const std::string& inShare);

}  // namespace lacuna
