#include "tools/lacuna/guides.h"

#include <fmt/format.h>

#include <array>
#include <string_view>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "tools/shell/installed.h"

namespace lacuna {
namespace {

struct Guide {
  const char* topic;
  const char* file;
  const char* chapter = "";  // its heading; if empty, the whole file
};

constexpr std::array guides = {
    Guide{"graph-files", "pipelines/README.md"},
    Guide{"frames", "tools/lacuna/README.md", "## Sequences"},
    Guide{"colour", "modules/i-png/README.md", "## Colours"},
    Guide{"motion-vectors", "modules/i-exr/README.md"},
    Guide{"scenes", "modules/pathtrace/scene/README.md"},
    Guide{"schedules", "graph/schedule/README.md"},
    Guide{"writing-modules", "modules/README.md"},
    Guide{"glossary", "graph/GLOSSARY.md"},
};

std::string chapterOf(const std::string& text, std::string_view heading) {
  std::string chapter;
  bool inside = false;
  for (const std::string_view line : splitLines(text)) {
    inside = line.starts_with("## ") ? line == heading : inside;
    if (inside) {
      chapter += fmt::format("{}\n", line);
    }
  }
  return chapter;
}

}  // namespace

std::vector<std::string> guideTopics() {
  std::vector<std::string> topics;
  for (const Guide& each : guides) {
    topics.emplace_back(each.topic);
  }
  return topics;
}

std::string guideText(const std::string& topic) {
  for (const Guide& each : guides) {
    if (topic == each.topic) {
      const std::string path = installedFolder(each.file, each.file);
      const FileText read = readTextFile(path);
      if (!read.error.empty()) {
        throw FileError(fmt::format("{}: {}", path, read.error));
      }
      return *each.chapter == '\0' ? read.text : chapterOf(read.text, each.chapter);
    }
  }
  return {};
}

}  // namespace lacuna
