// Text input: regular files within a limit, and pipes if a user names them.

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <thread>

#include "graph/config/config.h"
#include "graph/config/text.h"
#include "graph/module/registry.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

std::string withPipe(const Folder& folder, const std::string& name) {
  EXPECT_EQ(mkfifo(folder.file(name).c_str(), 0600), 0);
  return folder.file(name);
}

// None of these waits or reads endlessly.
TEST(TextFiles, AreRegular) {
  const Folder folder;
  EXPECT_EQ(readTextFile(folder.write("a", "text\n")).text, "text\n");
  EXPECT_EQ(readTextFile(folder.write("empty", "")).error, "");
  EXPECT_EQ(readTextFile(folder.file(".")).error, "it is a folder");
  EXPECT_EQ(readTextFile(withPipe(folder, "pipe")).error, "it is a pipe, but must be a regular file");
  EXPECT_EQ(readTextFile("/dev/zero").error, "it is a device, but must be a regular file");
  EXPECT_EQ(readTextFile(folder.file("none")).error, "No such file or directory");
  std::filesystem::create_symlink(folder.file("pipe"), folder.file("link"));
  EXPECT_EQ(readTextFile(folder.file("link")).error, "it is a pipe, but must be a regular file");
}

TEST(TextFiles, HaveALimit) {
  const Folder folder;
  const std::string path = folder.write("large", "x");
  std::filesystem::resize_file(path, maxTextBytes);
  EXPECT_EQ(readTextFile(path).text.size(), maxTextBytes);
  std::filesystem::resize_file(path, maxTextBytes + 1);
  EXPECT_EQ(readTextFile(path).error, "it is larger than 64 MiB");
  EXPECT_EQ(readTextFile(path).text, "");
  EXPECT_EQ(readTextFileOrPipe("/dev/zero").error, "it is larger than 64 MiB");
}

TEST(TextFiles, MayBePipesWhereUsersNameThem) {
  const Folder folder;
  const std::string path = withPipe(folder, "pipe");
  std::thread writer([&] { std::ofstream(path) << "lacuna:1\n"; });
  Diagnostics diagnostics;
  parseConfigFile(path, diagnostics);
  writer.join();
  EXPECT_EQ(diagnostics.render(), "");
}

TEST(TextFiles, NamedByFilesAreRegular) {
  const Folder folder;
  withPipe(folder, "pipe.cfg");
  Diagnostics diagnostics;
  parseConfigFile(folder.write("graph.cfg", "lacuna:1\ninclude:pipe.cfg\n"), diagnostics);
  EXPECT_NE(diagnostics.render().find("pipe.cfg' cannot be read: it is a pipe"), std::string::npos)
      << diagnostics.render();
  std::filesystem::create_directory(folder.file("module"));
  withPipe(folder, "module/module.toml");
  Diagnostics ofModule;
  EXPECT_EQ(readModule(folder.file("module"), ofModule), nullptr);
  EXPECT_NE(ofModule.render().find("the file cannot be read: it is a pipe"), std::string::npos)
      << ofModule.render();
}

// Files that a foreign graph includes would be quoted in messages.
TEST(TextFiles, IncludesLieBelowTheGraph) {
  const Folder folder;
  std::filesystem::create_directories(folder.file("graph/below"));
  std::filesystem::create_directory(folder.file("graph-beside"));
  folder.write("secret", "password\n");
  folder.write("graph-beside/secret", "password\n");
  folder.write("graph/below/more.cfg", "frames:7\n");
  std::filesystem::create_symlink(folder.file("secret"), folder.file("graph/link.cfg"));
  for (const std::string& name :
       {std::string("../secret"), std::string("below/../../secret"), std::string("../graph-beside/secret"),
        std::string("link.cfg"), std::string("/etc/passwd"), folder.file("secret")}) {
    SCOPED_TRACE(name);
    const std::string path = folder.write("graph/graph.cfg", "lacuna:1\ninclude:\"" + name + "\"\n");
    Diagnostics diagnostics;
    parseConfigFile(path, diagnostics);
    const std::string text = diagnostics.render();
    EXPECT_NE(text.find("' is outside the folder of the graph\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("password"), std::string::npos) << text;
    Diagnostics allowed;
    parseConfigFile(path, allowed, {folder.file("."), "/etc"});
    EXPECT_EQ(allowed.render().find("lies outside"), std::string::npos) << allowed.render();
  }
  Diagnostics diagnostics;
  const Config config = parseConfigFile(
      folder.write("graph/graph.cfg", "lacuna:1\ninclude:below/../below/more.cfg\n"), diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  EXPECT_EQ(config.frames, 7);
}

}  // namespace
}  // namespace lacuna::test
