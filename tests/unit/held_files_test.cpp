// Inputs that others write, replace and remove while a frame uses them.

#include "graph/files/held_files.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "graph/config/text.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

TEST(HeldFiles, StayThoseThatWereOpened) {
  const Folder folder;
  folder.write("a", "old");
  HeldFiles held;
  const std::string name = held.open(folder.file("a"))->name();
  folder.write("b", "new");
  fs::rename(folder.file("b"), folder.file("a"));
  EXPECT_EQ(readTextFile(name).text, "old");
  EXPECT_EQ(held.open(folder.file("a"))->name(), name);
  EXPECT_EQ(held.changed(), "");
  fs::remove(folder.file("a"));
  EXPECT_EQ(readTextFile(name).text, "old");
  EXPECT_EQ(readTextFile(name).text, "old") << "each opens it at its start";
  held.close();
  EXPECT_EQ(held.open(folder.file("a")), nullptr);
}

TEST(HeldFiles, AreChangedByWhoWritesIntoThem) {
  const Folder folder;
  folder.write("a", "1");
  folder.write("b", "1");
  HeldFiles held;
  held.open(folder.file("a"));
  held.open(folder.file("b"));
  EXPECT_EQ(held.changed(), "");
  fs::last_write_time(folder.file("b"), fs::file_time_type::clock::now() + std::chrono::seconds(1));
  EXPECT_EQ(held.changed(), folder.file("b"));
}

TEST(HeldFiles, AreRegularFiles) {
  const Folder folder;
  HeldFiles held;
  EXPECT_EQ(held.open(folder.file(".")), nullptr);
  EXPECT_EQ(held.open(folder.file("none")), nullptr);
  EXPECT_EQ(held.open("/dev/null"), nullptr);
  EXPECT_EQ(held.changed(), "");
}

}  // namespace
}  // namespace lacuna::test
