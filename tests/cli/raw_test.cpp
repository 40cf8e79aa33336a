// Raw photographs by the program: made from a picture, recognised by their content, opened by other programs.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/io/tagged_files.h"
#include "tests/support/program.h"

namespace lacuna::test {
namespace {

class RawFiles : public testing::Test {
 protected:
  // A grey ramp and colours, through an invented camera.
  std::string makeDng(const std::string& name, const std::string& pattern,
                      const std::string& more = {}) const {
    const std::string graph = folder_.file(name + ".cfg");
    spill(graph,
          fmt::format("lacuna:1\nmodule:i-pfm:01\nmodule:colour:01\nmodule:mosaic:01\nmodule:o-dng:01\n"
                      "connect:i-pfm:01:output:colour:01:input\nconnect:colour:01:output:mosaic:01:input\n"
                      "connect:mosaic:01:output:o-dng:01:input\nconnect:mosaic:01:camera:o-dng:01:camera\n"
                      "param:i-pfm:01:filename:\"patches.pfm\"\nparam:o-dng:01:filename:\"{}\"\n"
                      "param:mosaic:01:pattern:{}\n{}",
                      name, pattern, more));
    const Outcome outcome = runProgram({"run", "-q", graph}, {.folder = folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return folder_.file(name);
  }

  // Six flat patches of 40x40 in linear Rec. 709.
  void writePatches() const {
    const ValueType type{Channels::rgba, Format::f32, ColourTag::rec709, {240, 40}};
    std::vector<float> pixels;
    for (uint32_t i = 0; i < 240 * 40; ++i) {
      const auto& colour = patches.at(i % 240 / 40);
      pixels.insert(pixels.end(), {colour[0], colour[1], colour[2], 1.0F});
    }
    writeImage("pfm", folder_.file("patches.pfm"), {{"output", type, std::as_bytes(std::span(pixels))}});
  }

  std::string firstLine(const std::string& command) const {
    const std::string out = folder_.file("out.txt");
    if (std::system(fmt::format("cd {} && {} > out.txt 2>&1", folder_.path(), command).c_str()) != 0)
      return "failed: " + slurp(out);
    const std::string text = slurp(out);
    return text.substr(0, text.find('\n'));
  }

  const std::array<std::array<float, 3>, 6> patches{{{0.18F, 0.18F, 0.18F},
                                                     {0.4F, 0.1F, 0.06F},
                                                     {0.1F, 0.3F, 0.07F},
                                                     {0.05F, 0.08F, 0.35F},
                                                     {0.6F, 0.55F, 0.1F},
                                                     {0.02F, 0.02F, 0.02F}}};
  const Folder folder_;
};

TEST_F(RawFiles, AreToldByTheirContent) {
  writePatches();
  fs::rename(makeDng("a.dng", "grbg", "param:mosaic:01:a:0.001\n"), folder_.file("photo.tif"));
  const Outcome info = runProgram({"info", "photo.tif"}, {.folder = folder_.path()});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_NE(info.out.find("raw photograph, 240 x 40"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("mosaic grbg, black 1024, white 16383"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("variance 0.001 x + 0"), std::string::npos) << info.out;
  // A truncated file is an error with its name.
  const std::string whole = slurp(folder_.file("photo.tif"));
  spill(folder_.file("half.dng"), whole.substr(0, whole.size() / 2));
  const Outcome half = runProgram({"info", "half.dng"}, {.folder = folder_.path()});
  EXPECT_EQ(half.code, 2) << half.out;
  EXPECT_NE(half.err.find("half.dng: no raw photograph that is known, or a damaged one"), std::string::npos)
      << half.err;
}

TEST_F(RawFiles, ComeBackThroughGraphsAndFiltersRefuseThem) {
  writePatches();
  makeDng("a.dng", "gbrg");
  spill(folder_.file("back.cfg"),
        "lacuna:1\nmodule:i-raw:01\nmodule:crop:01\nmodule:o-dng:01\nconnect:i-raw:01:output:crop:01:input\n"
        "connect:crop:01:output:o-dng:01:input\nparam:i-raw:01:filename:\"a.dng\"\nparam:crop:01:x:1\nparam:"
        "crop:01:y:2\n"
        "param:o-dng:01:filename:\"b.dng\"\n");
  const Outcome outcome = runProgram({"run", "-q", "back.cfg"}, {.folder = folder_.path()});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  const std::vector<float> before = asFloats(readPlane("dng", folder_.file("a.dng"), "output"));
  const std::vector<float> after = asFloats(readPlane("dng", folder_.file("b.dng"), "output"));
  const ValueType type = probeImage("dng", folder_.file("b.dng"), {"output"}).at("output");
  ASSERT_EQ(print(type), "mosaic f32 data bggr 239x38");
  for (uint32_t i = 0; i < after.size(); ++i)
    ASSERT_EQ(after[i], before[(i / 239 + 2) * 240 + i % 239 + 1]);
  spill(folder_.file("wrong.cfg"),
        "lacuna:1\nmodule:i-raw:01\nmodule:eaw:01\nmodule:o-png:01\nconnect:i-raw:01:output:eaw:01:input\n"
        "connect:eaw:01:output:o-png:01:input\nparam:i-raw:01:filename:\"a.dng\"\nparam:o-png:01:filename:"
        "\"b.png\"\n");
  const Outcome refused = runProgram({"check", "wrong.cfg"}, {.folder = folder_.path()});
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.err.find("mosaic"), std::string::npos) << refused.err;
  const Outcome photo = runProgram({"run", photoGraph, "-i", "a.dng"}, {.folder = folder_.path()});
  EXPECT_EQ(photo.code, 2);
  EXPECT_NE(photo.err.find("is developed first, as in pipelines/raw.cfg"), std::string::npos) << photo.err;
}

TEST_F(RawFiles, OfGraphsForPicturesAreOneMistake) {
  writePatches();
  const std::string dng = makeDng("a.dng", "rggb");
  const Outcome outcome = runProgram({"run", photoGraph, "-i", dng, "-o", folder_.file("a.jpg")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_NE(outcome.err.find("error: eaw:01:input takes rgba, but i-file:in:output is mosaic\n"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(outcome.err.find("error: "), outcome.err.rfind("error: ")) << outcome.err;
}

TEST_F(RawFiles, OtherProgramsKnowTheirTags) {
  if (std::system("exiftool -ver > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no exiftool";
  writePatches();
  makeDng("a.dng", "x-trans", "param:mosaic:01:a:0.002\nparam:mosaic:01:b:0.0001\n");
  EXPECT_EQ(firstLine("exiftool -validate -s3 a.dng"), "OK");
  EXPECT_EQ(firstLine("exiftool -s3 -DNGVersion a.dng"), "1.4.0.0");
  EXPECT_EQ(firstLine("exiftool -s3 -CFARepeatPatternDim a.dng"), "6 6");
  EXPECT_EQ(firstLine("exiftool -s3 -n -NoiseProfile a.dng").substr(0, 5), "0.002");
  EXPECT_EQ(firstLine("exiftool -s3 -AsShotNeutral a.dng"), "0.5 1 0.6666666865");
}

// dcraw's linear picture, balanced as the camera says and without its own brightness, in Rec. 709.
TEST_F(RawFiles, ColoursAreThoseThatDcrawShows) {
  if (std::system("command -v dcraw_emu > /dev/null 2>&1") != 0)
    GTEST_SKIP() << "no dcraw_emu";
  writePatches();
  const std::string cameras[] = {
      "",
      "param:mosaic:01:matrix:1.5:-0.4:-0.1:-0.2:1.4:-0.2:0.05:-0.35:1.3\nparam:mosaic:01:black:256:258:255:"
      "260\n"
      "param:mosaic:01:white:4095\nparam:mosaic:01:red:1.9\nparam:mosaic:01:blue:1.4\n",
      "param:mosaic:01:matrix:1.2:-0.1:-0.1:-0.1:1.3:-0.2:0:-0.2:1.2\nparam:mosaic:01:red:1.3\nparam:mosaic:"
      "01:blue:2.6\n"};
  const std::string patterns[] = {"rggb", "gbrg", "bggr"};
  for (size_t i = 0; i < 3; ++i) {
    makeDng(fmt::format("{}.dng", i), patterns[i], cameras[i]);
    ASSERT_EQ(firstLine(fmt::format("dcraw_emu -w -W -4 -o 1 {}.dng", i)).substr(0, 6), "") << i;
    const std::string ppm = folder_.file(fmt::format("{}.dng.ppm", i));
    const ValueType type = probeImage("pnm", ppm, {"output"}).at("output");
    std::vector<std::byte> bytes(byteSize(type));
    readImage("pnm", ppm, "output", type, bytes, {.profile = false});
    ASSERT_EQ(print(type), "rgba u16 rec709 240x40");
    for (size_t patch = 0; patch < patches.size(); ++patch)
      for (size_t c = 0; c < 3; ++c) {
        uint16_t code = 0;
        std::memcpy(&code, bytes.data() + 8 * (20 * 240 + 40 * patch + 20) + 2 * c, 2);
        const double wanted = patches.at(patch).at(c);
        EXPECT_NEAR(code / 65535.0, wanted, 0.02 * wanted + 0.001) << i << ", patch " << patch << ", " << c;
      }
  }
}

// The steps of pipelines/raw.cfg, line by line.
TEST_F(RawFiles, AreDenoisedAsThePipelineDoes) {
  writePatches();
  makeDng("a.dng", "rggb", "param:mosaic:01:a:0.003\n");
  const Outcome saved = runProgram({"denoise", "a.dng", "-o", "a.jpg", "--save-graph", "saved.cfg"},
                                   {.folder = folder_.path()});
  ASSERT_EQ(saved.code, 0) << saved.err;
  const std::string graph = slurp(folder_.file("saved.cfg"));
  std::istringstream pipeline(slurp(LACUNA_TEST_FOLDER "/../pipelines/raw.cfg"));
  for (std::string line; std::getline(pipeline, line);) {
    line = line.substr(0, line.find(" #"));
    if (const size_t at = line.find("i-raw:in"); at != std::string::npos)
      line.replace(at, 5, "i-file");
    const bool isSame = !line.starts_with("#") && line.find(":filename:") == std::string::npos;
    EXPECT_TRUE(!isSame || graph.find(line + "\n") != std::string::npos) << line << "\nis not in\n" << graph;
  }
}

// Exposure and white balance by the options, in the light that is denoised. The file's white balance is that
// of D65, whose colour temperature is 6504 K, a little greener than black bodies.
TEST_F(RawFiles, AreDevelopedByExposureAndTemperature) {
  writePatches();
  makeDng("a.dng", "rggb");
  const size_t centre = 3 * (20 * 240 + 20);  // grey
  const auto grey = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"denoise", "a.dng", "-o", "a.exr", "--strength", "0", "-q"});
    const Outcome outcome = runProgram(options, {.folder = folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const ColourImage light = loadColour(folder_.file("a.exr"));
    return std::array{light.rgb.at(centre), light.rgb.at(centre + 1), light.rgb.at(centre + 2)};
  };
  const auto plain = grey({}), brighter = grey({"--exposure", "1"});
  for (size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(brighter.at(c), 2 * plain.at(c), 0.004F);
  const auto same = grey({"--temperature", "6504", "--tint", "9.6"});
  for (size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(same.at(c), plain.at(c), 0.002F);
  // Illuminant A, 2856 K, in linear Rec. 2020: D65's light looks as blue as that is orange.
  const auto cold = grey({"--temperature", "2856"});
  EXPECT_GT(cold[2] / cold[0], 3.0F);
  const auto warm = grey({"--temperature", "10000"});
  EXPECT_TRUE(warm[0] > 1.04F * plain[0] && warm[2] < 0.85F * plain[2]) << warm[0] << " " << warm[2];
  const auto magenta = grey({"--tint", "60"});
  EXPECT_LT(magenta[1] / magenta[0], 0.95F * plain[1] / plain[0]);
  writeRandomPng(folder_.file("b.png"), {16, 16});
  const Outcome other =
      runProgram({"denoise", "b.png", "-o", "c.png", "--tint", "5"}, {.folder = folder_.path()});
  EXPECT_EQ(other.code, 2);
  EXPECT_NE(other.err.find("--tint 5: no input is a raw photograph"), std::string::npos) << other.err;
}

TEST_F(RawFiles, ComeFromStandardInputToo) {
  writePatches();
  makeDng("a.dng", "rggb");
  const Outcome info = runProgram({"info", "-"}, {.folder = folder_.path(), .input = folder_.file("a.dng")});
  EXPECT_EQ(info.code, 0) << info.err;
  EXPECT_NE(info.out.find("raw photograph, 240 x 40"), std::string::npos) << info.out;
}

TEST_F(RawFiles, SetParametersThatTheCameraSupersedesAreWarnedOf) {
  writePatches();
  makeDng("a.dng", "rggb");
  const Outcome check = runProgram({"check", LACUNA_TEST_FOLDER "/../pipelines/raw.cfg", "--no-shaders", "-i",
                                    "a.dng", "-p", "rawprep:01:red=3", "-p", "rawprep:01:warmth=1"},
                                   {.folder = folder_.path()});
  EXPECT_EQ(check.code, 0) << check.err;
  EXPECT_NE(
      check.err.find("warning: 'red' of rawprep:01 has no effect: the input 'camera' is connected, whose "
                     "numbers are taken instead (from -p rawprep:01:red=3)\n"),
      std::string::npos)
      << check.err;
  EXPECT_EQ(check.err.find("warmth"), std::string::npos) << check.err;
}

// The lens that a JPEG file's or a DNG file's Exif data names; an unknown lens changes nothing, and a line
// says so.
TEST_F(RawFiles, NameTheLensWhoseFaultsAreTakenBack) {
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {90, 60}};
  std::vector<std::byte> pixels(byteSize(type));
  for (size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = std::byte(i % 4 == 3 ? 255 : (i / 4 % 90 / 6 + i / 4 / 90 / 6) % 2 == 0 ? 200 : 60);
  writeTaggedJpeg(folder_.file("patches.jpg"), {type, pixels}, {.exif = cameraExif(1)});
  spill(folder_.file("make.cfg"),
        "lacuna:1\nmodule:i-jpg:01\nmodule:colour:01\nmodule:mosaic:01\nmodule:o-dng:01\nconnect:i-jpg:01:"
        "output:"
        "colour:01:input\nconnect:colour:01:output:mosaic:01:input\nconnect:mosaic:01:output:o-dng:01:input\n"
        "connect:mosaic:01:camera:o-dng:01:camera\nparam:i-jpg:01:filename:\"patches.jpg\"\nparam:o-dng:01:"
        "filename:\"a.dng\"\n");
  ASSERT_EQ(runProgram({"run", "-q", "make.cfg"}, {.folder = folder_.path()}).code, 0);
  const auto develop = [&](const std::string& lens, const std::string& out) {
    spill(folder_.file("lenses.xml"),
          fmt::format(
              "<lensdatabase version=\"1\"><mount><name>M</name></mount><camera><maker>Foo</maker><model>Bar "
              "7</model><mount>M</mount><cropfactor>1</cropfactor></camera><lens><maker>Foo</maker><model>{}"
              "</model><mount>M</mount><cropfactor>1</cropfactor><calibration><distortion model=\"poly3\" "
              "focal=\"20\" k1=\"0.05\"/></calibration></lens></lensdatabase>\n",
              lens));
    const Outcome outcome = runProgram({"run", LACUNA_TEST_FOLDER "/../pipelines/raw.cfg", "-i", "a.dng",
                                        "-o", out, "-p", "lens:01:database=lenses.xml"},
                                       {.folder = folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.err;
  };
  EXPECT_EQ(develop("Foo 20mm", "known.png").find("no profile"), std::string::npos);
  const std::string said = develop("Quux 300mm", "unknown.png");
  const std::string line = "lens:01: no profile for the lens 'Foo 20mm' on the camera 'Bar 7'";
  ASSERT_NE(said.find(line), std::string::npos) << said;
  EXPECT_EQ(said.find(line, said.find(line) + 1), std::string::npos) << said;
  EXPECT_NE(slurp(folder_.file("known.png")), slurp(folder_.file("unknown.png")));
  ASSERT_EQ(runProgram({"run", "-q", LACUNA_TEST_FOLDER "/../pipelines/raw.cfg", "-i", "a.dng", "-o",
                        "off.png", "-p", "lens:01:distortion=false"},
                       {.folder = folder_.path()})
                .code,
            0);
  EXPECT_EQ(slurp(folder_.file("off.png")), slurp(folder_.file("unknown.png")));
}

// Each picture of a folder is corrected by its own lens; frames of a sequence have one.
TEST_F(RawFiles, RandomOnesOfAFolderHaveTheirOwnLens) {
  const Picture picture = randomPicture(Format::u8, {60, 40});
  for (const auto& [name, lens] : {std::pair("in/a_1.jpg", "20mm"), std::pair("in/a_2.jpg", "28mm")}) {
    std::string exif = cameraExif(1);
    exif.replace(exif.find("20mm"), 4, lens);
    fs::create_directory(folder_.file("in"));
    writeTaggedJpeg(folder_.file(name), picture, {.exif = exif});
  }
  std::string lenses;
  for (const auto& [lens, bends] : {std::pair("20mm", 0.05), std::pair("28mm", -0.05)})
    lenses += fmt::format(
        "<lens><maker>Foo</maker><model>Foo {}</model><mount>M</mount><cropfactor>1</cropfactor><calibration>"
        "<distortion model=\"poly3\" focal=\"20\" k1=\"{}\"/></calibration></lens>",
        lens, bends);
  spill(folder_.file("lenses.xml"),
        "<lensdatabase version=\"1\"><mount><name>M</name></mount><camera><maker>Foo</maker><model>Bar "
        "7</model>"
        "<mount>M</mount><cropfactor>1</cropfactor></camera>" +
            lenses + "</lensdatabase>\n");
  spill(folder_.file("g.cfg"),
        "lacuna:1\nmodule:i-file:in\nmodule:lens:01\nmodule:o-file:out\nconnect:i-file:in:output:lens:01:"
        "input\n"
        "connect:lens:01:output:o-file:out:input\nparam:lens:01:database:lenses.xml\n");
  const auto develop = [&](const std::string& input, const std::string& output) {
    return runProgram({"run", "g.cfg", "-i", input, "-o", output}, {.folder = folder_.path()});
  };
  for (const std::string name : {"a_1", "a_2"})
    EXPECT_EQ(develop("in/" + name + ".jpg", "one/" + name + ".png").code, 0);
  const Outcome many = develop("in/*.jpg", "many/{stem}.png");
  EXPECT_EQ(many.code, 0) << many.err;
  for (const std::string name : {"a_1.png", "a_2.png"})
    EXPECT_TRUE(slurp(folder_.file("many/" + name)) == slurp(folder_.file("one/" + name))) << name;
  EXPECT_TRUE(readPlane("png", folder_.file("one/a_1.png"), "output") !=
              readPlane("png", folder_.file("one/a_2.png"), "output"));
  const Outcome sequence = develop("in/a_%d.jpg", "frames/%d.png");
  EXPECT_EQ(sequence.code, 4);
  EXPECT_NE(sequence.err.find("in/a_2.jpg: lens:01 would do something else for it than for in/a_1.jpg"),
            std::string::npos)
      << sequence.err;
}

// `camera` is searched among all makers' cameras, not those of the maker in the file.
TEST_F(RawFiles, RandomOnesMayTakeAnotherMakersCamera) {
  writeTaggedJpeg(folder_.file("a.jpg"), randomPicture(Format::u8, {20, 10}), {.exif = cameraExif(1)});
  spill(
      folder_.file("lenses.xml"),
      "<lensdatabase version=\"1\"><mount><name>M</name></mount><camera><maker>Quux</maker><model>Baz</model>"
      "<mount>M</mount><cropfactor>1</cropfactor></camera><lens><maker>Foo</maker><model>Foo 20mm</model>"
      "<mount>M</mount><cropfactor>1</cropfactor><calibration><distortion model=\"poly3\" focal=\"20\" "
      "k1=\"0.05\"/></calibration></lens></lensdatabase>\n");
  spill(folder_.file("g.cfg"),
        "lacuna:1\nmodule:i-file:in\nmodule:lens:01\nmodule:o-file:out\nconnect:i-file:in:output:lens:01:"
        "input\nconnect:lens:01:output:o-file:out:input\nparam:lens:01:database:lenses.xml\n");
  for (const std::string camera : {"Baz", "Bar 7"}) {
    const Outcome outcome =
        runProgram({"run", "g.cfg", "-i", "a.jpg", "-o", "b.png", "-p", "lens:01:camera=" + camera},
                   {.folder = folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err.find("no profile for the lens") == std::string::npos, camera == "Baz")
        << outcome.err;
  }
}

// From a folder that also has a JPEG; a DNG file with its own colours; and the original light.
TEST_F(RawFiles, AreDenoisedBesideOtherPicturesAndIntoEveryFormat) {
  writePatches();
  fs::create_directory(folder_.file("in"));
  fs::rename(makeDng("a.dng", "gbrg", "param:mosaic:01:a:0.0005\n"), folder_.file("in/a.dng"));
  const ValueType type{Channels::rgba, Format::u8, ColourTag::rec709, {24, 16}};
  writeImage("jpg", folder_.file("in/b.jpg"),
             {{"input", type, std::vector<std::byte>(byteSize(type), std::byte{90})}});
  const Outcome many = runProgram({"denoise", "in", "-o", "out/{stem}.png"}, {.folder = folder_.path()});
  EXPECT_EQ(many.code, 0) << many.err;
  EXPECT_EQ(probeImage("png", folder_.file("out/a.png"), {"output"}).at("output").extent, (Extent{240, 40}));
  EXPECT_TRUE(fs::exists(folder_.file("out/b.png")));
  fs::rename(folder_.file("in/a.dng"), folder_.file("in/a.nef"));
  const Outcome folder =
      runProgram({"denoise", "in", "-o", "jpegs/", "--strength", "0"}, {.folder = folder_.path()});
  EXPECT_EQ(folder.code, 0) << folder.err;
  EXPECT_TRUE(fs::exists(folder_.file("jpegs/a.jpg")) && fs::exists(folder_.file("jpegs/b.jpg")));
  fs::copy_file(folder_.file("in/b.jpg"), folder_.file("in/a.jpg"));
  const Outcome both = runProgram({"denoise", "in", "-o", "both/"}, {.folder = folder_.path()});
  EXPECT_EQ(both.code, 2);
  EXPECT_NE(both.err.find("in/a.jpg and in/a.nef would both be written to both/a.jpg"), std::string::npos)
      << both.err;
  EXPECT_NE(both.err.find("('out/{stem}-{ext}.jpg')"), std::string::npos) << both.err;
  fs::remove(folder_.file("in/a.jpg"));
  fs::rename(folder_.file("in/a.nef"), folder_.file("in/a.dng"));
  const Outcome none = runProgram({"denoise", "in/b.jpg", "-o", "b.dng"}, {.folder = folder_.path()});
  EXPECT_EQ(none.code, 2) << none.err;
  EXPECT_NE(none.err.find("a .dng file is made from a raw photograph, but in/b.jpg is a JPEG file"),
            std::string::npos)
      << none.err;
  for (const char* name : {"clean.dng", "clean.exr"}) {
    const Outcome one = runProgram({"denoise", "in/a.dng", "-o", name}, {.folder = folder_.path()});
    EXPECT_EQ(one.code, 0) << one.err;
  }
  // A linear DNG file is denoised like a mosaic.
  const Outcome again =
      runProgram({"denoise", "--strength", "0", "clean.dng", "-o", "again.exr"}, {.folder = folder_.path()});
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NEAR(loadColour(folder_.file("again.exr")).rgb.at(size_t{3} * (20 * 240 + 20)), 0.18, 0.01);
  const ColourImage light = loadColour(folder_.file("clean.exr"));
  ASSERT_EQ(light.colour, ColourTag::rec2020);
  const size_t centre = 3 * (20 * 240 + 20);
  for (size_t c = 0; c < 3; ++c)
    EXPECT_NEAR(light.rgb.at(centre + c), 0.18, 0.01);
  if (std::system("command -v dcraw_emu > /dev/null 2>&1") != 0)
    return;
  ASSERT_EQ(firstLine("dcraw_emu -w -W -4 -o 1 clean.dng").substr(0, 6), "");
  const std::vector<std::byte> bytes = readPlane("pnm", folder_.file("clean.dng.ppm"), "output");
  for (size_t patch = 0; patch < patches.size(); ++patch)
    for (size_t c = 0; c < 3; ++c) {
      uint16_t code = 0;
      std::memcpy(&code, bytes.data() + 8 * (20 * 240 + 40 * patch + 20) + 2 * c, 2);
      EXPECT_NEAR(code / 65535.0, patches.at(patch).at(c), 0.03 * patches.at(patch).at(c) + 0.004)
          << patch << ", " << c;
    }
}

}  // namespace
}  // namespace lacuna::test
