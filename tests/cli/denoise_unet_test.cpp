// lacuna denoise --method cnn-unet: the weights that it takes for a file's planes, and its messages.

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "modules/codecs/image_info.h"
#include "tests/io/exr_parts.h"
#include "tests/support/own_weights.h"
#include "tests/support/program.h"
#include "tests/support/random.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using unet::Plane;

constexpr Extent renderExtent{24, 17};

NamedImage randomPlane(const std::string& name, std::vector<float>& values) {
  const Channels channels = name == "normal"   ? Channels::normal
                            : name == "depth"  ? Channels::depth
                            : name == "output" ? Channels::rgba
                                               : Channels::rgb;
  const size_t stored = channels == Channels::depth ? 1 : 4;
  values.resize(stored * renderExtent.width * renderExtent.height);
  const bool isSmooth = name == "normal" || name == "depth";  // noisy ones aren't taken
  float at = 0.1F;
  for (float& value : values)
    value = isSmooth ? at += 0.001F : static_cast<float>(uniform(testRandom(), 0.1, 1.0));
  for (size_t alpha = 3; name == "output" && alpha < values.size(); alpha += 4)
    values[alpha] = 1.0F;
  return {name,
          {channels, Format::f32, name == "output" ? ColourTag::rec709 : ColourTag::data, renderExtent},
          std::as_bytes(std::span(values))};
}

class DenoiseUnet : public testing::Test {
 protected:
  Outcome run(std::vector<std::string> words) const {
    words.insert(words.begin(), "denoise");
    words.insert(words.end(), {"--modules", own_.folder()});
    return runProgram(words, {folder_.path()});
  }
  // The messages about `file`, denoised into clean.exr.
  std::string said(const std::string& file, std::vector<std::string> words = {}) const {
    words.insert(words.begin(), {file, "-o", "clean.exr", "--method", "cnn-unet"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    return outcome.err;
  }
  void writeRender(const std::string& name, const std::vector<std::string>& guides) const {
    std::vector<std::vector<float>> values(guides.size() + 1);
    std::vector<NamedImage> planes = {randomPlane("output", values[0])};
    for (size_t i = 0; i < guides.size(); ++i)
      planes.push_back(randomPlane(guides[i], values[i + 1]));
    writeImage("exr", folder_.file(name), planes);
  }
  void write(const std::string& name, const std::string& content) const {
    std::ofstream(folder_.file(name), std::ios::binary) << content;
  }
  static std::string weightsFor(const std::vector<Plane>& planes) {
    return weightsFile(randomNetwork(testRandom(), planes, 4));
  }
  std::vector<float> colours(const std::string& name) const {
    return asFloats(readPlane("exr", folder_.file(name), "output"));
  }

  const Folder folder_;
  const OwnWeights own_{folder_.path()};
};

void expectIn(const std::string& part, const std::string& text) {
  EXPECT_NE(text.find(part), std::string::npos) << part << " is not in\n" << text;
}

double largestChange(const std::vector<float>& a, const std::vector<float>& b) {
  double most = a.size() == b.size() && !a.empty() ? 0.0 : 1e30;
  for (size_t i = 0; i < a.size() && i < b.size(); ++i)
    most = std::max(most, std::abs(double{a[i]} - b[i]));
  return most;
}

// The saved graph has nothing but the network, and runs to the same picture.
TEST_F(DenoiseUnet, RandomArchivesOfOpenImageDenoiseRunAlone) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));  // of alpha, which is opaque
  const auto writeArchive = [&](const std::string& name, unet::Transfer transfer, uint32_t inputs) {
    write(name, archiveFile(archivedNetwork(testRandom(), transfer, inputs, 3)));
  };
  writeArchive("rt_hdr_alb_nrm.tza", unet::Transfer::hdr, 9);
  writeArchive("rt_hdr_calb_cnrm.tza", unet::Transfer::hdr, 9);
  writeArchive("rt_hdr.tza", unet::Transfer::hdr, 3);
  writeArchive("mine.tza", unet::Transfer::hdr, 9);
  writeArchive("rt_ldr.tza", unet::Transfer::ldr, 3);
  writeArchive("rt_alb.tza", unet::Transfer::albedo, 3);
  writeArchive("rt_nrm_large.tza", unet::Transfer::normal, 3);
  writeRender("render.exr", {"albedo", "normal", "depth"});
  struct Case {
    std::vector<std::string> words;
    size_t networks;
    std::vector<const char*> said;
  };
  const Case cases[] = {
      {{"--weights", "rt_hdr_alb_nrm.tza"},
       1,
       {"by a U-Net of Open Image Denoise (cnn-unet), guided by albedo and normal, without depth\n"}},
      {{"--weights", "rt_hdr.tza"}, 1, {"from colour alone, without albedo, normal and depth\n"}},
      {{"--weights", "mine.tza", "--transfer", "hdr"}, 1, {"guided by albedo and normal"}},
      {{"--weights", "rt_hdr_calb_cnrm.tza", "--prefilter", "."},
       3,
       {"guided by albedo and normal, which are filtered before, without depth\n"}},
      {{"--weights", "rt_hdr_calb_cnrm.tza"},
       1,
       {"expects guides without noise; --prefilter FOLDER filters"}},
      {{"--weights", "rt_ldr.tza"}, 1, {"light above 1 in render.exr becomes 1\n"}}};
  std::vector<std::vector<float>> made;
  for (const Case& each : cases) {
    SCOPED_TRACE(each.said.front());
    std::vector<std::string> words = each.words;
    words.insert(words.end(), {"--save-graph", "saved.cfg", "--overwrite-input"});
    const std::string text = said("render.exr", words);
    for (const char* part : each.said)
      expectIn(part, text);
    words = {"render.exr", "-o", "clean.exr", "--method", "cnn-unet", "--save-graph", "-", "--dry-run"};
    words.insert(words.end(), each.words.begin(), each.words.end());
    const std::string graph = run(words).out;
    size_t networks = 0;
    for (size_t at = graph.find("module:cnn-unet:"); at != std::string::npos;
         at = graph.find("module:cnn-unet:", at + 1))
      ++networks;
    EXPECT_EQ(networks, each.networks) << graph;
    for (const char* module : {"mend", "restore", "energy", "chroma"})
      EXPECT_EQ(graph.find(fmt::format("module:{}:", module)), std::string::npos) << module;
    made.push_back(colours("clean.exr"));
    const Outcome again = runProgram({"run", "saved.cfg", "--modules", own_.folder()}, {folder_.path()});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(made.back(), colours("clean.exr"));
  }
  EXPECT_GT(largestChange(made[3], made[4]), 1e-4) << "filtered guides change nothing";
}

