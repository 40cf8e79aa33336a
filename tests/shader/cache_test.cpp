// The cache of compiled shaders: never wrong, even if its files are damaged.

#include <sys/stat.h>
#include <sys/wait.h>

#include <thread>

#include "graph/shader/cache_file.h"
#include "tests/shader/body_support.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

std::string shader(int i) {
  return "#version 450\nlayout(local_size_x = 8) in;\nlayout(std430, binding = 0) buffer B { float v[]; };\n"
         "void main() { v[gl_GlobalInvocationID.x] += " +
         std::to_string(i) + ".5; }\n";
}

std::vector<fs::path> filesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.is_regular_file())
      files.push_back(entry.path());
  return files;
}

SpirvWords cached(const fs::path& folder, const std::string& glsl) {
  return *ShaderCache(folder.string()).compileAll({glsl}, {"test"})[0];
}

TEST(Cache, SecondTimeFromDisk) {
  const Folder folder;
  const SpirvWords first = cached(folder.path(), shader(1));
  EXPECT_EQ(first, compileGlsl(shader(1), "test"));
  const auto files = filesIn(folder.path());
  ASSERT_EQ(files.size(), 1U);
  const auto longAgo = fs::last_write_time(files[0]) - std::chrono::hours(1);
  fs::last_write_time(files[0], longAgo);
  EXPECT_EQ(cached(folder.path(), shader(1)), first);
  EXPECT_EQ(fs::last_write_time(files[0]), longAgo);  // not written anew
  EXPECT_NE(cached(folder.path(), shader(2)), first);
  EXPECT_EQ(filesIn(folder.path()).size(), 2U);
}

// A process that reads or maps the older file meanwhile keeps it whole.
TEST(Cache, FilesAreReplacedAndNeverChanged) {
  const Folder folder;
  const CacheFile file(folder.path(), "kind", "key");
  const std::vector<std::byte> older(5000, std::byte{1}), newer(7000, std::byte{2});
  file.write(older);
  const fs::path path = filesIn(folder.path()).at(0);
  fs::create_hard_link(path, folder.file("older"));
  const std::string before = slurp(path);
  file.write(newer);
  EXPECT_EQ(file.read(), newer);
  EXPECT_EQ(slurp(folder.file("older")), before);
  EXPECT_EQ(filesIn(folder.path()).size(), 2U);
}

TEST(Cache, EqualTextsOnceAndNoTextNothing) {
  const Folder folder;
  const auto results =
      ShaderCache(folder.path()).compileAll({shader(1), "", shader(2), shader(1)}, {"a", "b", "c", "d"});
  EXPECT_EQ(results[0], results[3]);
  EXPECT_EQ(results[1], nullptr);
  EXPECT_NE(*results[0], *results[2]);
  EXPECT_EQ(filesIn(folder.path()).size(), 2U);
}

// Truncated, longer, or with one to three bits flipped.
std::string damage(const std::string& intact, int i, std::mt19937_64& random) {
  std::string damaged = intact;
  if (i % 4 == 0)
    damaged.resize(random() % intact.size());
  else if (i % 16 == 1)
    damaged += std::string(1 + random() % 50, static_cast<char>(random()));
  else
    for (uint64_t flips = 1 + random() % 3; flips > 0; --flips)
      damaged[random() % damaged.size()] ^= static_cast<char>(1U << (random() % 8));
  return damaged;
}

TEST(Cache, RandomAThousandDamagesGiveTheContentOrNothing) {
  const Folder folder;
  std::mt19937_64& random = testRandom();
  std::vector<std::byte> content(5000);
  for (std::byte& byte : content)
    byte = static_cast<std::byte>(random() % 5);  // compresses
  const CacheFile file(folder.path(), "kind", "key");
  file.write(content);
  const fs::path path = filesIn(folder.path()).at(0);
  const std::string intact = slurp(path);
  ASSERT_LT(intact.size(), content.size());
  int refused = 0;
  for (int i = 0; i < 1000; ++i) {
    const std::string damaged = damage(intact, i, random);
    std::ofstream(path, std::ios::binary) << damaged;
    const auto read = file.read();
    refused += read ? 0 : 1;
    // Bytes behind the end, flips that cancel out and bits that deflate does not use do no harm.
    ASSERT_TRUE(!read || *read == content) << "damage " << i;
  }
  EXPECT_GT(refused, 850);  // of the 937 that change more than appended bytes
  file.write(content);
  EXPECT_EQ(file.read(), content);
}

