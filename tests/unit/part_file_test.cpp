// Files that appear complete or not at all: leftovers of writers, and two writers at once.

#include "graph/files/part_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include <set>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

std::set<std::string> namesIn(const Folder& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder.file(".")))
    names.insert(entry.path().filename());
  return names;
}

using Names = std::set<std::string>;

void place(const std::string& path, const std::string& content) {
  PartFile part(path);
  std::ofstream(part.name()) << content;
  part.place();
}

TEST(PartFile, MakesTheTargetOfALinkThatHasNone) {
  const Folder folder;
  fs::create_symlink("b", folder.file("a"));
  fs::create_symlink("c", folder.file("b"));
  EXPECT_TRUE(PartFile(folder.file("a")).place());
  EXPECT_EQ(namesIn(folder), (Names{"a", "b", "c"}));
  EXPECT_TRUE(fs::is_symlink(folder.file("a")) && fs::is_symlink(folder.file("b")));
}

// A name that leaves no room for what is added to it; between characters of several bytes, too.
TEST(PartFile, RandomNamesOfEveryLengthAreWritten) {
  const Folder folder;
  for (const size_t bytes : {242U, 243U, 244U, 250U, 254U, 255U}) {
    std::string name;
    while (name.size() < bytes)
      name += bytes - name.size() > 1 && testRandom()() % 2 == 0 ? "\xc3\xa9" : "a";
    PartFile one(folder.file(name)), other(folder.file(name));
    EXPECT_NE(one.name(), other.name());
    const std::string part = fs::path(one.name()).filename().string();
    EXPECT_TRUE(part.size() <= 255 && part.ends_with(".lacuna-part")) << part;
    EXPECT_FALSE(firstByteNotText(part)) << part;
    EXPECT_TRUE(one.place()) << bytes;
    EXPECT_TRUE(fs::exists(folder.file(name)));
  }
  const std::string first = folder.file(std::string(255, 'b')),
                    second = folder.file(std::string(254, 'b') + "c");
  EXPECT_NE(besideName(first, ".json"), besideName(second, ".json"));
}

TEST(PartFile, KeepsWhatAnotherHasWrittenMeanwhile) {
  const Folder folder;
  PartFile late(folder.file("a")), alone(folder.file("b"));
  folder.write("a", "another's");
  EXPECT_FALSE(late.place(PartFile::Older::kept));
  EXPECT_TRUE(alone.place(PartFile::Older::kept));
  EXPECT_EQ(slurp(folder.file("a")), "another's");
  EXPECT_TRUE(fs::exists(folder.file("b")));
}

TEST(PartFile, IsThereCompleteOrNotAtAll) {
  const Folder folder;
  folder.write("a", "old");
  {
    PartFile part(folder.file("a"));
    std::ofstream(part.name()) << "half";
    EXPECT_EQ(slurp(folder.file("a")), "old");
  }
  EXPECT_EQ(namesIn(folder), Names{"a"});
  EXPECT_EQ(slurp(folder.file("a")), "old");
  place(folder.file("a"), "new");
  EXPECT_EQ(namesIn(folder), Names{"a"});
  EXPECT_EQ(slurp(folder.file("a")), "new");
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
  EXPECT_EQ(slurp(folder.file("a")), "second");
  PartFile third(folder.file("a"));
  EXPECT_NE(third.name(), first.name());
  first.place();
  EXPECT_EQ(slurp(folder.file("a")), "first");
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
  EXPECT_EQ(namesIn(folder), (Names{"a.lacuna-part", "a.lacuna-part-2", "b.lacuna-part"}));
  {
    PartFile part(folder.file("a"));
    EXPECT_EQ(namesIn(folder), (Names{"a.lacuna-part", "b.lacuna-part"})) << "b is another output";
    part.place();
  }
  EXPECT_EQ(namesIn(folder), (Names{"a", "b.lacuna-part"}));
  EXPECT_EQ(slurp(folder.file("a")), "");
}

TEST(PartFile, RemovesTheRecordOfTheFileThatItReplaces) {
  const Folder folder;
  fs::create_directory(folder.file(".lacuna"));
  fs::create_symlink("a", folder.file("link"));
  for (const char* name : {".lacuna/a.json", ".lacuna/b.json", ".lacuna/link.json"})
    folder.write(name, "{}");
  PartFile(folder.file("a"));
  EXPECT_TRUE(fs::exists(recordName(folder.file("a")))) << "not placed";
  PartFile(folder.file("link")).place();
  EXPECT_FALSE(fs::exists(recordName(folder.file("a"))));
  EXPECT_FALSE(fs::exists(recordName(folder.file("link"))));
  EXPECT_TRUE(fs::exists(recordName(folder.file("b"))));
}

TEST(PartFile, FoldersOfRecordsMayBeWrittenByWhoeverMayWriteTheirs) {
  const Folder folder;
  fs::create_directory(folder.file("shared"));
  fs::permissions(folder.file("shared"), fs::perms(02775));
  EXPECT_TRUE(PartFile(recordName(folder.file("shared/a"))).place());
  EXPECT_EQ(fs::status(folder.file("shared/.lacuna")).permissions(), fs::perms(02775));
}