TEST_F(DenoiseUnet, RandomArchivesThatDoNotFitAreErrors) {
  write("rt_hdr_alb_nrm.tza", archiveFile(archivedNetwork(testRandom(), unet::Transfer::hdr, 9, 2)));
  write("rt_nrm.tza", archiveFile(archivedNetwork(testRandom(), unet::Transfer::normal, 3, 2)));
  writeRender("render.exr", {"albedo"});
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--weights", "rt_hdr_alb_nrm.tza"},
       "--weights rt_hdr_alb_nrm.tza: they are for pictures with albedo and normal; render.exr has no "
       "normal\n"},
      {{"--weights", "rt_nrm.tza"},
       "--weights rt_nrm.tza: filters albedo or normals; expected an archive for colours, and --prefilter "
       "FOLDER "
       "for guides\n"},
      {{"--weights", "rt_hdr_alb_nrm.tza", "--prefilter", "nowhere"},
       "--prefilter nowhere/rt_alb.tza: no such file; expected weights in a .safetensors or .tza file\n"},
      {{"--transfer", "ldr", "--prefilter", "."},
       "--prefilter .: is for archives of Open Image Denoise; expected --weights FILE.tza, too\n"}};
  for (const auto& [words, message] : cases) {
    std::vector<std::string> all = {"render.exr", "-o", "clean.exr", "--method", "cnn-unet"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2);
    expectIn(message, outcome.err);
  }
}

// Differences of colours of neighbours in a row.
double roughness(const std::vector<float>& rgba) {
  double sum = 0;
  for (size_t i = 4; i < rgba.size(); ++i)
    sum += std::abs(double{rgba[i]} - double{rgba[i - 4]});
  return sum;
}

// A random network tints what it makes.
TEST_F(DenoiseUnet, RandomGreyFilesStayGrey) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  write("rt_hdr.tza", archiveFile(archivedNetwork(testRandom(), unet::Transfer::hdr, 3, 3)));
  std::vector<float> values(pixelCount(renderExtent));
  for (float& value : values)
    value = static_cast<float>(uniform(testRandom(), 0.1, 1.0));
  const ValueType grey{Channels::y, Format::f32, ColourTag::rec709, renderExtent};
  writeImage("exr", folder_.file("grey.exr"), {{"output", grey, std::as_bytes(std::span(values))}});
  for (const std::vector<std::string>& words : {std::vector<std::string>(), {"--weights", "rt_hdr.tza"}}) {
    said("grey.exr", words);
    const ImageInfo info = imageInfo(folder_.file("clean.exr"));
    ASSERT_EQ(info.channels.size(), 1U);
    EXPECT_EQ(info.channels.front().name, "Y");
    EXPECT_GT(largestChange(colours("clean.exr"), colours("grey.exr")), 0.01);
  }
}

