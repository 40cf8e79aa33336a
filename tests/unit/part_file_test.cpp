// Files that appear complete or not at all: what writers leave behind, and two of them at once.

#include "graph/files/part_file.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <set>

#include "graph/files/file_name.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

std::set<std::string> namesIn(const Folder& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.file("."))) {
    names.insert(entry.path().filename());
  }
  return names;
}

std::string contentOf(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

using Names = std::set<std::string>;

TEST(PartFile, IsThereCompleteOrNotAtAll) {
  const Folder folder;
  folder.write("a", "old");
  {
    PartFile part(folder.file("a"));
    std::ofstream(part.name()) << "half";
    EXPECT_EQ(contentOf(folder.file("a")), "old");
  }
  EXPECT_EQ(namesIn(folder), Names{"a"});
  EXPECT_EQ(contentOf(folder.file("a")), "old");
  {
    PartFile part(folder.file("a"));
    std::ofstream(part.name()) << "new";
    part.place();
  }
  EXPECT_EQ(namesIn(folder), Names{"a"});
  EXPECT_EQ(contentOf(folder.file("a")), "new");
}

// Locks are those of open files: a second writer in this process is like one in another.
TEST(PartFile, TwoWritersDisturbEachOtherNot) {
  const Folder folder;
  PartFile first(folder.file("a"));
  PartFile second(folder.file("a"));
  EXPECT_NE(first.name(), second.name());
  std::ofstream(first.name()) << "first";
  std::ofstream(second.name()) << "second";
  second.place();
  EXPECT_EQ(contentOf(folder.file("a")), "second");
  PartFile third(folder.file("a"));
  EXPECT_NE(third.name(), first.name());
  first.place();
  EXPECT_EQ(contentOf(folder.file("a")), "first");
}

TEST(PartFile, ThoseOfKilledProcessesGo) {
  const Folder folder;
  const pid_t child = fork();
  if (child == 0) {
    PartFile first(folder.file("a"));
    PartFile second(folder.file("a"));
    PartFile other(folder.file("b"));
    kill(getpid(), SIGKILL);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(namesIn(folder), (Names{"a.part", "a.part-2", "b.part"}));
  {
    PartFile part(folder.file("a"));
    EXPECT_EQ(namesIn(folder), (Names{"a.part", "b.part"})) << "b is another output";
    part.place();
  }
  EXPECT_EQ(namesIn(folder), (Names{"a", "b.part"}));
  EXPECT_EQ(contentOf(folder.file("a")), "");
}

// A link in a folder that others may write to.
TEST(PartFile, LinksAreNotFollowed) {
  const Folder folder;
  folder.write("mine", "untouched");
  fs::create_symlink(folder.file("mine"), folder.file("a.part"));
  PartFile part(folder.file("a"));
  std::ofstream(part.name()) << "new";
  part.place();
  EXPECT_EQ(contentOf(folder.file("mine")), "untouched");
  EXPECT_EQ(contentOf(folder.file("a")), "new");
}

TEST(PartFile, SaysWhatIsWrong) {
  const Folder folder;
  EXPECT_THROW(PartFile(folder.file("none/a")), FileError);
  PartFile part(folder.file("a"));
  unlink(part.name().c_str());
  try {
    part.place();
    FAIL() << "there was no file to put in place";
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(), folder.file("a") + ": can't be written: No such file or directory");
  }
}

}  // namespace
}  // namespace lacuna::test
