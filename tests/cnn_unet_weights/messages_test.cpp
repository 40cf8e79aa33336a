// The parts of a weights file, and the message for each mistake.

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <functional>

#include "cnn-unet/network/safetensors.h"
#include "graph/config/json_text.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using Json = nlohmann::json;
using unet::Network;
using unet::Plane;

struct Parts {
  Json header, description;
  std::string data;
};

Parts partsOf(const Network& network) {
  const std::string file = weightsFile(network);
  size_t length = 0;
  for (size_t i = 8; i-- > 0;)
    length = length << 8U | static_cast<unsigned char>(file[i]);
  return {readJson(file.substr(8, length)), descriptionOf(network), file.substr(8 + length)};
}

Network smallNetwork() {
  std::mt19937_64 random = namedRandom("weights");
  Network network = randomNetwork(random, {Plane::colour, Plane::albedo}, 3);
  network.exposure = unet::ExposureSettings{};
  network.leastAlbedo = 0.05;
  return network;
}

std::string errorAfter(const std::function<void(Parts&)>& change) {
  const Folder folder;
  Parts parts = partsOf(smallNetwork());
  change(parts);
  if (parts.header.contains("__metadata__") && parts.header["__metadata__"].is_object())
    parts.header["__metadata__"]["lacuna.network"] = parts.description.dump();
  const std::string path = folder.write("net.safetensors", safetensors(parts.header, parts.data));
  try {
    unet::readNetwork(path);
  } catch (const unet::FileError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find(path + ": "), 0U) << text;
    return text.substr(std::min(text.size(), path.size() + 2));
  }
  return {};
}

TEST(UnetNetwork, IsReadAsItWasWritten) {
  const Folder folder;
  const Network written = smallNetwork();
  const Network read = unet::readNetwork(folder.write("net.safetensors", weightsFile(written)));
  EXPECT_EQ(descriptionOf(read), descriptionOf(written));
  ASSERT_EQ(read.layers.size(), written.layers.size());
  for (size_t i = 0; i < read.layers.size(); ++i) {
    EXPECT_EQ(read.layers[i].weights, written.layers[i].weights);
    EXPECT_EQ(read.layers[i].biases, written.layers[i].biases);
    EXPECT_EQ(read.layers[i].halvings, written.layers[i].halvings);
  }
  EXPECT_EQ(read.mostHalvings(), 2);
  EXPECT_EQ(errorAfter([](Parts&) {}), "");
}

TEST(UnetNetwork, ThoseThatShipAreDescribedAsTheyAre) {
  for (const char* name : {"rgb", "rgb-and", "rgb-and-past-svgf"}) {
    const std::string path = fmt::format(LACUNA_MODULE_FOLDER "/cnn-unet/weights/{}.safetensors", name);
    unet::WeightsStream stream(path);
    const unet::SafetensorsHeader file(stream);
    EXPECT_EQ(descriptionOf(unet::readDescription(path)), readJson(file.metadata().at("lacuna.network")))
        << name;
  }
}

void expectError(const std::string& expected, const std::function<void(Parts&)>& change) {
  EXPECT_EQ(errorAfter(change), expected);
}

// All mistakes are reported together, so others may accompany the expected one.
void expectAmong(const std::string& expected, const std::function<void(Parts&)>& change) {
  const std::string error = errorAfter(change);
  EXPECT_NE(error.find(expected), std::string::npos) << expected << "\n" << error;
}