TEST(Cache, FilesOfOtherKeysAndSizesAreRefused) {
  const Folder folder;
  const std::vector<std::byte> content(100, std::byte{7});
  const CacheFile one(folder.path(), "kind", "one"), other(folder.path(), "kind", "other");
  one.write(content);
  const fs::path mine = filesIn(folder.path()).at(0);
  other.write(content);
  EXPECT_EQ(filesIn(folder.path()).size(), 2U);
  for (const fs::path& path : filesIn(folder.path()))
    if (path != mine)
      fs::copy_file(mine, path, fs::copy_options::overwrite_existing);
  EXPECT_EQ(one.read(), content);
  EXPECT_FALSE(other.read());
  one.write({});  // nothing to keep
  EXPECT_EQ(one.read(), content);
  std::string huge = slurp(mine);
  huge.replace(8, 4, "\xff\xff\xff\x3f");  // a stated size of 1 GiB is rejected
  std::ofstream(mine, std::ios::binary) << huge;
  EXPECT_FALSE(one.read());
}

// A file without end, and a pipe without a writer: neither waited for nor read.
TEST(Cache, OnlyFilesThatItCouldHaveWrittenAreRead) {
  const Folder folder;
  const std::vector<std::byte> content(5000, std::byte{1});
  const CacheFile file(folder.path(), "kind", "key");
  file.write(content);
  const fs::path path = filesIn(folder.path()).at(0);
  const std::string intact = slurp(path);
  fs::resize_file(path, uint64_t{1} << 40U);  // a hole
  EXPECT_FALSE(file.read());
  std::ofstream(path, std::ios::binary) << intact << std::string(10000, '\0');
  EXPECT_FALSE(file.read());
  fs::remove(path);
  ASSERT_EQ(mkfifo(path.c_str(), 0600), 0);
  EXPECT_FALSE(file.read());
  file.write(content);
  EXPECT_EQ(file.read(), content);
}

struct CacheContent {
  std::vector<std::string> keys;
  std::string kind = "spirv";
};

// Files of 1000 bytes: the first was used `hours` ago, each further one an hour later.
void fillCache(const fs::path& folder, const CacheContent& content, int hours) {
  for (const std::string& key : content.keys) {
    CacheFile(folder.string(), content.kind, key).write(std::vector<std::byte>(100, std::byte{1}));
    const fs::path path = folder / content.kind / hashName(key);
    fs::resize_file(path, 1000);
    fs::last_write_time(path, fs::file_time_type::clock::now() - std::chrono::hours(hours--));
  }
}

std::vector<std::string> left(const fs::path& folder, const CacheContent& content) {
  std::vector<std::string> keys;
  std::copy_if(content.keys.begin(), content.keys.end(), std::back_inserter(keys),
               [&](const std::string& key) { return fs::exists(folder / content.kind / hashName(key)); });
  return keys;
}

TEST(Cache, WhatWasNotUsedForLongestGoes) {
  const Folder folder;
  const CacheContent shaders{{"a", "b", "c", "d", "e"}}, pipelines{{"f", "g", "h"}, "pipelines"},
      measured{{"x"}, "tuning"};
  fillCache(folder.path(), shaders, 100);
  fillCache(folder.path(), pipelines, 98);
  fillCache(folder.path(), measured, 500);
  std::ofstream(folder.file("spirv/notes.txt")) << std::string(100000, 'x');
  const fs::path part = folder.file("spirv/" + hashName("p") + ".4711-0");
  std::ofstream(part) << "a part";
  trimCache(folder.path(), 8000);
  EXPECT_EQ(left(folder.path(), shaders), shaders.keys);
  EXPECT_EQ(left(folder.path(), pipelines), pipelines.keys);
  EXPECT_TRUE(fs::exists(part)) << "somebody may be writing it";
  fs::last_write_time(part, fs::file_time_type::clock::now() - std::chrono::hours(2));
  trimCache(folder.path(), 7000);
  EXPECT_EQ(left(folder.path(), shaders), (std::vector<std::string>{"d", "e"}));
  EXPECT_EQ(left(folder.path(), pipelines), (std::vector<std::string>{"f", "g", "h"}));
  EXPECT_EQ(left(folder.path(), measured), measured.keys);
  EXPECT_TRUE(fs::exists(folder.file("spirv/notes.txt")));
  EXPECT_FALSE(fs::exists(part));
}