TEST(PartFolder, TwoDisturbEachOtherNotAndThoseOfKilledProcessesGo) {
  const Folder folder;
  const pid_t child = fork();
  if (child == 0) {
    PartFolder first(folder.file("a")), second(folder.file("a"));
    std::ofstream(second.name() + "/file") << "left";
    kill(getpid(), SIGKILL);
  }
  ASSERT_EQ(waitpid(child, nullptr, 0), child);
  EXPECT_EQ(namesIn(folder).size(), 4U);
  {
    PartFolder one(folder.file("a"));
    EXPECT_EQ(namesIn(folder).size(), 2U) << "its own, and its lock";
    std::ofstream(one.name() + "/file") << "one's";
    PartFolder other(folder.file("a")), another(folder.file("b"));
    EXPECT_EQ(slurp(one.name() + "/file"), "one's");
    EXPECT_TRUE(fs::is_empty(other.name()));
    EXPECT_NE(other.name(), one.name());
  }
  EXPECT_EQ(namesIn(folder), Names{});
}

// A link in a folder that others may write to.
TEST(PartFile, LinksAreNotFollowed) {
  const Folder folder;
  folder.write("mine", "untouched");
  fs::create_symlink(folder.file("mine"), folder.file("a.lacuna-part"));
  place(folder.file("a"), "new");
  EXPECT_EQ(slurp(folder.file("mine")), "untouched");
  EXPECT_EQ(slurp(folder.file("a")), "new");
}

// Other files of the user: a second name of an input, a pipe without a reader, a download of another program.
TEST(PartFile, OthersFilesStay) {
  const Folder folder;
  folder.write("input", "untouched");
  folder.write("a.part", "mine");
  fs::create_hard_link(folder.file("input"), folder.file("a.lacuna-part"));
  ASSERT_EQ(mkfifo(folder.file("a.lacuna-part-2").c_str(), 0600), 0);
  place(folder.file("a"), "new");
  EXPECT_EQ(namesIn(folder), (Names{"a", "a.lacuna-part", "a.lacuna-part-2", "a.part", "input"}));
  EXPECT_EQ(slurp(folder.file("a")), "new");
  EXPECT_EQ(slurp(folder.file("a.part")), "mine");
  EXPECT_EQ(slurp(folder.file("input")), "untouched");
}

TEST(PartFile, ReplacesWhatALinkLeadsToAndKeepsItsPermissions) {
  const Folder folder;
  folder.write("real", "old");
  fs::permissions(folder.file("real"), fs::perms::owner_read | fs::perms::owner_write);
  fs::create_symlink("real", folder.file("link"));
  place(folder.file("link"), "new");
  EXPECT_TRUE(fs::is_symlink(folder.file("link")));
  EXPECT_EQ(slurp(folder.file("real")), "new");
  EXPECT_EQ(fs::status(folder.file("real")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST(PartFile, ReplacesOnlyItsOwnKindAndNothingReadOnly) {
  const Folder folder;
  const auto refused = [&](const std::string& there, const std::string& written) {
    folder.write("a", there);
    try {
      place(folder.file("a"), written);
    } catch (const FileError& error) {
      EXPECT_EQ(slurp(folder.file("a")), there);
      return std::string(error.what());
    }
    EXPECT_EQ(slurp(folder.file("a")), written);
    return std::string();
  };
  const std::string json = "{ \"a\": 1 }", graph = "# mine\nlacuna:1\n", png = "\x89PNG\r\n\x1a\n";
  EXPECT_EQ(refused("", json), "");
  EXPECT_EQ(refused(json, "{\n}"), "");
  EXPECT_EQ(refused("words", "other words"), "");
  EXPECT_NE(refused(graph, json).find("holds a graph, so it is not replaced by JSON"), std::string::npos);
  EXPECT_NE(refused("[[node]]", json).find("holds text"), std::string::npos);
  EXPECT_NE(refused(png, graph).find("holds a PNG image, so it is not replaced by a graph"),
            std::string::npos);
  EXPECT_NE(refused(json, png).find("holds JSON"), std::string::npos);
  folder.write("a", png);
  fs::permissions(folder.file("a"), fs::perms::owner_read);
  EXPECT_THROW(place(folder.file("a"), png + "new"), FileError);
  EXPECT_EQ(slurp(folder.file("a")), png);
}

TEST(PartFile, MakesFoldersAndLeavesNoneThatAreEmpty) {
  const Folder folder;
  { PartFile part(folder.file("b/c/a")); }
  EXPECT_EQ(namesIn(folder), Names{});
  PartFile part(folder.file("b/c/a"));
  part.place();
  EXPECT_TRUE(fs::exists(folder.file("b/c/a")));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("b/c")), {}), 1);
}

TEST(PartFile, SaysWhatIsWrong) {
  const Folder folder;
  folder.write("file", "no folder");
  EXPECT_THROW(PartFile(folder.file("file/a")), FileError);
  EXPECT_THROW(PartFile("/dev/null"), FileError);
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
