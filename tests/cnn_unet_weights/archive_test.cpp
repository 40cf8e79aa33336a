// Archives of Open Image Denoise: what is read of them, and messages about others, damaged and hostile ones.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cnn-unet/network/archive.h"
#include "tests/cnn_unet_weights/allocation.h"
#include "tests/support/folder.h"
#include "tests/support/mutate.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Curve;
using unet::Network;
using unet::Transfer;

Network networkWith(uint32_t inputs, bool isLarge = false) {
  std::mt19937_64 random(inputs);
  return archivedNetwork(random, Transfer::hdr, inputs, 3, isLarge);
}

// The message about an archive of this name, without its path; "" if it is read.
std::string errorOf(const std::string& name, const std::string& content,
                    Transfer transfer = Transfer::byName) {
  const Folder folder;
  const std::string path = folder.write(name, content);
  try {
    unet::readNetwork(path, transfer);
    unet::readDescription(path, transfer);
    return {};
  } catch (const unet::FileError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find(path), 0U) << text;
    return text.substr(std::min(text.size(), path.size()));
  }
}

TEST(UnetArchives, AreReadAsTheyWereWritten) {
  const Folder folder;
  for (const bool isLarge : {false, true})
    for (const bool inFloats : {false, true}) {
      const Network written = networkWith(9, isLarge);
      const Network read =
          unet::readNetwork(folder.write("rt_hdr_alb_nrm.tza", archiveFile(written, inFloats)));
      EXPECT_EQ(read.input, written.input);
      EXPECT_EQ(read.curve, Curve::perceptual);
      EXPECT_TRUE(read.exposure && !read.cleanGuides);
      ASSERT_EQ(read.layers.size(), isLarge ? 19U : 16U);
      for (size_t i = 0; i < read.layers.size(); ++i) {
        EXPECT_EQ(read.layers[i].weights, written.layers[i].weights);
        EXPECT_EQ(read.layers[i].biases, written.layers[i].biases);
        EXPECT_EQ(read.layers[i].inputs, written.layers[i].inputs);
      }
    }
}

TEST(UnetArchives, NamesSayForWhatTheyAre) {
  const Folder folder;
  const auto described = [&](const std::string& name, uint32_t inputs) {
    return unet::readDescription(folder.write(name + ".tza", archiveFile(networkWith(inputs))));
  };
  EXPECT_EQ(described("rt_hdr_small", 3).curve, Curve::perceptual);
  EXPECT_EQ(described("rt_ldr_alb", 6).curve, Curve::srgb);
  EXPECT_FALSE(described("rt_ldr_alb", 6).exposure);
  EXPECT_TRUE(described("rt_hdr_calb_cnrm_large", 9).cleanGuides);
  EXPECT_EQ(described("rt_alb", 3).curve, Curve::srgb);
  EXPECT_EQ(described("rt_nrm_large", 3).curve, Curve::signedUnit);
  EXPECT_TRUE(described("rt_alb", 3).isForGuides && described("rt_nrm", 3).isForGuides);
  EXPECT_FALSE(described("rt_ldr", 3).isForGuides);
}

TEST(UnetArchives, OtherNamesNeedTransfer) {
  const std::string three = archiveFile(networkWith(3)), nine = archiveFile(networkWith(9));
  EXPECT_EQ(
      errorOf("mine.tza", three),
      ": its name doesn't say whether it is for light without a bound (hdr) or from 0 to 1 (ldr); expected "
      "'transfer' (of `lacuna denoise`: --transfer hdr), or a name that Open Image Denoise gives, such as "
      "rt_hdr_alb_nrm.tza");
  EXPECT_EQ(errorOf("mine", three, Transfer::ldr), "");
  EXPECT_EQ(errorOf("rt_hdr.tza", nine),
            " reads 9 channels, but archives of this name read 3; expected its right name, or 'transfer' (of "
            "`lacuna denoise`: --transfer hdr)");
  EXPECT_EQ(errorOf("rt_hdr.tza", nine, Transfer::hdr), "");
  EXPECT_EQ(errorOf("a.tza", nine, Transfer::normal),
            " reads 9 channels, but filters of albedo or normals read 3");
  EXPECT_EQ(errorOf("rtlightmap_hdr.tza", three),
            " is for lightmaps, which Lacuna doesn't filter; expected an archive of the filter RT, such as "
            "rt_hdr.tza");
}

