#include "tools/bench/take_output.h"

#include <fmt/format.h>

#include "graph/files/file_id.h"
#include "graph/files/output_file.h"
#include "graph/files/standard_streams.h"
#include "tools/shell/messages.h"

namespace lacuna {

bool takeOutput(BenchArguments& arguments) {
  std::string& output = arguments.output;
  if (standardOutputName(output) == standardStream) {
    arguments.json = true;
    output.clear();
  }
  if (output.empty()) {
    return true;
  }
  const auto id = fileIdOf(output);
  for (const std::string& file : arguments.beside) {
    if (id && id == fileIdOf(file)) {
      printError(fmt::format("-o {}: would be written over {}, which --beside reads", output, file));
      return false;
    }
  }
  const auto reason = unwritable(output, FileKind::report);
  if (reason) {
    printError("-o " + *reason);
  }
  return !reason;
}

}  // namespace lacuna
