// An output and its record on a disk that loses its power: what was not synced before a call may be on the
// disk or not, in any order.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "graph/files/part_file.h"
#include "graph/run/digest.h"
#include "graph/run/made_from.h"
#include "tests/support/file_faults.h"
#include "tests/support/folder.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;

using Files = std::map<std::string, std::string>;  // contents by path

Files filesIn(const Folder& folder) {
  Files files;
  for (const auto& entry : fs::recursive_directory_iterator(fs::canonical(folder.file("."))))
    if (entry.is_regular_file())
      files[entry.path()] = slurp(entry.path());
  return files;
}

void writeWithRecord(const std::string& output, const std::string& content, uint64_t settings) {
  PartFile part(output);
  std::ofstream(part.name(), std::ios::binary) << content;
  part.place();
  MadeFrom record;
  record.settings = settings;
  record.output = {"", stampDigest(output), contentDigest(output)};
  writeRecord(output, record);
}

// What may be on the disk after some of the steps: of each file that was not synced nothing, half or all, and
// renames and removals as `kept` says, a bit each.
std::vector<Files> states(const Files& before, const std::vector<FileFaults::Step>& steps, size_t kept) {
  std::vector<Files> all = {before};
  std::set<std::string> synced;
  for (size_t i = 0; i < steps.size(); ++i) {
    const auto& [call, path, to, content] = steps[i];
    if (call == "fdatasync")
      synced.insert(path);
    if (call == "fdatasync" || (kept >> i & 1U) == 0)
      continue;
    std::vector<Files> next;
    for (Files& files : all) {
      files.erase(path);
      if (call == "unlink") {
        next.push_back(files);
        continue;
      }
      for (const size_t bytes : {content.size(), content.size() / 2, size_t{0}}) {
        files[to] = content.substr(0, bytes);
        next.push_back(files);
        if (synced.contains(path))
          break;
      }
    }
    all = std::move(next);
  }
  return all;
}

TEST(PowerLoss, LeavesAnOldOrNewOutputAndNoRecordOfTheOther) {
  const Folder folder;
  const std::string output = fs::canonical(folder.file(".")) / "out";
  const std::map<std::string, uint64_t> settings = {{"old picture", 1}, {"new picture", 2}};
  writeWithRecord(output, "old picture", 1);
  const Files before = filesIn(folder);
  std::vector<FileFaults::Step> steps;
  {
    FileFaults calls(folder.file("."));
    writeWithRecord(output, "new picture", 2);
    steps = calls.steps;
  }
  ASSERT_GE(steps.size(), 4U) << "a sync, a removal and two renames";
  size_t count = 0;
  std::set<uint64_t> vouchedFor;
  for (size_t kept = 0; kept < size_t{1} << steps.size(); ++kept) {
    for (const Files& files : states(before, steps, kept)) {
      const Folder replayed;
      for (const auto& [path, content] : files) {
        const fs::path to =
            fs::path(replayed.file(".")) / fs::path(path).lexically_relative(fs::path(output).parent_path());
        fs::create_directories(to.parent_path());
        std::ofstream(to, std::ios::binary) << content;
      }
      const std::string found = slurp(replayed.file("out"));
      ASSERT_TRUE(settings.contains(found)) << "'" << found << "'";
      const FoundRecord record = readRecord(replayed.file("out"));
      if (record.record && record.record->output.content == contentDigest(replayed.file("out"))) {
        EXPECT_EQ(record.record->settings, settings.at(found)) << found << ", " << kept;
        vouchedFor.insert(record.record->settings);
      }
      ++count;
    }
  }
  EXPECT_GT(count, 16U);
  EXPECT_EQ(vouchedFor, (std::set<uint64_t>{1, 2}));
}

}  // namespace
}  // namespace lacuna::test
