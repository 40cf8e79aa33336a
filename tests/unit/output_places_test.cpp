// What existing files are by their content, and where outputs may be placed.

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <deque>
#include <filesystem>

#include "graph/files/file_kind.h"
#include "graph/files/file_name.h"
#include "graph/files/output_file.h"
#include "graph/files/part_file.h"
#include "graph/run/digest.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;

TEST(FileKinds, AreToldByTheirFirstBytes) {
  const Folder folder;
  const std::string cut(16383, 'x');
  const std::pair<FileKind, std::vector<std::string>> cases[] = {
      {FileKind::empty, {""}},
      {FileKind::png, {"\x89PNG\r\n\x1a\n"}},
      {FileKind::jpeg, {"\xff\xd8\xff"}},
      {FileKind::exr, {"\x76\x2f\x31\x01"}},
      {FileKind::pfm, {"PF\n", "Pf\n"}},
      {FileKind::npy, {"\x93NUMPY"}},
      {FileKind::profile, {"{\"displayTimeUnit\": \"ms\", \"traceEvents\": []}"}},
      {FileKind::report, {"{ \"device\": 1, \"driver\": 2 }"}},
      {FileKind::json, {" {\n \"displayTimeUnit\": 1}", "{\"traceEvents\": []}", "{ \"device\": 1 }", "{}"}},
      {FileKind::graph,
       {"lacuna:1", "# a lacuna\n \tlacuna :1\n", "#" + std::string(9000, ' ') + "\nlacuna:1"}},
      {FileKind::svg, {"<svg", "<?xml?><svg>"}},
      {FileKind::dot, {"digraph"}},
      {FileKind::text, {"PF 1", "{ a", "a lacuna:1", "lacuna 1\n", "lacuna", "<?xml?>", "words"}},
      {FileKind::text, {cut + "\xc3\xa9", cut + "\xc3"}},  // half a character is in the first bytes
      {FileKind::data, {"\x89PNG\n", "\xff\xfe", "\xc3" + cut, "ab\xc3"}}};
  for (const auto& [kind, contents] : cases)
    for (const std::string& content : contents)
      EXPECT_EQ(kindOfFile(folder.write("a", content), "a"), kind) << content.substr(0, 60);
  EXPECT_EQ(kindOfFile(folder.file("none"), "a"), FileKind::none);
  EXPECT_EQ(kindOfFile(folder.file("a/b"), "a"), FileKind::none);
  try {
    kindOfFile(folder.file("."), "shown");
    ADD_FAILURE() << "a folder has no content";
  } catch (const FileError& error) {
    EXPECT_EQ(error.what(), "shown: can't be read: Is a directory"s);
  }
  for (const auto& [name, kind] : {std::pair("a.PNG", FileKind::png),
                                   {"a.jpeg", FileKind::jpeg},
                                   {"a.gv", FileKind::dot},
                                   {"b/a.cfg", FileKind::graph},
                                   {"a.json", FileKind::json},
                                   {"a", FileKind::none},
                                   {"png", FileKind::none}})
    EXPECT_EQ(kindOfName(name), kind) << name;
  EXPECT_EQ(wordsOf(FileKind::npy), "a NumPy array"s);
}

TEST(OutputPlaces, ThatCantBeAreNamed) {
  const Folder folder;
  const std::string file = folder.write("file", "words");
  fs::create_symlink("nowhere", folder.file("broken"));
  ASSERT_EQ(mkfifo(folder.file("pipe").c_str(), 0600), 0);
  const auto why = [&](const std::string& path) { return unplaceable(path).value_or(""); };
  EXPECT_EQ(why(folder.file("new")), "");
  EXPECT_EQ(why(folder.file("a/b/new")), "") << "folders are made";
  EXPECT_EQ(why(file), "");
  EXPECT_EQ(why(folder.file("broken")), "") << "what it leads to is made";
  EXPECT_EQ(why(""), "'': expected the name of a file");
  EXPECT_EQ(why(folder.file("a/")), folder.file("a/") + ": expected the name of a file");
  EXPECT_EQ(why(folder.file(".")), folder.file(".") + ": is a folder");
  EXPECT_EQ(why(folder.file("pipe")), folder.file("pipe") + ": is not a regular file");
  EXPECT_EQ(why(folder.file("file/new")), folder.file("file/new") + ": '" + file + "' is not a folder");
  EXPECT_EQ(why(folder.file("file/a/new")), folder.file("file/a/new") + ": '" + file + "' is not a folder");
  EXPECT_EQ(why(folder.file("broken/new")),
            folder.file("broken/new") + ": '" + folder.file("broken") + "' is not a folder");
  EXPECT_EQ(unusableFolder(""), std::nullopt) << "the current one";
  EXPECT_NE(unusableFolder("~/a").value_or("").find("which shells replace"), std::string::npos);
  EXPECT_NE(unusableFolder("/sys").value_or("").find("belongs to the system"), std::string::npos);
  EXPECT_EQ(irreplaceable(folder.file("none"), FileKind::png), std::nullopt);
  EXPECT_EQ(irreplaceable(folder.file("."), FileKind::png), std::nullopt) << "reported elsewhere";
  EXPECT_EQ(irreplaceable(file, FileKind::text), std::nullopt);
  EXPECT_EQ(irreplaceable(file, FileKind::none), std::nullopt);
  EXPECT_EQ(irreplaceable(folder.write("empty", ""), FileKind::png), std::nullopt);
  EXPECT_TRUE(irreplaceable(file, FileKind::png) && unwritable(file, FileKind::png));
  EXPECT_EQ(unwritable(folder.file("."), FileKind::png), why(folder.file(".")));
}

TEST(OutputPlaces, OfSixteenWritersAndOfLinksInACircleAreErrors) {
  const Folder folder;
  const auto mistake = [&](const char* name) {
    try {
      const PartFile part(folder.file(name));
    } catch (const FileError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  std::deque<PartFile> parts;
  for (int i = 0; i < 16; ++i)
    parts.emplace_back(folder.file("a"));
  EXPECT_EQ(mistake("a"), folder.file("a") + ": can't be written: 16 processes are writing it");
  EXPECT_EQ(mistake("b"), "");
  fs::create_symlink("d", folder.file("c"));
  fs::create_symlink("c", folder.file("d"));
  EXPECT_EQ(mistake("c"), folder.file("c") + ": can't be written: Too many levels of symbolic links");
}

TEST(Digests, AreOfAllOfAFile) {
  const Folder folder;
  const std::string large(3'000'000, 'x');
  const uint64_t digest = contentDigest(folder.write("a", large));
  EXPECT_EQ(contentDigest(folder.write("b", large)), digest);
  EXPECT_NE(contentDigest(folder.write("b", large.substr(1) + "y")), digest);
  EXPECT_NE(contentDigest(folder.write("b", large.substr(1))), digest);
  EXPECT_EQ(contentDigest(folder.file("none")), 0U);
  EXPECT_EQ(contentDigest(folder.file(".")), 0U);
  EXPECT_NE(digestOf(1, 2), digestOf(2, 1));
  EXPECT_NE(programDigest(), 0U);
  EXPECT_EQ(asHex(0x1f), "000000000000001f");
  EXPECT_EQ(fromHex(asHex(digest)), digest);
  for (const char* wrong : {"", "1g", " 1", "-1", "0x1", "10000000000000000"})
    EXPECT_EQ(fromHex(wrong), std::nullopt) << wrong;
}

}  // namespace
}  // namespace lacuna::test
