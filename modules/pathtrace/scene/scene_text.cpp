#include "pathtrace/scene/read_parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "graph/config/lexer.h"
#include "graph/config/text.h"

namespace lacuna::pathtrace {
namespace {

struct StatementForm {
  std::string keyword;
  size_t heads;  // words before settings
  bool moves;    // may have `at` lines
  std::string expected;
};

const std::vector<StatementForm>& statementForms() {
  static const std::vector<StatementForm> all = {
      {"background", 0, false, "background R G B"},
      {"camera", 0, true, "camera eye X Y Z target X Y Z fov DEGREES"},
      {"generate", 1, false, "generate SEED"},
      {"material", 2, false, "material NAME SURFACE SETTINGS..."},
      {"mesh", 2, false, "mesh NAME \"FILE.obj\""},
      {"object", 2, true, "object NAME SHAPE material MATERIAL SETTINGS..."},
  };
  return all;
}

class Reader {
 public:
  Reader(SceneText& text, Diagnostics& diagnostics) : text_(text), diagnostics_(diagnostics) {}

  void readLine(std::string_view line, int number) {
    const Location where{text_.file, number, 1, 1};
    if (!isText(line, where, diagnostics_)) {
      begun_ = true;
      return;
    }
    LexedLine lexed = lexLine(line, where, diagnostics_, Between::spaces);
    const bool first = !begun_;
    begun_ = begun_ || lexed.wrong || !lexed.words.empty();
    if (lexed.wrong || lexed.words.empty())
      return;
    if (!first || !isHeader(lexed.words))
      statement(std::move(lexed.words));
  }
  bool begun() const { return begun_; }

 private:
  // The version of the first line. A first line that is no header at all is also a statement.
  bool isHeader(const std::vector<Word>& words) {
    const std::string& text = words[0].text;
    if (!text.starts_with("scene:")) {
      error(words[0], "the file does not start with its version", "write scene:1 before everything else");
      return false;
    }
    if (text != "scene:1") {
      error(words[0], fmt::format("version '{}' of the file is not known", text.substr(6)),
            "this program reads scene:1");
    } else if (words.size() > 1) {
      error(words[1], "the version must have its own line");
    }
    return true;
  }

  void statement(std::vector<Word> words) {
    if (words[0].text == "at" && !words[0].quoted) {
      keyframe(std::move(words));
      return;
    }
    moving_ = nullptr;
    const auto form = std::ranges::find_if(statementForms(), [&](const StatementForm& each) {
      return each.keyword == words[0].text && !words[0].quoted;
    });
    if (form == statementForms().end()) {
      unknown(words[0]);
    } else if (words.size() <= form->heads) {
      error(words[0],
            fmt::format("'{}' takes {} word{} before all else, got {}", form->keyword, form->heads,
                        form->heads == 1 ? "" : "s", words.size() - 1),
            "expected " + form->expected);
    } else {
      moving_ = &*form;
      text_.lines.push_back({std::move(words), {}});
      return;
    }
    afterError_ = true;
  }

  void keyframe(std::vector<Word> words) {
    if (moving_ != nullptr && moving_->moves) {
      text_.lines.back().keys.push_back(std::move(words));
    } else if (moving_ != nullptr) {
      error(words[0], fmt::format("a {} has no keyframes", moving_->keyword),
            "'at' must be below a camera or an object");
    } else if (!afterError_) {
      error(words[0], "a keyframe of nothing", "'at' must be below a camera or an object");
    }
  }

  void unknown(const Word& word) {
    std::vector<std::string> known = {"at"};
    for (const StatementForm& form : statementForms())
      known.push_back(form.keyword);
    error(word, fmt::format("unknown keyword '{}'", word.text), suggest(word.text, known));
  }

  void error(const Word& word, std::string message, std::string hint = {}) {
    diagnostics_.error(word.where, std::move(message), std::move(hint));
  }

  SceneText& text_;
  Diagnostics& diagnostics_;
  bool begun_ = false;
  const StatementForm* moving_ = nullptr;  // of the last line; null if there is none, or it was wrong
  bool afterError_ = false;
};

}  // namespace

std::vector<const SceneLine*> SceneText::of(std::string_view keyword) const {
  std::vector<const SceneLine*> found;
  for (const SceneLine& line : lines)
    if (line.words[0].text == keyword)
      found.push_back(&line);
  return found;
}

namespace {

// A scene without its version is still read. Other files are not quoted, because any graph may name them.
bool looksLikeScene(const std::string& text) {
  for (const std::string_view line : splitLines(text)) {
    const size_t first = line.find_first_not_of(" \t\r\xEF\xBB\xBF");
    if (first != std::string_view::npos && line[first] != '#') {
      const std::string_view rest = line.substr(first);
      const std::string_view word = rest.substr(0, rest.find_first_of(" \t"));
      return word.starts_with("scene") ||
             std::ranges::any_of(statementForms(),
                                 [&](const StatementForm& form) { return form.keyword == word; });
    }
  }
  return true;  // an empty one
}

}  // namespace

SceneText readSceneText(const std::string& text, const std::string& path, Diagnostics& diagnostics) {
  SceneText scene;
  const bool isScene = looksLikeScene(text);
  scene.file = diagnostics.addFile(path, isScene ? text : std::string());
  scene.folder = std::filesystem::path(path).parent_path().string();
  if (!isScene) {
    diagnostics.error({scene.file, 0, 0, 1}, "the file is not a scene", "a scene starts with scene:1");
    return scene;
  }
  Reader reader(scene, diagnostics);
  int number = 0;
  for (const std::string_view line : splitLines(text))
    reader.readLine(line, ++number);
  if (!reader.begun())
    diagnostics.error({scene.file, 0, 0, 1}, "the file is empty", "a scene starts with scene:1");
  return scene;
}

}  // namespace lacuna::pathtrace
