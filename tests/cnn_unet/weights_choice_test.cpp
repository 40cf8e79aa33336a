// The weights that cnn-unet takes, and its messages about those that don't fit.

#include <gtest/gtest.h>

#include "tests/cnn_unet/denoise_case.h"
#include "tests/support/folder.h"
#include "tests/support/own_weights.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Plane;

const std::vector<Plane> colourAlone = {Plane::colour};
const std::vector<Plane> withGeometry = {Plane::colour, Plane::normal, Plane::depth};

// The errors of loading a graph.
std::string refusal(const UnetRun& of, const std::vector<std::string>& modules = {moduleFolder()}) {
  MemoryGraph graph = unetGraph(of);
  graph.modulePath = modules;
  return load(graph).diagnostics.render();
}

TEST(UnetWeightsChoice, RandomWithoutANameThoseThatFit) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const OwnWeights own(folder.file(""));
  const unet::Network colour = randomNetwork(random, colourAlone, 4);
  const unet::Network geometry = randomNetwork(random, withGeometry, 4);
  own.write("a.safetensors", weightsFile(colour));
  own.write("b.safetensors", weightsFile(geometry));
  for (const unet::Network* network : {&colour, &geometry}) {
    const RenderPlanes planes = randomPlanes(random, *network, {7, 5}, false);
    MemoryGraph graph = unetGraph({"", planes});
    graph.modulePath = own.modules();
    RenderPlanes stored;
    for (const auto& [name, plane] : planes)
      stored[name] = rounded(plane, Format::f32);
    expectDenoised(run(graph, "auto").at("out"), denoised(*network, stored));
  }
}

TEST(UnetWeightsChoice, RandomNoneFits) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const OwnWeights own(folder.file(""));
  UnetRun of{"",
             randomPlanes(random, randomNetwork(random, {Plane::colour, Plane::albedo}, 4), {3, 2}, false)};
  expectPart(refusal(of, own.modules()), "cnn-unet:01: there are no weights in ");
  own.write("a.safetensors", weightsFile(randomNetwork(random, colourAlone, 4)));
  own.write("b.safetensors", weightsFile(randomNetwork(random, withGeometry, 4)));
  const std::string damaged = own.write("c.safetensors", "nothing");
  const std::string text = refusal(of, own.modules());
  expectPart(text, "cnn-unet:01: no weights in ");
  expectPart(text,
             " are for the connected input, albedo; expected one of: input (a.safetensors); input, normal, "
             "depth (b.safetensors); " +
                 damaged + ": has 7 bytes");
  expectPart(text, "; or a file in 'weights'");
}

TEST(UnetRefuses, RandomWeightsThatDoNotFit) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const auto write = [&](const std::string& name, const std::vector<Plane>& planes) {
    return folder.write(name, weightsFile(randomNetwork(random, planes, 4)));
  };
  const std::string colour = write("rgb.safetensors", colourAlone);
  folder.write("damaged.safetensors", "nothing");
  UnetRun of{colour,
             randomPlanes(random, unet::readNetwork(write("nd.safetensors", withGeometry)), {3, 2}, false)};
  const std::string mistakes = refusal(of);
  expectPart(mistakes,
             "/rgb.safetensors: these weights are for input, but input, normal, depth are connected; in ");
  expectPart(mistakes, " these do: nd.safetensors");
  expectPart(mistakes, "param:cnn-unet:01:weights:");
  const OwnWeights own(folder.file(""));
  own.write("own.safetensors", weightsFile(randomNetwork(random, withGeometry, 4)));
  expectPart(refusal(of, own.modules()), "; without 'weights' own.safetensors is taken");
  of.weights = folder.file("nowhere.safetensors");
  expectPart(refusal(of), "nowhere.safetensors: no such file");
  of.weights = folder.file("damaged.safetensors");
  expectPart(refusal(of), "damaged.safetensors: has 7 bytes");
}

TEST(UnetRefuses, RandomPlanesOfOtherSizes) {
  std::mt19937_64& random = testRandom();
  const Folder folder;
  const unet::Network network = randomNetwork(random, withGeometry, 4);
  UnetRun of{folder.write("nd.safetensors", weightsFile(network)),
             randomPlanes(random, network, {3, 2}, false)};
  of.planes["depth"] = Channelled(1, 3, 2);
  expectPart(refusal(of), "cnn-unet:01: 'depth' has 2 x 3 pixels, but 'input' has 3 x 2");
}

}  // namespace
}  // namespace lacuna::test