TEST(Cache, WhatIsReadWasUsed) {
  const Folder folder;
  const CacheFile file(folder.path(), "spirv", "key");
  file.write(std::vector<std::byte>(100, std::byte{1}));
  const fs::path path = filesIn(folder.path()).at(0);
  const auto now = fs::file_time_type::clock::now();
  fs::last_write_time(path, now - std::chrono::hours(100));
  EXPECT_TRUE(file.read());
  EXPECT_GT(fs::last_write_time(path), now - std::chrono::hours(1));
}

TEST(Cache, IsEmptiedOfItsOwnFiles) {
  const Folder folder;
  fillCache(folder.path(), {{"a", "b"}, "tuning"}, 3);
  std::ofstream(folder.file("tuning/mine.txt")) << "mine";
  EXPECT_EQ(emptyCache(folder.path(), "tuning"), 2U);
  EXPECT_EQ(filesIn(folder.path()), std::vector<fs::path>{folder.file("tuning/mine.txt")});
  const fs::path here = fs::current_path();
  fs::current_path(folder.path());
  fillCache(folder.path(), {{"a", "b"}, "tuning"}, 3);
  EXPECT_EQ(emptyCache("", "tuning"), 0U);
  fs::current_path(here);
  EXPECT_EQ(filesIn(folder.path()).size(), 3U);
}

TEST(Cache, RandomDamagedFilesAreRebuilt) {
  const Folder folder;
  const SpirvWords whole = cached(folder.path(), shader(3));
  const fs::path path = filesIn(folder.path()).at(0);
  const std::string intact = slurp(path);
  std::mt19937_64& random = testRandom();
  int rebuilds = 0;
  for (int i = 0; i < 40; ++i) {
    const std::string damaged = damage(intact, i, random);
    std::ofstream(path, std::ios::binary) << damaged;
    ASSERT_EQ(cached(folder.path(), shader(3)), whole) << "damage " << i;
    const bool rebuilt = slurp(path) == intact;
    ASSERT_TRUE(rebuilt || slurp(path) == damaged) << "damage " << i;
    rebuilds += rebuilt ? 1 : 0;
  }
  EXPECT_GT(rebuilds, 30);
}

TEST(Cache, ThreadsAndProcessesAtOnce) {
  const Folder folder;
  std::vector<std::string> texts;
  std::vector<SpirvWords> expected;
  for (int i = 0; i < 12; ++i) {
    texts.push_back(shader(i));
    expected.push_back(compileGlsl(texts.back(), "test"));
  }
  const auto allRight = [&] {
    const auto results =
        ShaderCache(folder.path()).compileAll(texts, std::vector<std::string>(texts.size(), "test"));
    bool right = true;
    for (size_t i = 0; i < texts.size(); ++i)
      right = right && *results[i] == expected[i];
    return right;
  };
  const pid_t child = fork();
  if (child == 0)
    _exit(allRight() ? 0 : 1);
  bool other = false;
  std::thread thread([&] { other = allRight(); });
  EXPECT_TRUE(allRight());
  thread.join();
  EXPECT_TRUE(other);
  int status = 1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(allRight());
  EXPECT_EQ(filesIn(folder.path()).size(), texts.size());  // nothing half-written stays
}

TEST(Cache, FoldersThatCannotBeWritten) {
  const Folder folder;
  folder.write("file", "in the way");
  EXPECT_EQ(cached(folder.file("file/cache"), shader(4)), compileGlsl(shader(4), "test"));
  EXPECT_EQ(cached("", shader(4)), compileGlsl(shader(4), "test"));
  EXPECT_EQ(slurp(folder.file("file")), "in the way");
}

TEST(Cache, OneFailureIsThrownAndTheOthersAreKept) {
  const Folder folder;
  EXPECT_THROW(ShaderCache(folder.path())
                   .compileAll({shader(1), "#version 450\nvoid main() { x = 1; }\n"}, {"good", "bad"}),
               ShaderError);
  EXPECT_EQ(filesIn(folder.path()).size(), 1U);
}

}  // namespace
}  // namespace lacuna::test