TEST(UnetArchives, TransferIsForArchives) {
  std::mt19937_64 random(1);
  EXPECT_EQ(
      errorOf("a.safetensors", weightsFile(randomNetwork(random, {unet::Plane::colour}, 3)), Transfer::hdr),
      " describes its own transfer curve; 'hdr' is for archives of Open Image Denoise (.tza)");
}

TEST(UnetArchives, OtherFilesAreErrors) {
  EXPECT_EQ(errorOf("a.tza", "nothing"),
            ": has 7 bytes, but an archive of Open Image Denoise begins with 12");
  EXPECT_EQ(errorOf("a.tza", "no archive at all"),
            ": doesn't begin with D7 41, as archives of Open Image Denoise do");
  std::string file = archiveFile(networkWith(3));
  file[2] = 3;
  EXPECT_EQ(errorOf("rt_hdr.tza", file), ": is of version 3, expected 2");
  EXPECT_EQ(errorOf("net.onnx", "\x08\x08\x12\x07pytorch\x1a\x05" + std::string(90, 'x')),
            ": is neither a safetensors file of tools/train nor an archive (.tza) of Open Image Denoise");
}

TEST(UnetArchives, WrongTensorsAreErrors) {
  Network network = networkWith(3);
  network.layers[3].name = "enc_conv9";
  EXPECT_EQ(errorOf("rt_hdr.tza", archiveFile(network)),
            ": there is no tensor 'enc_conv3.weight'; there is no tensor 'enc_conv3.bias'");
  network = networkWith(3);
  network.layers[1].inputs += 1;
  network.layers[1].weights.resize(size_t{9} * network.layers[1].channels * network.layers[1].inputs);
  const uint32_t channels = network.layers[1].channels, inputs = network.layers[1].inputs;
  EXPECT_EQ(errorOf("rt_hdr.tza", archiveFile(network)),
            fmt::format(": tensor 'enc_conv1.weight' is of shape ({0}, {1}, 3, 3), expected ({0}, {2}, 3, 3)",
                        channels, inputs, inputs - 1));
  network = networkWith(3);
  network.layers[2].biases.front() = INFINITY;
  EXPECT_EQ(errorOf("rt_hdr.tza", archiveFile(network)),
            ": number 0 of tensor 'enc_conv2.bias' is inf, expected at most 65504");
  EXPECT_EQ(errorOf("a.tza", archiveFile(networkWith(12)), Transfer::hdr),
            ": the network reads 12 channels, expected 3, 6, 9");
}

TEST(UnetArchives, EveryCutIsAnError) {
  const std::string file = archiveFile(networkWith(3));
  for (size_t length = 0; length < file.size(); length += length < 16 || length > file.size() - 900 ? 1 : 97)
    EXPECT_NE(errorOf("rt_hdr.tza", file.substr(0, length)), "")
        << length << " of " << file.size() << " bytes";
  EXPECT_EQ(errorOf("rt_hdr.tza", file), "");
}

TEST(UnetArchives, RandomDamageIsAnErrorOrSound) {
  std::mt19937_64& random = testRandom();
  const std::string file = archiveFile(archivedNetwork(random, Transfer::hdr, 3, 2));
  const size_t table = static_cast<unsigned char>(file[4]) + 256U * static_cast<unsigned char>(file[5]);
  const Folder folder;
  for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
    // The numbers take damage without a word, so most of it goes to the table.
    const std::string content =
        i % 4 == 0 ? mutate(file, random) : file.substr(0, table) + flipBits(file.substr(table), random);
    const std::string path = folder.write("rt_hdr.tza", content);
    forgetAllocations();
    try {
      const Network network = unet::readNetwork(path);
      for (const unet::Layer& layer : network.layers)
        ASSERT_EQ(layer.weights.size(), size_t{9} * layer.inputs * layer.channels);
    } catch (const unet::FileError& error) {
      EXPECT_EQ(std::string(error.what()).find(path), 0U) << error.what();
    }
    EXPECT_LE(largestAllocation(), std::max<size_t>(65536, 2 * content.size()));
  }
}

}  // namespace
}  // namespace lacuna::test
