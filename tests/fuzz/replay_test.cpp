// Seeds and past findings of tools/fuzz, each file a test: they pass if the sanitizers are silent and every
// promise holds.

#include <glob.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fuzz/target.h"
#include "tests/support/environment.h"

// AddressSanitizer asks for it. Twice the readers' limit: a decoder that allocates what a file promises fails
// the test.
extern "C" const char* __asan_default_options() {  // NOLINT(bugprone-reserved-identifier)
  return "max_allocation_size_mb=128";
}

namespace lacuna::fuzz {
namespace {

namespace fs = std::filesystem;

struct Input {
  std::string target;
  fs::path path;
};

const fs::path fuzzFolder = fs::path(LACUNA_TEST_FOLDER) / "fuzz";

std::vector<Input> inputsIn(const char* folder) {
  std::vector<Input> inputs;
  for (const auto& target : fs::directory_iterator(fuzzFolder / folder))
    for (const auto& file : fs::directory_iterator(target))
      inputs.push_back({target.path().filename().string(), file.path()});
  std::sort(inputs.begin(), inputs.end(), [](const Input& a, const Input& b) { return a.path < b.path; });
  return inputs;
}

// The list in the file `seeds`.
std::vector<Input> inputsOfRepository() {
  std::vector<Input> inputs;
  std::ifstream list(fuzzFolder / "seeds");
  for (std::string target, pattern; list >> target && std::getline(list >> std::ws, pattern);) {
    if (target == "#")
      continue;
    glob_t found{};
    glob((fuzzFolder / "../.." / pattern).c_str(), 0, nullptr, &found);
    for (size_t i = 0; i < found.gl_pathc; ++i)
      inputs.push_back({target, found.gl_pathv[i]});
    globfree(&found);
  }
  return inputs;
}

class Replay : public testing::TestWithParam<Input> {};

TEST_P(Replay, EndsInAMessageOrASoundResult) {
  const Target* target = targetNamed(GetParam().target);
  ASSERT_NE(target, nullptr) << "no target has the name of the folder; there are " << targetNames();
  const test::Environment memory("LACUNA_READ_MEMORY", "64");
  std::ifstream file(GetParam().path, std::ios::binary);
  const std::string input((std::istreambuf_iterator<char>(file)), {});
  try {
    target->run(input);
  } catch (const Broken& broken) {
    ADD_FAILURE() << "broken promise: " << broken.promise;
  }
}

std::string nameOf(const testing::TestParamInfo<Input>& info) {
  const fs::path& path = info.param.path;
  std::string name =
      info.param.target + "_" + path.parent_path().filename().string() + "_" + path.filename().string();
  std::replace_if(
      name.begin(), name.end(), [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Seeds, Replay, testing::ValuesIn(inputsIn("corpus")), nameOf);
INSTANTIATE_TEST_SUITE_P(Repository, Replay, testing::ValuesIn(inputsOfRepository()), nameOf);
INSTANTIATE_TEST_SUITE_P(Findings, Replay, testing::ValuesIn(inputsIn("findings")), nameOf);

}  // namespace
}  // namespace lacuna::fuzz
