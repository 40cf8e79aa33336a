#pragma once
// A message to users. Installed: lacuna.h includes it.

#include <string>

namespace lacuna {

enum class Severity { error, warning, note };

struct Message {
  Severity severity = Severity::error;
  std::string file;  // or the parameter that caused it, "-p eaw:01:levels=3"; or empty
  int line = 0;      // from 1, like the column; 0: of the file as a whole
  int column = 0;
  std::string text;     // lines after the first one are details
  std::string hint;     // what to do; may be empty
  std::string printed;  // all of this, with the line that it is about; ends with a newline
};

}  // namespace lacuna
