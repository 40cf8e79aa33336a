// Damaged weights files: an error that names the file, or a network that is sound; never a crash, and no
// block of memory that is larger than the file.

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/cnn_unet_weights/allocation.h"
#include "tests/support/folder.h"
#include "tests/support/mutate.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;
using unet::Network;
using unet::Plane;

constexpr size_t smallBlock = 65536;  // what streams and lists of bounded length may take

// A file in a file: a part of one, in place of a part of the other.
std::string spliced(const std::string& a, const std::string& b, std::mt19937_64& random) {
  const size_t from = random() % (a.size() + 1), to = random() % (b.size() + 1);
  return a.substr(0, from) + b.substr(to);
}

std::string damaged(const std::string& file, const std::string& other, std::mt19937_64& random) {
  const size_t header = 8 + static_cast<unsigned char>(file[0]) + 256 * static_cast<unsigned char>(file[1]);
  switch (random() % 6) {
    case 0:
      return flipBits(file, random);
    case 1:
      return file.substr(0, random() % file.size());
    case 2:
      return spliced(file, other, random);
    case 3:  // the length of the header
      return flipBits(file.substr(0, 8), random) + file.substr(8);
    case 4:  // its text, where it counts
      return file.substr(0, 8) + flipBits(file.substr(8, header - 8), random) + file.substr(header);
    default:
      return file.substr(0, 8) + mutate(file.substr(8, header - 8), random) + file.substr(header);
  }
}

void expectSound(const Network& network) {
  ASSERT_FALSE(network.layers.empty());
  for (const unet::Layer& layer : network.layers) {
    ASSERT_EQ(layer.weights.size(), size_t{layer.channels} * layer.inputs * 9);
    ASSERT_EQ(layer.biases.size(), layer.channels);
    ASSERT_LE(layer.weights.size(), size_t{1} << 20U);
  }
  EXPECT_EQ(network.layers.back().channels, 3U);
}

TEST(UnetWeights, RandomDamageIsAnErrorOrSound) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const std::vector<Plane> planes = {Plane::colour, Plane::albedo};
  const std::string file = weightsFile(randomNetwork(random, planes, 3));
  const std::string other = weightsFile(randomNetwork(random, planes, 4));
  size_t refused = 0;
  for (int i = 0; i < 12000 && !testing::Test::HasFailure(); ++i) {
    const std::string content = damaged(file, other, random);
    const std::string path = folder.write("damaged.safetensors", content);
    forgetAllocations();
    std::string error;
    Network network;
    try {
      network = unet::readNetwork(path);
    } catch (const unet::FileError& caught) {
      error = caught.what();
    }
    EXPECT_LE(largestAllocation(), std::max(smallBlock, content.size()));
    if (error.empty()) {
      expectSound(network);
      continue;
    }
    ++refused;
    EXPECT_EQ(error.find(path), 0U) << error;
    EXPECT_EQ(firstByteNotText(error), std::nullopt) << error;
    EXPECT_LT(error.size(), 4096U);
  }
  EXPECT_GT(refused, 6000U);
}

TEST(UnetWeights, RandomEveryCutIsAnError) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const std::string file = weightsFile(randomNetwork(random, {Plane::colour}, 2));
  for (size_t length = 0; length < file.size(); ++length)
    EXPECT_THROW(unet::readNetwork(folder.write("cut.safetensors", file.substr(0, length))), unet::FileError)
        << length << " of " << file.size() << " bytes";
  EXPECT_NO_THROW(unet::readNetwork(folder.write("whole.safetensors", file)));
}

// What lists the files of a folder takes none of their weights.
TEST(UnetWeights, RandomADescriptionTakesTheHeaderAlone) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const Network network = randomNetwork(random, {Plane::colour, Plane::depth}, 200);
  const std::string path = folder.write("large.safetensors", weightsFile(network));
  forgetAllocations();
  const Network described = unet::readDescription(path);
  EXPECT_LT(largestAllocation(), smallBlock);
  EXPECT_GT(fs::file_size(path), 4 * smallBlock);
  EXPECT_EQ(descriptionOf(described), descriptionOf(network));
}

}  // namespace
}  // namespace lacuna::test
