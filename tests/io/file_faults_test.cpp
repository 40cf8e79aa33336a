// Each call on a file fails in turn while an image is written: either an error that names the file, or the
// whole file; never a damaged one, and no part file remains.

#include "tests/support/file_faults.h"

#include <fmt/format.h>

#include <cerrno>

#include "tests/io/support.h"

namespace lacuna::test {
namespace {

struct Failure {
  const char* function;
  int error;
};

// The errors of a full or broken disk, a full table of files and a file system without locks.
constexpr Failure failures[] = {
    {"open", EMFILE},   {"open", EROFS},    {"flock", ENOLCK}, {"fopen", EMFILE},  {"fopen", ENOSPC},
    {"fwrite", ENOSPC}, {"fwrite", EIO},    {"fputs", ENOSPC}, {"fflush", ENOSPC}, {"fflush", EIO},
    {"fclose", EIO},    {"fclose", EDQUOT}, {"write", 0},      {"write", ENOSPC},  {"write", EIO},
    {"writev", 0},      {"writev", ENOSPC}, {"close", EIO},    {"fdatasync", EIO}, {"fdatasync", ENOSPC},
    {"rename", EIO},    {"rename", EACCES}};

// Files have so many pixels that no writer's buffer holds all of them.
const std::pair<const char*, ValueType> kinds[] = {
    {"png", {Channels::rgba, Format::u16, ColourTag::rec2020, {127, 89}}},
    {"jpg", {Channels::rgba, Format::u8, ColourTag::rec709, {127, 89}}},
    {"exr", {Channels::rgba, Format::f16, ColourTag::rec709, {127, 89}}},
    {"pfm", {Channels::rgba, Format::f32, ColourTag::rec709, {61, 47}}},
    {"pnm", {Channels::rgba, Format::u16, ColourTag::rec709, {127, 89}}},
    {"tif", {Channels::rgba, Format::u16, ColourTag::rec709, {127, 89}}},
    {"webp", {Channels::rgba, Format::u8, ColourTag::rec709, {127, 89}}},
    {"jxl", {Channels::rgba, Format::u8, ColourTag::rec709, {127, 89}}},
    {"avif", {Channels::rgba, Format::u8, ColourTag::rec709, {127, 89}}},
    {"hdr", {Channels::rgba, Format::f32, ColourTag::rec709, {127, 89}}},
    {"npy", {Channels::rgb, Format::f32, ColourTag::data, {61, 47}}}};

class FileFaultsTest : public testing::TestWithParam<std::pair<const char*, ValueType>> {
 protected:
  std::string error() const {
    return errorOf([&] { writeImage(codec_, path_, {{"output", type_, pixels_}}); });
  }

  std::string errorWith(const Failure& failure, int at) const {
    FileFaults faults(folder_.path());
    faults.function = failure.function;
    faults.failAt = at;
    faults.error = failure.error;
    const std::string text = error();
    EXPECT_TRUE(faults.happened);
    return text;
  }

  void expectClear(const Failure& failure, int at) const {
    spill(path_, older_);
    const std::string text = errorWith(failure, at);
    const bool whole = slurp(path_) == whole_;
    EXPECT_EQ(text.empty(), whole) << text;
    EXPECT_TRUE(whole || slurp(path_) == older_) << "a damaged file";
    EXPECT_TRUE(whole || text.starts_with(path_ + ": ")) << text;
    // OpenEXR has its own messages.
    EXPECT_TRUE(whole || codec_ == "exr" || text.find(std::strerror(failure.error)) != std::string::npos)
        << text;
    EXPECT_EQ(std::distance(fs::directory_iterator(folder_.path()), {}), 1) << "a part is left";
  }

  const Folder folder_;
  const std::string codec_ = GetParam().first, path_ = folder_.file("a." + codec_);
  const ValueType type_ = GetParam().second;
  const std::vector<std::byte> pixels_ = randomPixels(type_);
  const std::string whole_ = [this] {
    EXPECT_EQ(error(), "");
    return slurp(path_);
  }();
  const std::string older_ = whole_ + "older";
};

TEST_P(FileFaultsTest, RandomEveryCallFailsClearly) {
  std::map<std::string, int> calls;
  {
    FileFaults faults(folder_.path());
    EXPECT_EQ(error(), "");
    calls = faults.calls;
  }
  EXPECT_GE(calls.size(), 5U);
  // Before it has its name: if this fails, the older file still exists.
  EXPECT_EQ(calls["fdatasync"], 1) << "a machine that stops may leave an empty file";
  for (const auto& [function, count] : calls)
    EXPECT_NE(std::find_if(std::begin(failures), std::end(failures),
                           [&function = function](const Failure& each) { return function == each.function; }),
              std::end(failures))
        << function;
  for (const Failure& failure : failures)
    for (int at = 0; at < calls[failure.function]; ++at) {
      SCOPED_TRACE(fmt::format("{}, call {}: {}", failure.function, at, std::strerror(failure.error)));
      expectClear(failure, at);
    }
}

INSTANTIATE_TEST_SUITE_P(Writers, FileFaultsTest, testing::ValuesIn(kinds),
                         [](const auto& each) { return std::string(each.param.first); });

}  // namespace
}  // namespace lacuna::test