TEST_F(DenoiseUnet, RandomPlanesDecideTheWeights) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  own_.write("b.safetensors", weightsFor({Plane::colour, Plane::normal, Plane::depth}));
  own_.write("c.safetensors", weightsFor({Plane::colour, Plane::albedo, Plane::normal, Plane::depth}));
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{}, "render.exr: render, by a trained U-Net (cnn-unet), from colour alone\n"},
      {{"normal"}, "render.exr: render, by a trained U-Net (cnn-unet), from colour alone, without normal\n"},
      {{"albedo"}, "render.exr: render, by a trained U-Net (cnn-unet), guided by albedo\n"},
      {{"albedo", "normal"},
       "render.exr: render, by a trained U-Net (cnn-unet), guided by albedo and normal\n"},
      {{"normal", "depth"},
       "render.exr: render, by a trained U-Net (cnn-unet), from colour alone, without normal and depth\n"},
      {{"albedo", "normal", "depth"},
       "render.exr: render, by a trained U-Net (cnn-unet), guided by albedo, normal and depth\n"}};
  for (const auto& [guides, expected] : cases) {
    writeRender("render.exr", guides);
    expectIn(expected, said("render.exr", {"--save-graph", "saved.cfg", "--overwrite-input"}));
    const std::vector<float> made = colours("clean.exr");
    EXPECT_GT(largestChange(made, colours("render.exr")), 0.01);
    const Outcome again = runProgram({"run", "saved.cfg", "--modules", own_.folder()}, {folder_.path()});
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_EQ(made, colours("clean.exr"));
  }
}

TEST_F(DenoiseUnet, RandomNoisyGuidesAreNotUsedEachByItself) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  own_.write("c.safetensors", weightsFor({Plane::colour, Plane::albedo, Plane::normal, Plane::depth}));
  writeRender("render.exr", {});
  said("render.exr");
  const std::vector<float> fromColour = colours("clean.exr");
  std::vector<NamedImage> planes(4);
  std::vector<std::vector<float>> values(4);
  const char* const nothing = ", from colour alone, without albedo, normal and depth, which are noisy\n";
  struct Case {
    std::vector<size_t> noisy;
    float length;  // of normals
    const char* words;
    bool hasSky = false;  // no normals in the upper half
  };
  const Case cases[] = {{{2}, 1.0F, ", guided by albedo and depth, without normal, which is noisy\n"},
                        {{3}, 1.0F, ", guided by albedo and normal, without depth, which is noisy\n"},
                        {{3}, 1.0F, ", guided by albedo and normal, without depth, which is noisy\n", true},
                        {{3}, 0.7F, nothing},
                        {{2, 3}, 1.0F, nothing}};
  for (const auto& [noisy, length, words, hasSky] : cases) {
    const char* const names[] = {"output", "albedo", "normal", "depth"};
    for (size_t i = 0; i < 4; ++i)
      planes[i] = randomPlane(names[i], values[i]);
    values[0] = asFloats(readPlane("exr", folder_.file("render.exr"), "output"));
    planes[0].pixels = std::as_bytes(std::span(values[0]));
    for (size_t i = 0; i < values[2].size(); i += 3) {
      const float own = std::hypot(values[2][i], values[2][i + 1], values[2][i + 2]);
      for (size_t c = 0; c < 3; ++c)
        values[2][i + c] *= hasSky && i < values[2].size() / 2 ? 0.0F : length / own;
    }
    for (const size_t i : noisy)
      for (float& value : values[i])
        value = static_cast<float>(uniform(testRandom(), 0.1, 1.0));
    writeImage("exr", folder_.file("guided.exr"), planes);
    expectIn(words, said("guided.exr"));
    EXPECT_EQ(colours("clean.exr") == fromColour, words == nothing);
  }
}

