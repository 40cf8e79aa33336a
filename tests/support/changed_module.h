#pragma once
// A copy of a module of this tree with something changed in its files.

#include <filesystem>

#include "graph/config/text.h"
#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {

class ChangedModule {
 public:
  explicit ChangedModule(const std::string& module) : module_(folder_.file("modules/" + module)) {
    const fs::path own = module_;
    fs::create_directories(own.parent_path());
    const std::string users = LACUNA_MODULE_FOLDER "/" + module;
    fs::copy(fs::exists(users) ? users : benchModules() + "/" + module, own, fs::copy_options::recursive);
    const fs::path native = fs::path(LACUNA_PROGRAM).parent_path() / "modules" / module / "module.so";
    if (fs::exists(native))
      fs::copy(native, own);
  }

  // The first `from` in the file becomes `to`.
  ChangedModule(const std::string& module, const std::string& file, const std::string& from,
                const std::string& to)
      : ChangedModule(module) {
    std::string text = slurp(module_ + "/" + file);
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << text;
    rewrite(file, text.replace(at, from.size(), to));
  }

  void rewrite(const std::string& file, const std::string& text) const { spill(module_ + "/" + file, text); }

  std::string modules() const { return folder_.file("modules"); }  // the folder for --modules

  // Runs the program with these arguments, and with the changed module in place of the tree's.
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.end(), {"--modules", modules()});
    return runProgram(words);
  }

 private:
  Folder folder_;
  std::string module_;
};

}  // namespace lacuna::test
