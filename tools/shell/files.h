#pragma once
// Files and folders of the program: text, what is temporary, and what comes with it.

#include <string>
#include <vector>

#include "graph/config/text.h"
#include "graph/lists.h"

namespace lacuna {

FileText readStandardInput();
std::string readBytes(const std::string& file);  // all of them; throws FileError

// Appears complete or not at all. Throws FileError.
void writeTextFile(const std::string& path, const std::string& text);

// A file that an option names. Throws FileError where its name has not the extension, it can't be written, or
// it is one of the inputs.
struct NamedOutput {
  const char* option;     // "--difference"
  const char* what;       // "the difference is written as PNG"
  const char* extension;  // ".png"
};
inline constexpr NamedOutput pageOutput = {"--html", "the page is written as HTML", ".html"};
void checkNamedOutput(const NamedOutput& output, const std::string& file,
                      const std::vector<std::string>& inputs);

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