TEST(UnetNetwork, NamesTheTensorThatIsWrong) {
  expectAmong("there is no tensor 'convolution1.bias'",
              [](Parts& p) { p.header.erase("convolution1.bias"); });
  expectAmong("tensor 'extra' belongs to no layer", [](Parts& p) {
    p.header["extra"] = {{"dtype", "F16"}, {"shape", {0}}, {"data_offsets", {0, 0}}};
  });
  expectAmong("tensor 'convolution1.bias' has ",
              [](Parts& p) { p.header["convolution1.bias"]["dtype"] = "F32"; });
  expectAmong("tensor 'convolution1.bias' is of type 'I8', expected F16",
              [](Parts& p) { p.header["convolution1.bias"]["dtype"] = "I8"; });
  expectAmong("tensor 'convolution0.weight' is F16 of shape (", [](Parts& p) {
    std::swap(p.header["convolution0.weight"]["shape"][0], p.header["convolution0.weight"]["shape"][2]);
    p.description["layers"][0]["channels"] = 2;
  });
  expectAmong(
      "tensor 'convolution1.bias' 'shape' is not a list of at most 8 sizes that the file has room for",
      [](Parts& p) { p.header["convolution1.bias"]["shape"] = {uint64_t{1} << 40U}; });
  expectAmong("tensor 'convolution1.bias' lies at bytes 0 to 1099511627776 of the data, which have ",
              [](Parts& p) {
                p.header["convolution1.bias"]["data_offsets"] = {0, uint64_t{1} << 40U};
              });
  expectAmong("tensors 'convolution0.weight' and 'convolution0.bias' overlap", [](Parts& p) {
    Json& offsets = p.header["convolution0.bias"]["data_offsets"];
    offsets = {offsets[0].get<int>() - 2, offsets[1].get<int>() - 2};
  });
  expectAmong("number 0 of tensor 'convolution0.weight' is infinite or NaN", [](Parts& p) {
    p.data[0] = '\0';
    p.data[1] = '\x7c';
  });
  expectAmong("the tensors end at byte ", [](Parts& p) { p.data += "more"; });
  expectAmong("its metadata have no 'lacuna.network'", [](Parts& p) { p.header.erase("__metadata__"); });
}

TEST(UnetNetwork, SaysThatTheHeaderEndsBehindTheFile) {
  const Folder folder;
  const std::string path = folder.write("net.safetensors", std::string("\x03\0\0\0\0\0\0\0{}", 10));
  try {
    unet::readNetwork(path);
    ADD_FAILURE() << "it was read";
  } catch (const unet::FileError& error) {
    EXPECT_EQ(error.what(),
              path +
                  ": its header has 3 bytes by the first 8 bytes, but only 2 follow: the file was cut, or "
                  "is not a safetensors file");
  }
}

TEST(UnetNetwork, OfPhotographsIsReadAsItWasWritten) {
  std::mt19937_64 random = namedRandom("weights");
  const Folder folder;
  for (const Plane plane : {Plane::mosaic, Plane::colour}) {
    const Network written = randomNetwork(random, {plane, Plane::sigma}, 3);
    const Network read = unet::readNetwork(folder.write("net.safetensors", weightsFile(written)));
    EXPECT_EQ(descriptionOf(read), descriptionOf(written));
    EXPECT_EQ(read.inputChannels(), plane == Plane::mosaic ? 8U : 24U);
    EXPECT_EQ(read.layers.back().channels, 12U);
  }
}

TEST(UnetNetwork, SaysWhatIsWrongWithADescriptionForPhotographs) {
  std::mt19937_64 random = namedRandom("weights");
  const Json mosaic = descriptionOf(randomNetwork(random, {Plane::mosaic, Plane::sigma}, 3));
  const auto expect = [&](const std::string& expected, const std::function<void(Json&)>& change) {
    Json description = mosaic;
    change(description);
    try {
      unet::parseDescription(description.dump(), "net");
      ADD_FAILURE() << "it was read, expected " << expected;
    } catch (const unet::FileError& error) {
      EXPECT_EQ(error.what(), "net" + expected);
    }
  };
  unet::parseDescription(mosaic.dump(), "net");
  const std::string others =
      " 'input' has 'mosaic' or 'sigma' beside others; expected 'colour' and 'sigma', or 'mosaic' and "
      "'sigma'";
  expect(others, [](Json& d) { d["input"].erase(1); });
  expect(others, [](Json& d) { d["input"].push_back({{"plane", "albedo"}, {"channels", 3}}); });
  expect(" 'input' has neither 'colour' nor 'mosaic'", [](Json& d) { d["input"].erase(0); });
  expect(": entry 1 of 'input' 'channels' is not a whole number from 4 to 4",
         [](Json& d) { d["input"][1]["channels"] = 12; });
  expect(": 'transfer' has the kind 'log', but 'input' has 'sigma'; expected 'srgb'", [](Json& d) {
    d["transfer"] = {{"kind", "log"}, {"scale", 50.0}, {"maximum", 1.0}};
  });
  expect(": 'transfer' has an unknown 'scale'; expected kind",
         [](Json& d) { d["transfer"]["scale"] = 50.0; });
  expect(" has an 'exposure', but 'sigma' in 'input'; expected the kind 'none'", [](Json& d) {
    d["exposure"] = {{"kind", "log-average"}, {"block", 16}, {"key", 0.18}, {"least", 1e-8}};
  });
  expect(" 'base' is 'input', expected malvar", [](Json& d) { d["base"] = "input"; });
  expect(" has no 'base'", [](Json& d) { d.erase("base"); });
  expect(" 'shuffle' is not a whole number from 2 to 2", [](Json& d) { d["shuffle"] = 1; });
  expect(" ends with layer 'convolution5', whose activation is relu; expected none, since it corrects 'base'",
         [](Json& d) { d["layers"][5]["activation"] = "relu"; });
  expect(" has 'mix', but 'sigma' in 'input', expected one of them", [](Json& d) { d["mix"] = {"colour"}; });
}

