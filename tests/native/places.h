#pragma once
// The folders of these tests' modules.

#include <string>

namespace lacuna::test {

inline const std::string testModules = LACUNA_TEST_MODULES;
inline const std::string ownModules = LACUNA_MODULE_FOLDER;

}  // namespace lacuna::test
