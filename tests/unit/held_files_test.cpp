// Inputs that others write, replace and remove while a frame uses them.

#include "graph/files/held_files.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <set>

#include "graph/config/text.h"
#include "graph/files/file_kind.h"
#include "graph/run/digest.h"
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

// Fields of a file's state, each of which changes when it is written.
struct Field {
  const char* name;
  std::function<void(struct stat& status)> change;
};
const Field written[] = {{"size", [](struct stat& status) { ++status.st_size; }},
                         {"seconds", [](struct stat& status) { --status.st_mtim.tv_sec; }},
                         {"nanoseconds", [](struct stat& status) { ++status.st_mtim.tv_nsec; }}};

TEST(HeldFiles, AreChangedByTheirSizeAndTheirTime) {
  const Folder folder;
  const std::string path = folder.write("a", "1");
  const auto held = [&](const std::function<void(struct stat&)>& change) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    fstat(file, &status);
    change(status);
    return HeldFile(file, status).hasChanged();
  };
  EXPECT_FALSE(held([](struct stat&) {}));
  EXPECT_FALSE(held([](struct stat& status) { ++status.st_ctim.tv_sec; })) << "its name has another file";
  for (const Field& field : written)
    EXPECT_TRUE(held(field.change)) << field.name;
}

// A writer may put the time of writing back, but not that of the last change.
TEST(HeldFiles, HaveAStampOfAllThatAWriterChanges) {
  const Folder folder;
  struct stat status {};
  ASSERT_EQ(stat(folder.write("a", "1").c_str(), &status), 0);
  EXPECT_EQ(stampDigest(folder.file("a")), stampDigest(status));
  std::vector<Field> fields(std::begin(written), std::end(written));
  fields.push_back({"inode", [](struct stat& s) { ++s.st_ino; }});
  fields.push_back({"seconds of change", [](struct stat& s) { ++s.st_ctim.tv_sec; }});
  fields.push_back({"nanoseconds of change", [](struct stat& s) { ++s.st_ctim.tv_nsec; }});
  std::set<uint64_t> stamps = {stampDigest(status)};
  for (const Field& field : fields) {
    struct stat other = status;
    field.change(other);
    EXPECT_TRUE(stamps.insert(stampDigest(other)).second) << field.name;
  }
  EXPECT_EQ(stampDigest(folder.file("none")), 0U);
  EXPECT_EQ(stampDigest(folder.file(".")), 0U) << "no regular file";
}

// Any change begins the time anew in which a file may still be written.
TEST(HeldFiles, AreAwaitedWhileTheyAreMissingOrChange) {
  using namespace std::chrono_literals;
  const Folder folder;
  const std::string path = folder.file("a");
  Awaited awaited;
  Awaited::Clock::time_point now{};
  const auto isAwaited = [&](std::chrono::milliseconds later) {
    return awaited.contains(path, now += later);
  };
  EXPECT_TRUE(isAwaited(0s));
  EXPECT_TRUE(isAwaited(1h)) << "missing";
  const auto time = fs::file_time_type::clock::now();
  const std::pair<const char*, std::function<void()>> changes[] = {
      {"appears", [&] { folder.write("a", "1"), fs::last_write_time(path, time); }},
      {"grows", [&] { std::ofstream(path, std::ios::app) << "2", fs::last_write_time(path, time); }},
      {"grows again", [&] { std::ofstream(path, std::ios::app) << "3", fs::last_write_time(path, time); }},
      {"is replaced",
       [&] {
         folder.write("b", "abc");
         fs::last_write_time(folder.file("b"), time);
         fs::rename(folder.file("b"), path);
       }},
      {"is written within a second", [&] { fs::last_write_time(path, time + 1ns); }},
      {"is written later", [&] { fs::last_write_time(path, time + 1s + 1ns); }},
      {"is written by a clock that is behind", [&] { fs::last_write_time(path, time - 1h); }},
  };
  for (const auto& [what, change] : changes) {
    SCOPED_TRACE(what);
    change();
    EXPECT_TRUE(isAwaited(20s));
    EXPECT_TRUE(isAwaited(9999ms));
    EXPECT_FALSE(isAwaited(1ms)) << "since it stays as it is";
    EXPECT_FALSE(isAwaited(1ms));
  }
  fs::remove(path);
  EXPECT_TRUE(isAwaited(20s));
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
