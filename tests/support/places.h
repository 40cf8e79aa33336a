#pragma once
// The folders of the tests' own files: as built, or, if they are run elsewhere, from variables of the same
// names.

#include <cstdlib>
#include <string>

namespace lacuna::test {

inline std::string place(const char* variable, const char* built) {
  const char* given = std::getenv(variable);
  return given != nullptr ? given : built;
}

inline std::string testFolder() {
  return place("LACUNA_TEST_FOLDER", LACUNA_TEST_FOLDER);
}
inline std::string moduleFolder() {
  return place("LACUNA_MODULE_FOLDER", LACUNA_MODULE_FOLDER);
}
// Modules that only benchmarks and tests need.
inline std::string benchModules() {
  return testFolder() + "/../tools/bench/modules";
}
inline std::string exampleFolder() {
  return place("LACUNA_EXAMPLE_FOLDER", LACUNA_TEST_FOLDER "/../examples");
}

}  // namespace lacuna::test
