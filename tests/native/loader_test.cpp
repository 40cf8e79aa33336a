// Reasons why native code isn't loaded, reported so that its author knows what to do.

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "graph/module/native_code.h"
#include "graph/module/registry.h"
#include "tests/native/places.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

std::shared_ptr<const ModuleDescription> describe(const std::string& name) {
  Diagnostics diagnostics;
  Registry registry({testModules});
  auto module = registry.find(name, diagnostics);
  EXPECT_NE(module, nullptr) << diagnostics.render();
  return module;
}

std::string whyNot(const std::string& name) {
  try {
    const NativeCode code(*describe(name));
  } catch (const NativeCodeError& error) {
    return error.what();
  }
  return "it was loaded";
}

void expectRefused(const std::string& name, const std::string& reason) {
  const std::string why = whyNot(name);
  EXPECT_NE(why.find(reason), std::string::npos) << why;
  EXPECT_NE(why.find(testModules + "/" + name + "/module.so"), std::string::npos) << why;
}

TEST(NativeLoader, LoadsWhatIsRightAndOnlyThen) {
  const auto module = describe("right");
  EXPECT_EQ(std::getenv("LACUNA_TEST_LOADED"), nullptr) << "a description ran code";
  const NativeCode code(*module);
  EXPECT_STREQ(std::getenv("LACUNA_TEST_LOADED"), "yes");
  EXPECT_EQ(code.version(), "1.25");
  ASSERT_EQ(code.warnings().size(), 1U);
  EXPECT_EQ(code.warnings()[0].text, "is only a test");
  EXPECT_NE(code.table().read, nullptr);
  EXPECT_EQ(code.table().build, nullptr);
}

TEST(NativeLoader, WrongTables) {
  expectRefused("no-symbol", "does not export the function lacuna_module_entry");
  expectRefused("null-table", "returned no table for ABI 1");
  expectRefused("other-abi", "is built for ABI 42, this program has ABI 1");
  expectRefused("other-name", "is the code of module 'somebody-else', not of 'other-name'");
  expectRefused("tiny-table", "has 8 bytes");
  expectRefused("short-table", "has no read(), but node 'file' of module 'short-table' is a source");
  expectRefused("no-compute", "has no compute(), but node 'main' of module 'no-compute' is a host node");
}

TEST(NativeLoader, DescribeThatFails) {
  expectRefused("describe-fails", "needs a machine with wings");
  expectRefused("describe-silent", "describe() of");
  expectRefused("describe-silent", "failed with 7, without a message");
}

// The system's loader would be killed by SIGBUS.
TEST(NativeLoader, FilesThatAreCutOff) {
  const Folder folder;
  ModuleDescription module = *describe("right");
  const std::filesystem::path whole = std::filesystem::path(module.folder) / "module.so";
  module.folder = folder.file(".");
  const std::string cut = folder.file("module.so");
  const auto bytes = static_cast<int64_t>(std::filesystem::file_size(whole));
  const auto whyNot = [&](int64_t length) -> std::string {
    std::filesystem::remove(cut);
    std::filesystem::copy_file(whole, cut);
    std::filesystem::resize_file(cut, static_cast<uintmax_t>(length));
    try {
      const NativeCode code(module);
    } catch (const NativeCodeError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(whyNot(bytes), "");
  for (int64_t length = 0; length < bytes; length += length < 5000 ? 97 : 3001) {
    const std::string error = whyNot(length);
    EXPECT_TRUE(error.empty() || error.find("module.so can't be loaded: ") != std::string::npos) << error;
  }
  EXPECT_NE(whyNot(2000).find("it is cut off: 2000 bytes of "), std::string::npos) << whyNot(2000);
}

TEST(NativeLoader, MissingEntryPointsOfNodes) {
  ModuleDescription module = *describe("right");
  module.nodes[0].kind = NodeKind::sink;
  EXPECT_THROW(NativeCode{module}, NativeCodeError);
  module.nodes[0].kind = NodeKind::native;
  EXPECT_THROW(NativeCode{module}, NativeCodeError);
  module.nodes[0].kind = NodeKind::pointwise;
  EXPECT_FALSE(needsNativeCode(module));
}

}  // namespace
}  // namespace lacuna::test
