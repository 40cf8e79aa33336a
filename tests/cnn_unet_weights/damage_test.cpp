// Damaged weights files: an error that names the file, or a sound network; never a crash, and no memory block
// larger than the file.

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "graph/config/json_text.h"
#include "tests/cnn_unet_weights/allocation.h"
#include "tests/support/folder.h"
#include "tests/support/long_tests.h"
#include "tests/support/mutate.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

namespace fs = std::filesystem;
using unet::Network;
using unet::Plane;

constexpr size_t smallBlock = 65536;  // allowance for streams and lists of bounded length
constexpr size_t mostTimesFile = 16;  // JSON takes more memory than its text

// A part of one file in place of a part of another.
std::string spliced(const std::string& a, const std::string& b, std::mt19937_64& random) {
  const size_t from = random() % (a.size() + 1), to = random() % (b.size() + 1);
  return a.substr(0, from) + b.substr(to);
}

using Json = nlohmann::json;

constexpr size_t lengthBytes = 8;

size_t headerBytes(const std::string& file) {
  return static_cast<unsigned char>(file[0]) + 256 * static_cast<unsigned char>(file[1]);
}

// A file with another header and the right length.
std::string withHeader(const std::string& file, const std::string& header) {
  std::string length;
  for (size_t i = 0; i < lengthBytes; ++i)
    length += static_cast<char>(header.size() >> 8 * i & 0xffU);
  return length + header + file.substr(lengthBytes + headerBytes(file));
}

Json strangeValue(std::mt19937_64& random) {
  const Json values[] = {nullptr,
                         true,
                         -1,
                         0,
                         3,
                         0.5,
                         1e300,
                         uint64_t{1} << 32U,
                         uint64_t{1} << 40U,
                         UINT64_MAX,
                         "",
                         "F32",
                         "input",
                         std::string(300, 'x'),
                         Json::array(),
                         Json::array({0, 0}),
                         Json::array({uint64_t{1} << 32U, uint64_t{1} << 32U}),
                         Json::array({UINT64_MAX, 1}),
                         Json::object(),
                         {{"layer", "input"}, {"scale", "half"}}};
  return values[random() % std::size(values)];
}

// Changes a value somewhere, removes one, or adds one.
void spoil(Json& json, std::mt19937_64& random) {
  Json* at = &json;
  while (at->is_structured() && !at->empty() && random() % 5 != 0) {
    auto next = at->begin();
    std::advance(next, static_cast<ptrdiff_t>(random() % at->size()));
    at = &*next;
  }
  if (at->is_array() && random() % 2 == 0)
    at->push_back(at->empty() || random() % 2 == 0 ? strangeValue(random) : Json(at->front()));
  else if (at->is_object() && !at->empty() && random() % 2 == 0)
    at->erase(at->begin());
  else
    *at = strangeValue(random);
}

// Valid JSON with other content, about tensors or the network.
std::string spoilt(const std::string& file, std::mt19937_64& random) {
  Json header = readJson(file.substr(lengthBytes, headerBytes(file)));
  if (random() % 2 == 0) {
    spoil(header, random);
  } else {
    Json description = readJson(header["__metadata__"]["lacuna.network"].get<std::string>());
    spoil(description, random);
    header["__metadata__"]["lacuna.network"] = description.dump();
  }
  return withHeader(file, header.dump());
}

std::string damaged(const std::string& file, const std::string& other, std::mt19937_64& random) {
  const size_t data = lengthBytes + headerBytes(file);
  const std::string length = file.substr(0, lengthBytes),
                    header = file.substr(lengthBytes, headerBytes(file));
  switch (random() % 8) {
    case 0:
      return flipBits(file, random);
    case 1:
      return file.substr(0, random() % file.size());
    case 2:
      return spliced(file, other, random);
    case 3:
      return flipBits(length, random) + file.substr(lengthBytes);
    case 4:
      return length + flipBits(header, random) + file.substr(data);
    case 5:
      return withHeader(file, mutate(header, random));
    default:
      return spoilt(file, random);
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
  const size_t files = triesAll() ? 12000 : 4000;
  size_t refused = 0;
  for (size_t i = 0; i < files && !testing::Test::HasFailure(); ++i) {
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
    EXPECT_LE(mostAllocated(), mostTimesFile * content.size() + smallBlock);
    if (error.empty()) {
      expectSound(network);
      continue;
    }
    ++refused;
    EXPECT_EQ(error.find(path), 0U) << error;
    EXPECT_EQ(firstByteNotText(error), std::nullopt) << error;
    EXPECT_LT(error.size(), 4096U);
  }
  EXPECT_GT(refused, files / 2);
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

// As large as headers may be.
TEST(UnetWeights, HugeHeadersAreErrorsThatTakeLittle) {
  constexpr size_t largest = size_t{1} << 20U;
  const auto repeated = [](const std::string& part, const std::string& end) {
    std::string text;
    while (text.size() + part.size() + end.size() < largest)
      text += part;
    return text + end;
  };
  std::string keys = "{";
  for (int i = 0; keys.size() + 20 < largest; ++i)
    keys += '"' + std::to_string(i) + "\":0,";
  const std::pair<std::string, const char*> cases[] = {
      {repeated("[", ""), "is nested more than 8 deep"},
      {repeated("{\"a\":", ""), "is nested more than 8 deep"},
      {"[" + repeated("0,", "0]"), "more than 1024 entries"},
      {"[" + repeated("[],", "0]"), "more than 1024 entries"},
      {keys + "\"\":0}", "entries"},
      {"{\"" + std::string(largest - 8, 'x') + "\":0}", "is not an object"},
      {std::string(largest, ' '), "is not JSON"},
      {std::string(largest + 8, ' '), "its header has 1048584 bytes, expected 1048576 at most"},
      {"{\"a\":1e999}", "is not JSON: a number is too large"}};
  const Folder folder;
  for (const auto& [header, expected] : cases) {
    const std::string path = folder.write("huge.safetensors", withHeader(std::string(8, '\0'), header));
    forgetAllocations();
    try {
      unet::readNetwork(path);
      ADD_FAILURE() << "no error: " << expected;
    } catch (const unet::FileError& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
    EXPECT_LE(largestAllocation(), 2 * largest) << "strings grow by doubling";
    EXPECT_LE(mostAllocated(), 8 * largest) << expected;
  }
}

// Listing the files of a folder allocates nothing for their weights.
TEST(UnetWeights, RandomADescriptionTakesTheHeaderAlone) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const Network network = randomNetwork(random, {Plane::colour, Plane::depth}, 400);
  const std::string path = folder.write("large.safetensors", weightsFile(network));
  forgetAllocations();
  const Network described = unet::readDescription(path);
  EXPECT_LT(largestAllocation(), smallBlock);
  EXPECT_GT(fs::file_size(path), 4 * smallBlock);
  EXPECT_EQ(descriptionOf(described), descriptionOf(network));
}

}  // namespace
}  // namespace lacuna::test
