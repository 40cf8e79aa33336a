#include "tests/fuzz/sound.h"

#include "graph/config/text.h"
#include "tests/fuzz/target.h"

namespace lacuna::fuzz {

void expectSound(const Diagnostics& diagnostics, const std::string& text) {
  const std::string rendered = diagnostics.render();
  expect(!firstByteNotText(rendered), "messages are text");
  expect(printable(rendered).size() == rendered.size(), "messages are shown byte by byte");
  expect(!diagnostics.hasErrors() || !rendered.empty(), "errors have messages");
  const auto lines = splitLines(text);
  for (const Diagnostic& each : diagnostics.sorted()) {
    expect(!each.message.empty(), "messages say something");
    if (each.where.file != 0 || each.where.line == 0)
      continue;
    // An error at the end of a text may be on the empty line after it.
    const auto line = static_cast<size_t>(each.where.line);
    expect(line <= lines.size() + 1, "lines of messages exist: " + each.message);
    const size_t length = line <= lines.size() ? lines[line - 1].size() : 0;
    expect(each.where.column >= 1 && static_cast<size_t>(each.where.column) <= length + 2,
           "columns of messages exist: " + each.message);
  }
}

}  // namespace lacuna::fuzz
