// The places from which native code may be loaded: only the user and root may be able to change it.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "graph/module/native_file.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

class Trust : public testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::canonical(folder_.path());
    own_ = root_ / "modules" / "mine";
    fs::create_directories(own_);
    mode(root_ / "modules", 0755);
    mode(own_, 0755);
    file_ = own_ / "module.so";
    std::ofstream(file_) << "code";
    mode(file_, 0644);
  }

  static void mode(const fs::path& path, mode_t bits) { ASSERT_EQ(chmod(path.c_str(), bits), 0) << path; }

  std::string refusal() const {
    try {
      return "trusted: " + trustedFile(file_.string());
    } catch (const NativeCodeError& error) {
      return error.what();
    }
  }

  // The message must name the wrong path and the remedy.
  void expectRefused(const fs::path& blamed, const std::string& what, const std::string& remedy) const {
    const std::string why = refusal();
    EXPECT_NE(why.find(what), std::string::npos) << why;
    EXPECT_NE(why.find(remedy + " '" + blamed.string() + "'"), std::string::npos) << why;
    EXPECT_EQ(why.find("trusted"), std::string::npos) << why;
  }

  const Folder folder_;
  fs::path root_, own_, file_;
};

TEST_F(Trust, OwnFilesThatNobodyElseWrites) {
  EXPECT_EQ(trustedFile(file_.string()), file_.string());
}

TEST_F(Trust, TheFileItself) {
  mode(file_, 0664);
  expectRefused(file_, "can be written by its group", "chmod g-w");
  mode(file_, 0646);
  expectRefused(file_, "can be written by everybody", "chmod o-w");
}

TEST_F(Trust, ItsFolder) {
  mode(own_, 0775);
  expectRefused(own_, "can be written by its group", "chmod g-w");
  mode(own_, 0757);
  expectRefused(own_, "can be written by everybody", "chmod o-w");
  mode(own_, 01777);  // others could put a module.so there if there is none
  expectRefused(own_, "can be written by everybody", "chmod o-w");
}

TEST_F(Trust, FoldersAbove) {
  mode(root_ / "modules", 0775);
  expectRefused(root_ / "modules", "can be written by its group", "chmod g-w");
  mode(root_ / "modules", 0757);
  expectRefused(root_ / "modules", "can be written by everybody", "chmod o-w");
  mode(root_ / "modules", 01777);
  EXPECT_EQ(trustedFile(file_.string()), file_.string());
}

TEST_F(Trust, LinksAreJudgedByWhereTheyEnd) {
  const fs::path elsewhere = root_ / "elsewhere";
  fs::create_directories(elsewhere);
  mode(elsewhere, 0755);
  fs::rename(file_, elsewhere / "real.so");
  fs::create_symlink("../../elsewhere/real.so", file_);
  EXPECT_EQ(trustedFile(file_.string()), (elsewhere / "real.so").string());
  mode(elsewhere, 0777);
  expectRefused(elsewhere, "can be written by everybody", "chmod o-w");
  mode(elsewhere, 0755);
  fs::remove(elsewhere / "real.so");
  EXPECT_NE(refusal().find("there is no such file"), std::string::npos) << refusal();
}

TEST_F(Trust, WhatIsNoFile) {
  fs::remove(file_);
  EXPECT_NE(refusal().find("there is no such file"), std::string::npos) << refusal();
  fs::create_directory(file_);
  EXPECT_NE(refusal().find("not a regular file"), std::string::npos) << refusal();
  fs::remove(file_);
  ASSERT_EQ(mkfifo(file_.c_str(), 0644), 0);
  EXPECT_NE(refusal().find("not a regular file"), std::string::npos) << refusal();
}

TEST_F(Trust, OtherOwners) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give files away";
  constexpr uid_t somebody = 4242;
  for (const fs::path& path : {file_, own_, root_ / "modules"}) {
    ASSERT_EQ(chown(path.c_str(), somebody, 0), 0);
    expectRefused(path, "belongs to user 4242", "chown root");
    ASSERT_EQ(chown(path.c_str(), 0, 0), 0);
  }
  EXPECT_EQ(trustedFile(file_.string()), file_.string());
}

}  // namespace
}  // namespace lacuna::test
