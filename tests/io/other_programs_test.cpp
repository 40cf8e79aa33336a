// Files that other programs write, read value by value as those programs read them.

#include <fmt/format.h>

#include "modules/codecs/codec.h"
#include "tests/io/support.h"
#include "tests/support/python.h"

namespace lacuna::test {
namespace {

struct SampleFile {
  std::string name, kind, words;
};

// What sample_files.py has made.
std::vector<SampleFile> samplesIn(const Folder& folder) {
  std::vector<SampleFile> samples;
  std::ifstream list(folder.file("list"));
  for (SampleFile sample; list >> sample.name >> sample.kind && std::getline(list >> std::ws, sample.words);)
    samples.push_back(sample);
  return samples;
}

std::string readAs(const Folder& folder, const SampleFile& sample, std::string& pixels) {
  return errorOf([&] {
    const std::string path = folder.file(sample.name), codec = codecOfFile(path);
    const ReadOptions options{.own = true};
    const ValueType type = probeImage(codec, path, {"output"}, options).at("output");
    EXPECT_EQ(fmt::format("{} {} {}", name(type.format), type.extent.width, type.extent.height),
              fmt::format("{} {}", sample.kind, sample.words));
    std::vector<std::byte> bytes(byteSize(type));
    readImage(codec, path, "output", type, bytes, options);
    pixels.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  });
}

TEST(OtherPrograms, FilesAreReadAsTheyReadThem) {
  if (!pythonRuns("import numpy, tifffile, OpenImageIO"))
    GTEST_SKIP() << "python3-openimageio or python3-tifffile is not installed";
  const Folder folder;
  ASSERT_EQ(
      std::system(fmt::format("/usr/bin/python3 {}/io/sample_files.py {}", LACUNA_TEST_FOLDER, folder.path())
                      .c_str()),
      0);
  const std::vector<SampleFile> samples = samplesIn(folder);
  EXPECT_GE(samples.size(), 40U);
  for (const SampleFile& sample : samples) {
    SCOPED_TRACE(sample.name);
    std::string pixels;
    const std::string error = readAs(folder, sample, pixels);
    if (sample.kind == "refused") {
      EXPECT_TRUE(error.starts_with(folder.file(sample.name) + ": ")) << error;
      EXPECT_NE(error.find(sample.words), std::string::npos) << error;
    } else {
      EXPECT_EQ(error, "");
      EXPECT_TRUE(pixels == slurp(folder.file(sample.name + ".raw"))) << "other pixels";
    }
  }
}

}  // namespace
}  // namespace lacuna::test