// Alpha that is 1 everywhere costs nothing.
TEST_F(DenoiseUnet, RandomAlphaIsDenoisedWhereItIsNotOpaque) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  for (const bool isOpaque : {true, false}) {
    std::vector<float> values;
    NamedImage plane = randomPlane("output", values);
    for (size_t i = 3; !isOpaque && i < values.size(); i += 4)
      values[i] = static_cast<float>(uniform(testRandom(), 0.1, 1.0));
    writeImage("exr", folder_.file("render.exr"), {plane});
    said("render.exr", {"--save-graph", isOpaque ? "opaque.cfg" : "cover.cfg"});
    const std::vector<float> made = colours("clean.exr");
    for (size_t i = 3; i < made.size(); i += 4)
      EXPECT_EQ(made[i] == values[i], isOpaque) << i;
  }
  EXPECT_EQ(slurp(folder_.file("opaque.cfg")).find("alpha"), std::string::npos);
  expectIn("module:alpha-join:01\n", slurp(folder_.file("cover.cfg")));
}

TEST_F(DenoiseUnet, RandomGuidesAreJudgedInTheLayerThatIsDenoised) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  own_.write("c.safetensors", weightsFor({Plane::colour, Plane::albedo, Plane::normal, Plane::depth}));
  Part part;
  for (const std::string layer : {"Noisy", "Smooth"}) {
    for (const char* component : {"R", "G", "B"})
      for (const char* plane : {".Combined.", ".Denoising Albedo."})
        part.channels.push_back(layer + plane + component);
    for (const char* guide : {"Normal.X", "Normal.Y", "Normal.Z", "Depth.Z"}) {
      part.channels.push_back(layer + ".Denoising " + guide);
      if (layer == "Smooth")
        part.even.insert(part.channels.back());
    }
  }
  writeParts(folder_.file("render.exr"), {part});
  expectIn(", without normal, which is noisy\n",
           said("render.exr", {"-p", "i-file:in:output=Noisy.Combined"}));
  expectIn(", guided by albedo, normal and depth\n",
           said("render.exr", {"-p", "i-file:in:output=Smooth.Combined"}));
}

TEST_F(DenoiseUnet, RandomWeightsOfOnesOwn) {
  writeRender("render.exr", {"albedo", "normal", "depth"});
  fs::create_directory(folder_.file("mine"));
  spill(folder_.file("mine/albedo.safetensors"), weightsFor({Plane::colour, Plane::albedo}));
  expectIn("render.exr: render, by a trained U-Net (cnn-unet), guided by albedo, without normal and depth\n",
           said("render.exr", {"--weights", "mine/albedo.safetensors", "--save-graph", "mine/saved.cfg"}));
  const std::vector<float> made = colours("clean.exr");
  fs::remove(folder_.file("clean.exr"));
  EXPECT_EQ(runProgram({"run", "mine/saved.cfg"}, {folder_.path()}).code, 0);
  EXPECT_EQ(colours("clean.exr"), made) << "the name is relative to the saved graph";
  said("render.exr", {"--weights", "mine/albedo.safetensors", "--strength", "0"});
  EXPECT_LT(largestChange(colours("clean.exr"), colours("render.exr")), 1e-6);
  said("render.exr", {"--weights", "mine/albedo.safetensors", "--strength", "0.5"});
  const std::vector<float> input = colours("render.exr"), mixed = colours("clean.exr");
  for (size_t i = 0; i < mixed.size(); ++i)
    EXPECT_NEAR(mixed[i], (input[i] + made[i]) / 2, 2e-3 * (1.0F + input[i] + made[i]));
}

// Missing planes beside albedo are neutral: no normals, and one depth everywhere.
TEST_F(DenoiseUnet, RandomGuidesWithoutDepthAreUsed) {
  own_.write("c.safetensors", weightsFor({Plane::colour, Plane::albedo, Plane::normal, Plane::depth}));
  std::vector<float> colour, albedo, depth(size_t{renderExtent.width} * renderExtent.height, 1.0F);
  std::vector<float> normal(4 * depth.size());
  const std::vector<NamedImage> planes = {randomPlane("output", colour), randomPlane("albedo", albedo)};
  const auto plane = [](const char* name, Channels channels, const std::vector<float>& values) {
    return NamedImage{
        name, {channels, Format::f32, ColourTag::data, renderExtent}, std::as_bytes(std::span(values))};
  };
  writeImage("exr", folder_.file("render.exr"), planes);
  expectIn("guided by albedo\n", said("render.exr"));
  const std::vector<float> without = colours("clean.exr");
  writeImage("exr", folder_.file("render.exr"),
             {planes[0], planes[1], plane("normal", Channels::normal, normal),
              plane("depth", Channels::depth, depth)});
  expectIn("guided by albedo, normal and depth\n", said("render.exr"));
  EXPECT_EQ(colours("clean.exr"), without);
}

