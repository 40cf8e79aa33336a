#pragma once
// A copy of a module of this tree with something changed in one of its files.

#include <filesystem>

#include "graph/config/text.h"
#include "tests/support/places.h"
#include "tests/support/program.h"

namespace lacuna::test {

class ChangedModule {
 public:
  // The first `from` in the file becomes `to`.
  ChangedModule(const std::string& module, const std::string& file, const std::string& from,
                const std::string& to) {
    const fs::path own = folder_.file("modules/" + module);
    fs::create_directories(own.parent_path());
    const std::string users = LACUNA_MODULE_FOLDER "/" + module;
    fs::copy(fs::exists(users) ? users : benchModules() + "/" + module, own, fs::copy_options::recursive);
    const fs::path native = fs::path(LACUNA_PROGRAM).parent_path() / "modules" / module / "module.so";
    if (fs::exists(native))
      fs::copy(native, own);
    std::string text = slurp((own / file).string());
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << text;
    spill((own / file).string(), text.replace(at, from.size(), to));
  }

  // Runs the program with these arguments, and with the changed module in place of the tree's.
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.end(), {"--modules", folder_.file("modules")});
    return runProgram(words);
  }

 private:
  Folder folder_;
};

}  // namespace lacuna::test
