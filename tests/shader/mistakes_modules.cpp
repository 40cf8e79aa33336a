#include <filesystem>

#include "tests/shader/mistakes.h"
#include "tests/support/folder.h"

namespace lacuna::test {

ModuleFiles rightModule(const std::string& kind) {
  ModuleFiles files;
  for (const auto& file : std::filesystem::directory_iterator(LACUNA_TEST_FOLDER "/shader/modules/" + kind))
    files[file.path().filename()] = slurp(file.path());
  return files;
}

}  // namespace lacuna::test