// Above 1 the network's result is smoothed, more with a higher strength.
TEST_F(DenoiseUnet, RandomStrengthsAboveOneSmoothWhatTheNetworkMade) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  writeRender("render.exr", {});
  const auto made = [&](const char* strength) {
    expectIn("render.exr: render, by a trained U-Net (cnn-unet), from colour alone",
             said("render.exr", {"--strength", strength}));
    return colours("clean.exr");
  };
  const std::vector<float> one = made("1");
  // No step at 1, but svgf mixes what differs by .1%.
  EXPECT_NEAR(roughness(made("1.01")), roughness(one), 0.04 * roughness(one));
  EXPECT_LT(roughness(made("3")), 0.9 * roughness(one));
}

// A name in a graph is relative to the graph, one of the command line to the current folder.
TEST_F(DenoiseUnet, RandomWeightsOfAnOption) {
  writeRender("render.exr", {});
  fs::create_directory(folder_.file("graphs"));
  spill(folder_.file("here.safetensors"), weightsFor({Plane::colour}));
  spill(folder_.file("graphs/there.safetensors"), weightsFor({Plane::colour}));
  spill(
      folder_.file("graphs/graph.cfg"),
      "lacuna:1\nmodule:i-exr:in\nmodule:cnn-unet:01\nmodule:energy:01\nmodule:chroma:01\n"
      "module:o-exr:out\nconnect:i-exr:in:output:chroma:01:noisy\nconnect:energy:01:output:chroma:01:input\n"
      "param:i-exr:in:filename:\"../render.exr\"\nparam:o-exr:out:filename:\"out.exr\"\n"
      "param:cnn-unet:01:weights:\"there.safetensors\"\nparam:energy:01:limit:0.7\nparam:energy:01:caution:"
      "0.7\n"
      "connect:i-exr:in:output:cnn-unet:01:input\nconnect:i-exr:in:output:energy:01:noisy\n"
      "connect:cnn-unet:01:output:energy:01:input\nconnect:chroma:01:output:o-exr:out:input\n");
  const auto made = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", "graphs/graph.cfg"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = runProgram(words, {folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return colours("out.exr");
  };
  const std::vector<float> ofGraph = made({});
  const std::vector<float> ofOption = made({"-p", "cnn-unet:01:weights=here.safetensors"});
  EXPECT_NE(ofGraph, ofOption);
  said("render.exr", {"--weights", "here.safetensors"});
  EXPECT_EQ(ofOption, colours("clean.exr"));
  const Outcome wrong = runProgram({"run", "graphs/graph.cfg", "-p", "cnn-unet:01:weights=there.safetensors"},
                                   {folder_.path()});
  EXPECT_EQ(wrong.code, 2);
  expectIn("there.safetensors: no such file", wrong.err);
}

TEST_F(DenoiseUnet, RandomFramesAreDenoisedOneByOne) {
  own_.write("a.safetensors", weightsFor({Plane::colour}));
  writeRender("shot_7.exr", {});
  writeRender("shot_8.exr", {});
  const Outcome outcome = run({"shot_%d.exr", "-o", "out_%d.exr", "--method", "cnn-unet"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const std::string number : {"7", "8"}) {
    said("shot_" + number + ".exr");
    EXPECT_EQ(colours("out_" + number + ".exr"), colours("clean.exr"));
  }
}

TEST_F(DenoiseUnet, RandomMistakesAreNamed) {
  writeRender("render.exr", {"normal"});
  spill(folder_.file("albedo.safetensors"), weightsFor({Plane::colour, Plane::albedo, Plane::normal}));
  spill(folder_.file("damaged.safetensors"), "nothing");
  const std::vector<std::string> words = {"render.exr", "-o", "clean.exr"};
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"--weights", "nowhere", "--method", "cnn-unet"}, "--weights nowhere: no such file"},
      {{"--weights", "damaged.safetensors", "--method", "cnn-unet"},
       "--weights damaged.safetensors: has 7 bytes"},
      {{"--weights", "albedo.safetensors", "--method", "cnn-unet"},
       "--weights albedo.safetensors: they are for pictures with albedo and normal; render.exr has no "
       "albedo"},
      {{"--weights", "albedo.safetensors", "--method", "svgf"},
       "--weights albedo.safetensors: render.exr is for svgf, which takes none; expected --method cnn-unet"},
      {{"--method", "cnn-unet"}, "there are no weights in "}};
  for (const auto& [more, expected] : cases) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = run(all);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    expectIn(expected, outcome.err);
    EXPECT_FALSE(fs::exists(folder_.file("clean.exr")));
  }
}

}  // namespace
}  // namespace lacuna::test
