// cnn-unet with archives of Open Image Denoise, against its filter's definition (core/ of its sources):
// curves, exposure, zeros beyond the picture, in halves and in floats.

#include <gtest/gtest.h>

#include "tests/cnn_unet/denoise_case.h"
#include "tests/support/folder.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Transfer;

struct ArchiveCase {
  Extent extent;
  Transfer transfer = Transfer::hdr;
  uint32_t inputs = 3;
  int widest = 12;
  bool isLarge = false, inFloats = false, isBroken = false;
};

class UnetArchive : public testing::TestWithParam<ArchiveCase> {};

TEST_P(UnetArchive, RandomIsItsDefinition) {
  const ArchiveCase& of = GetParam();
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const unet::Network network = archivedNetwork(random, of.transfer, of.inputs, of.widest, of.isLarge);
  UnetRun run{folder.write("own.tza", archiveFile(network, of.inFloats)),
              randomPlanes(random, network, of.extent, of.isBroken)};
  if (of.transfer == Transfer::normal)
    for (double& v : run.planes["input"].values)
      v = uniform(random, -1.2, 1.2);
  run.transfer = unet::transferNames[static_cast<size_t>(of.transfer)];
  RenderPlanes planes;
  for (const auto& [name, plane] : run.planes)
    planes[name] = rounded(plane, run.format);
  const Channelled expected = denoised(network, planes);
  for (const auto& [arithmetic, bound] : {std::pair("auto", 3e-3), std::pair("plain", 3e-3),
                                          std::pair("float", 2e-5), std::pair("host", 2e-5)}) {
    SCOPED_TRACE(arithmetic);
    if (std::string(arithmetic) == "host" && !hasHostNetwork)
      continue;
    run.arithmetic = arithmetic;
    expectDenoised(denoise(run), expected, bound);
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, UnetArchive,
                         testing::Values(ArchiveCase{{1, 1}}, ArchiveCase{{17, 1}, Transfer::ldr, 9},
                                         ArchiveCase{{127, 50}, Transfer::hdr, 9, 9, false, true},
                                         ArchiveCase{{40, 33}, Transfer::hdr, 6, 20, true},
                                         ArchiveCase{{70, 37}, Transfer::hdr, 9, 20, false, false, true},
                                         ArchiveCase{{35, 21}, Transfer::albedo},
                                         ArchiveCase{{64, 48}, Transfer::normal}));

}  // namespace
}  // namespace lacuna::test