TEST(UnetNetwork, SaysThatOthersAreForPhotographs) {
  expectError("'lacuna.network' of its metadata has 'base', but 'input' has no 'sigma'",
              [](Parts& p) { p.description["base"] = "input"; });
  expectError(
      "'lacuna.network' of its metadata: 'transfer' has the kind 'srgb', but 'input' has no 'sigma'; "
      "expected 'log'",
      [](Parts& p) {
        p.description["transfer"] = {{"kind", "srgb"}};
      });
}

TEST(UnetNetwork, SaysWhatIsWrongWithADescription) {
  const std::string at = "'lacuna.network' of its metadata";
  expectError(at + " has an unknown 'extra'; expected version, name, input, exposure, demodulate, transfer, "
                   "history, mix, base, shuffle, layers",
              [](Parts& p) { p.description["extra"] = 1; });
  expectError(at + " 'version' is not a whole number from 1 to 1",
              [](Parts& p) { p.description["version"] = 2; });
  expectError(at + " has no 'transfer'", [](Parts& p) { p.description.erase("transfer"); });
  expectError(at + ": entry 1 of 'input' 'channels' is not a whole number from 3 to 3",
              [](Parts& p) { p.description["input"][1]["channels"] = 4; });
  expectError(at + ": 'demodulate' divides by 'albedo', which 'input' doesn't have",
              [](Parts& p) { p.description["input"].erase(1); });
  expectError(at + ": entry 2 of 'layers': entry 0 of 'sources' reads 'convolution7', which is neither "
                   "'input' nor a layer before this one",
              [](Parts& p) { p.description["layers"][2]["sources"][0]["layer"] = "convolution7"; });
  for (const auto& [scale, halvings] : {std::pair("half", "2"), std::pair("double", "0")})
    expectError(at + ": entry 3 of 'layers': entry 1 of 'sources' is halved " + halvings +
                    " times, but the sources before it 1 times",
                [scale = scale](Parts& p) { p.description["layers"][3]["sources"][1]["scale"] = scale; });
  expectError(at + ": entry 0 of 'layers': entry 0 of 'sources' is halved -1 times, expected 0 to 8",
              [](Parts& p) { p.description["layers"][0]["sources"][0]["scale"] = "double"; });
  // Each is a separate shader, which takes compile time.
  expectError(at + " 'layers' has 65 entries, but must have 1 to 64", [](Parts& p) {
    while (p.description["layers"].size() < 65)
      p.description["layers"].push_back(p.description["layers"][0]);
  });
  expectError(at + ": entry 1 of 'layers' is called 'convolution0' like another one",
              [](Parts& p) { p.description["layers"][1]["name"] = "convolution0"; });
  expectError(at +
                  " ends with layer 'convolution5' of 4 channels, halved 0 times; expected 3 channels of the "
                  "input's size",
              [](Parts& p) { p.description["layers"][5]["channels"] = 4; });
}

}  // namespace
}  // namespace lacuna::test
