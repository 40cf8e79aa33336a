// Words of the command line: mistakes give exit code 2 and a suggestion, and help is data.

#include "tests/support/program.h"

namespace lacuna::test {
namespace {

void expectUsageError(const std::vector<std::string>& arguments, const std::string& message) {
  const Outcome outcome = runProgram(arguments);
  EXPECT_EQ(outcome.code, 2) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_NE(outcome.err.find(message), std::string::npos) << "'" << message << "' is not in\n" << outcome.err;
}

TEST(Arguments, UnknownWordsAreNamedWithTheNearest) {
  expectUsageError({"rnu", "x.cfg"}, "unknown command 'rnu'; did you mean 'run'?");
  expectUsageError({"run", "x.cfg", "--shcedule=rows"},
                   "unknown option '--shcedule'; did you mean '--schedule'?");
  expectUsageError({"--verison"}, "unknown option '--verison'; did you mean '--version'?");
  expectUsageError({"qqqqqqqq"}, "unknown command 'qqqqqqqq'; known are denoise, run, ");
  expectUsageError({"describe", "eww"}, "did you mean 'eaw'?");
  expectUsageError({"describe", "eaw", "colour"},
                   "unexpected argument 'colour': `lacuna describe` takes no more");
  expectUsageError({"cache", "clear"}, "`lacuna cache` takes no more; did you mean '--clear'?");
  expectUsageError({"denoise", "a.exr", "b.exr"},
                   "or name with {stem} for many; -: standard output; did you mean '-o b.exr'?");
}

TEST(Arguments, WordsThatAreNoCommandsSayWhatTheyAre) {
  expectUsageError({"photo.jpg"}, "`lacuna denoise photo.jpg -o OUT` denoises it");
  expectUsageError({"./gone.cfg"}, "'./gone.cfg' is a graph, not a command: `lacuna run ./gone.cfg` runs it");
  expectUsageError({"version"}, "did you mean '--version'?");
  expectUsageError({"run", "x.cfg", "--strength", "2"},
                   "unknown option '--strength' of `lacuna run`; `lacuna denoise` has it");
  expectUsageError({"run", "x.cfg", "--strengh", "2"}, "for `lacuna denoise`: did you mean '--strength'?");
  expectUsageError({"run", "x.cfg", "out.png"}, "`lacuna run` takes no more; an output is `-o out.png`");
  EXPECT_EQ(runProgram({"-V"}).out, runProgram({"--version"}).out);
}

TEST(Arguments, UnknownOptionsGetTheirNameHere) {
  const auto expect = [](const std::vector<std::string>& words, const std::string& option,
                         const std::string& hint) {
    std::vector<std::string> all = words;
    all.push_back(option);
    const std::string name = option.substr(0, option.find('='));
    expectUsageError(all, "unknown option '" + name + "' of `lacuna " + words[0] + "`; " + hint);
  };
  const std::vector<std::string> run = {"run", "x.cfg"}, denoise = {"denoise", "a.exr", "-o", "b.exr"};
  expect(run, "-j8", "here it is --in-flight: frames in flight");
  expect(denoise, "--threads=4", "here it is --in-flight: frames in flight");
  expect(run, "--albedo=a.exr", "here it is --input: SOURCE:INSTANCE=FILE");
  expect(run, "--timeout=60", "LACUNA_GPU_SECONDS bounds a frame");
  expect(denoise, "--oidn", "here it is --method {eaw,");
  expect(denoise, "--fast", "here it is --method {eaw,");
  expect(denoise, "--gpu", "here it is --device: ");
  expect(denoise, "--nrm=n.exr", "here it is --normal: ");
  expect(denoise, "--model=w.pt", "here it is --method {eaw,");
  expect(denoise, "-t4", "here it is --in-flight: ");
  expect(denoise, "--hdr", "here it is --param: files say their colours' space");
  expect({"compare", "a.png", "b.png"}, "--psnr", "all measures are printed");
  expect({"compare", "a.png", "b.png"}, "-i", "pictures are words alone: `lacuna compare PICTURE");
  expect({"new", "x"}, "-o", "the folder is a word alone");
  expect(denoise, "--resize=50%", "the module resize of a graph does this");
  expect({"info", "x.png"}, "--format=json", "here it is --json: ");
  expect({"graph", "x.cfg"}, "--format", "the ending of -o chooses");
  expect({"tune", "x.cfg"}, "--reset", "here it is --forget: ");
  expectUsageError({"-v"}, "unknown option '-v' of `lacuna`; here it is --version: ");
  expect(denoise, "-r", "a pattern takes folders and all below");
  expect(run, "--hot-pixels=0", "a parameter of rawprep has this name: -p rawprep:INSTANCE:hot_pixels=VALUE");
  expect(run, "--tonemap", "the module tonemap of a graph does this: `lacuna describe tonemap`");
  expect(run, "--exposure=1", "`lacuna denoise` has it; the module exposure of a graph does this");
  // Only long words are near to those of other commands.
  for (const auto& [command, option] : {std::pair("graph", "--formal"), {"fmt", "--alb"}})
    EXPECT_EQ(runProgram({command, "x.cfg", option}).err.find("did you mean"), std::string::npos) << option;
  expectUsageError({"compare", "a.png", "b.png", "--differ"}, "did you mean '--difference'?");
  const Outcome none = runProgram({"run", "x.cfg", "--qqqqqqqqqq"});
  EXPECT_NE(none.err.find("unknown option '--qqqqqqqqqq' of `lacuna run`\n"), std::string::npos) << none.err;
}

// The words of all help pages; `words` and --help must agree.
std::vector<std::vector<std::string>> helpPages(std::vector<std::string> words) {
  words.emplace_back("--help");
  std::vector<std::vector<std::string>> pages = {words};
  std::istringstream page(runProgram(words).out);
  bool listed = false;
  for (std::string line; std::getline(page, line);) {
    listed = listed ? !line.empty() : line == "Commands:";
    if (listed && line.starts_with("  ") && line[2] != ' ') {
      words.back() = line.substr(2, line.find(' ', 2) - 2);
      const auto more = helpPages(words);
      pages.insert(pages.end(), more.begin(), more.end());
    }
  }
  return pages;
}

TEST(Arguments, HelpFitsAHundredColumns) {
  const auto pages = helpPages({});
  EXPECT_GE(pages.size(), 19U + 10U);  // of `bench`, too
  for (const auto& words : pages) {
    const Outcome outcome = runProgram(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_GT(outcome.out.size(), 100U);
    std::istringstream help(outcome.out);
    for (std::string line; std::getline(help, line);) {
      EXPECT_LE(line.size(), 100U) << words.front() << ": " << line;
      EXPECT_FALSE(line.ends_with(" ")) << words.front() << ": " << line;
    }
  }
}

TEST(Arguments, WhatIsGivenTwiceIsNamed) {
  expectUsageError({"denoise", "a.png", "-o", "b.png", "--save-graph", "a.cfg", "--save-graph", "b.cfg"},
                   "--save-graph is given more than once; it takes one value");
  expectUsageError({"denoise", "a.png", "-o", "b.png", "-o", "c.png"}, "--output is given more than once");
}

TEST(Arguments, ThatAreEmptyOrNoWholeNumber) {
  const auto expect = [](const std::string& option, const std::string& value, const std::string& text) {
    expectUsageError({"denoise", "a.png", "-o", "b.jpg", option, value}, option + ": " + text);
  };
  expect("--save-graph", "", "'': expected the name of a file");
  expect("--weights", "", "'': expected the name of a file");
  expect("--histogram", "", "'': expected the name of a file");
  expect("--quality", "80.5", "'80.5' is not a whole number from 1 to 100");
  expect("--device", "", "'': expected a device's number, part of its name");
  expect("--layers", "", "'': expected the name of a layer, or all");
  expectUsageError({"graph", "x.cfg", "-o", ""}, "--output: '': expected the name of a file");
  expectUsageError({"fmt", ""}, "'': expected the name of a file");
  expectUsageError({"new", "", "--kind", "stencil"}, "'': expected the name of a folder");
  expectUsageError({"test", ""}, "'': expected a module's folder, or its name");
  expectUsageError({"--json"}, "unknown option '--json' of `lacuna`; ");
  expectUsageError({"compare", "a.png", "b.png", "--json=c.json"}, "--json can't take the value 'c.json'");
}

TEST(Arguments, BehindTwoDashesAreNoOptions) {
  expectUsageError({"denoise", "--", "-a.png"}, "`lacuna denoise` needs -o,--output FILE: ");
  expectUsageError({"denoise", "-o", "b.png", "--", "-a.png"}, "-a.png: no such file");
}

TEST(Arguments, BeforeTheirCommandAreSentBehindIt) {
  expectUsageError({"--device", "cpu", "run", "x.cfg"},
                   "'--device' is an option of `lacuna run`: write `lacuna run --device`, in this order");
  expectUsageError(
      {"run", "--", "x.cfg", "--time"},
      "unexpected argument '--time': `lacuna run` takes no more, and behind -- no word is an option");
}

TEST(Arguments, ThatHaveNoEffectTogether) {
  expectUsageError({"run", "x.cfg", "--progress", "--no-progress"}, "excludes");
  expectUsageError({"tune", "x.cfg", "--forget", "--runs", "3"}, "--runs excludes --forget");
  expectUsageError({"plan", photoGraph, "--missing", "hold"}, "--missing are for --chunks");
  expectUsageError({"plan", photoGraph, "--stage", "fuse", "--all"},
                   "--stage fuse prints that stage; --all is for the plan as a whole");
  expectUsageError({"compare", "-", "a.png"}, "-: `lacuna compare` reads files, not standard input");
}

TEST(Arguments, ThatRangesOfFramesDontUse) {
  const std::string graph = LACUNA_TEST_FOLDER "/../pipelines/photo.cfg";
  expectUsageError({"plan", graph, "--stage", "nodes", "--chunks", "2"},
                   "--stage and --chunks exclude each other");
  expectUsageError({"plan", graph, "--chunks", "2", "--model", "nvidia", "--all"},
                   "--model and --all and --chunks exclude each other: ranges of frames are the same on all");
  expectUsageError({"plan", graph, "--chunks", "2", "--schedule", "rows4"},
                   "--schedule and --chunks exclude each other");
}

TEST(Arguments, AModuleFolderThatIsNotThere) {
  expectUsageError({"modules", "--modules", "no/such/folder"}, "'no/such/folder' is not a folder");
  expectUsageError({"modules", "--modules", LACUNA_TEST_FOLDER "/../examples/chroma-smooth"},
                   "/chroma-smooth' is a module; expected the folder that it lies in");
}

TEST(Arguments, MissingWords) {
  for (const std::string command : {"run", "check", "plan", "describe", "compare"}) {
    expectUsageError({command}, "`lacuna " + command + "` needs ");
  }
  expectUsageError({}, "Usage: lacuna");
  expectUsageError({"bench"}, "Usage: lacuna bench");
  expectUsageError({"denoise"}, "`lacuna denoise` needs IMAGE: photographs");
  expectUsageError({"denoise"}, "`lacuna denoise` needs -o,--output FILE: ");
  expectUsageError({"help", "rnu"}, "did you mean 'run'?");
  expectUsageError({"run", "no/such.cfg"}, "no/such.cfg");
  expectUsageError({"run", "/"}, "/");
  expectUsageError({"plan", LACUNA_TEST_FOLDER "/../pipelines/photo.cfg", "--stage", "nods"},
                   "--stage: unknown word 'nods'; did you mean 'nodes'?");
  expectUsageError({"bench", "atroos"}, "did you mean 'atrous'?");
  expectUsageError({"completion"}, "`lacuna completion` needs shell: the shell to print a script for");
  expectUsageError({"completion", "powershell"}, "known are bash, zsh, fish");
}

TEST(Arguments, WrongOnesOfBenchRhf) {
  expectUsageError({"bench", "rhf", "--schedule", "naiv", "--schedule", "pairs@8x8"},
                   "--schedule naiv: no step has this name; there are naive, uncached, shared, ");
  expectUsageError({"bench", "rhf", "--schedule", "pairs@8x8"}, "--schedule pairs@8x8: ");
  expectUsageError(
      {"bench", "rhf", "--size", "8x8", "--samples", "1", "--json", "--schedule", "naive@spiral"},
      "--schedule naive@spiral: expected naive@WxH, then /CONSTANT");
  expectUsageError({"bench", "rhf", "--bins", "2"}, "'2' is not a whole number from 3 to 256");
  expectUsageError({"bench", "rhf", "--samples", "0"}, "'0' is not a whole number from 1 to 65536");
  expectUsageError({"bench", "rhf", "--scene", "no/such.scene"}, "no/such.scene");
  expectUsageError({"bench", "rhf", "--size", "12"}, "--size: '12': expected WIDTHxHEIGHT");
  expectUsageError({"bench", "rhf", "--radius", "3"}, "unknown option '--radius'");
  expectUsageError({"bench", "atrous", "--bins", "9"}, "unknown option '--bins'");
  expectUsageError({"bench", "pathtrace", "--samples", "9"}, "unknown option '--samples'");
}

// Loops that some drivers end before they are done.
TEST(Arguments, ASearchOfRhfThatIsTooLong) {
  expectUsageError({"check", LACUNA_TEST_FOLDER "/../pipelines/rhf.cfg", "-p", "rhf:01:method=search", "-p",
                    "rhf:01:search=7", "-p", "rhf:01:patch=3", "-p", "pathtrace:01:bins=32"},
                   "use a smaller 'search' or 'patch', or method pairs (from -p rhf:01:method=search)");
}

TEST(Arguments, WrongOnesOfBench) {
  const Folder folder;
  spill(folder.file("figures.json"), "{\"sets\": [{}]}");
  expectUsageError({"bench", "atrous", "--beside", folder.file("figures.json")}, "key 'figures' not found");
  expectUsageError({"bench", "atrous", "--schedule", "rwos"},
                   "no schedule has this name; there are baseline");
  expectUsageError({"bench", "atrous", "--quick", "--schedule", "rows4"}, "excludes");
  expectUsageError({"bench", "borders", "--device", "cpu"}, "unknown option '--device'");
  expectUsageError({"bench", "graph"}, "`lacuna bench graph` needs GRAPH: graph file");
  expectUsageError({"bench", "graph", "x.cfg", "--size", "12x12"}, "unknown option '--size'");
  expectUsageError({"bench", "atrous", "x.cfg"},
                   "unexpected argument 'x.cfg': `lacuna bench atrous` takes no more");
  expectUsageError({"bench", "atrous", "--frames", "1-2"}, "unknown option '--frames'");
  expectUsageError({"bench", "atrous", "--filter", "rhf"},
                   "--filter: unknown word 'rhf'; known are eaw, guided, svgf");
  expectUsageError({"bench", "bilateral", "--schedule", "rwos"},
                   "no schedule has this name; there are naive, ");
  expectUsageError({"bench", "atrous", "--candidates", "all"}, "unknown option '--candidates'");
  expectUsageError({"bench", "bilateral", "--candidates", "bets"},
                   "unknown word 'bets'; did you mean 'best'?");
  expectUsageError({"bench", "atrous", "--size", "12x0"}, "expected WIDTHxHEIGHT");
}

class GraphArguments : public testing::Test {
 protected:
  void SetUp() override {
    writeRandomPng(folder_.file("in.png"), {7, 5});
    std::string graph = exposureGraph("in.png", "out.png", "module:eaw:01\nmodule:o-png:02\n");
    graph +=
        "connect:exposure:01:output:eaw:01:input\nconnect:eaw:01:output:o-png:02:input\n"
        "param:o-png:02:filename:\"two.png\"\n";
    spill(folder_.file("graph.cfg"), graph);
  }

  void expectRefused(const std::vector<std::string>& options, const std::string& message) {
    SCOPED_TRACE(testing::PrintToString(options));
    const std::string before = listing(folder_.path());
    std::vector<std::string> words = {"run", folder_.file("graph.cfg")};
    words.insert(words.end(), options.begin(), options.end());
    expectUsageError(words, message);
    EXPECT_EQ(listing(folder_.path()), before);
  }

  const Folder folder_;
};

TEST_F(GraphArguments, BadParameters) {
  expectRefused({"-p", "exposure:01:stops"},
                "-p exposure:01:stops: expected module:instance:parameter=value");
  expectRefused({"-o", "o-png:01"}, "-o o-png:01: expected FILE or sink:instance=FILE");
  expectRefused({"-p", "exposure:stops=1"}, "expected module:instance:parameter=value");
  expectRefused({"-p", "exposure:01:stps=1"}, "did you mean 'stops'?");
  expectRefused({"-p", "exposure:02:stops=1"}, "exposure:02");
  expectRefused({"-p", "exposure:01:stops=bright"}, "bright");
  expectRefused({"-p", "exposure:01:stops=nan"}, "nan");
  expectRefused({"-p", "exposure:01:stops=1:2"}, "stops");
  expectRefused({"-p", "exposure:01:stops=33"},
                "'stops' is 33, but must be -32 to 32 (from -p exposure:01:stops=33)");
  expectRefused({"-p", "eaw:01:levels=2.5"}, "levels");
  expectRefused({"-p", "eaw:01:precision=f61"}, "did you mean 'f16'?");
}

TEST_F(GraphArguments, OfWhichAnotherTakesTheEffect) {
  expectRefused({"-i", "o-png:01=in.png"}, "o-png:01 is a sink (from -i o-png:01=in.png)");
  expectRefused({"-o", "i-png:01=in.png"}, "i-png:01 is no sink (from -o i-png:01=in.png)");
  expectRefused({"--schedule", "rows4", "--schedule", "tiled"},
                "--schedule tiled: another schedule is given for all filters");
  expectRefused({"--schedule", "eaw:01=rows4", "--schedule", "eaw:01=tiled"},
                "another schedule is given for eaw:01");
  expectRefused({"--missing", "hold"}, "--missing is for names with a frame's number");
  const Outcome printed = runProgram({"run", folder_.file("graph.cfg"), "--profile", "-", "--json"});
  EXPECT_EQ(printed.code, 2);
  EXPECT_NE(printed.out.find("--profile - and --json would both print to stdout"), std::string::npos);
}

TEST_F(GraphArguments, WithoutEffectAreWarnedOf) {
  const auto expect = [&](std::vector<std::string> words, const std::string& message) {
    words.insert(words.begin(), {"run", "graph.cfg"});
    const Outcome outcome = runProgram(words, {folder_.path()});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("warning: " + message), std::string::npos) << outcome.err;
  };
  const std::string twice = "'stops' of exposure:01 is set more than once: ";
  expect({"-p", "exposure:01:stops=1", "-p", "exposure:01:stops=2"},
         twice + "-p exposure:01:stops=1 has no effect (from -p exposure:01:stops=2)");
  expect({"-i", "in.png", "-p", "i-png:01:filename=in.png"}, "'filename' of i-png:01 is set more than once");
  expect({"--warm-up", "3"}, "--warm-up changes nothing: no module reads a value of the previous frame");
  spill(folder_.file("graph.cfg"),
        exposureGraph("in.png", "out.png", "param:exposure:01:stops:1\nparam:exposure:01:stops:2\n"));
  expect({}, twice + "line 9 has no effect");
  const Outcome replaced = runProgram({"run", "graph.cfg", "-i", "in.png", "-o", "x.png"}, {folder_.path()});
  EXPECT_EQ(replaced.err.find("'filename'"), std::string::npos) << replaced.err;
}

// A text is taken whole; quotes have the meaning that they have in graph files.
TEST_F(GraphArguments, ParametersHaveColonsAndQuotes) {
  writeRandomPng(folder_.file("a:b.png"), {7, 5});
  const auto check = [&](const std::string& value) {
    return runProgram({"check", "graph.cfg", "--no-shaders", "-p", value}, {folder_.path()});
  };
  for (const char* given : {"i-png:01:filename=a:b.png", "i-png:01:filename=\"a:b.png\"",
                            "eaw:01:gains=\"1\":1.5", "eaw:01:precision=\"f32\""}) {
    EXPECT_EQ(check(given).code, 0) << given << "\n" << check(given).err;
  }
  expectRefused({"-p", "i-png:01:filename=gone:b.png"}, "gone:b.png: can't be read");
  expectRefused({"-p", "i-png:01:filename=\"a:b.png"}, "closing quote (from -p i-png:01:filename=\"a:b.png)");
  expectRefused({"-p", "i-png:01:filename=\"a:b.png\":x"}, "'filename' takes 1 value, got 2");
  expectRefused({"-p", "i-png:01:filename=\"a:b.png\" # mine"}, "expected nothing more at '# mine'");
  expectRefused({"-i", "\"a:b.png\""}, "\"a:b.png\": can't be read");
  expectUsageError({"check", LACUNA_TEST_FOLDER "/../pipelines/cnn-unet.cfg", "-p",
                    "cnn-unet:01:weights=/a:b.safetensors"},
                   "/a:b.safetensors: no such file");
}

TEST_F(GraphArguments, BadSchedules) {
  expectRefused({"--schedule", "nonsense"}, "nonsense");
  expectRefused({"--schedule", "rwos4/image"}, "did you mean 'rows4'?");
  expectRefused({"--schedule", "eaw:01=nonsense"}, "nonsense");
  expectRefused({"--schedule", "eaw:11=rows4"}, "no module 'eaw:11'");
  expectRefused({"--schedule", "eaw:11=rows4"}, "did you mean 'eaw:01'?");
  expectRefused({"--schedule", "exposure:01=rows4"}, "exposure:01 has no filter");
  expectUsageError({"check", folder_.file("graph.cfg"), "--schedule", "rwos4"}, "did you mean 'rows4'?");
}

TEST_F(GraphArguments, BadFrames) {
  for (const std::string frames : {"x", "3-1", "0-", "0-1-2"}) {
    expectRefused({"--frames=" + frames}, "--frames");
  }
  expectRefused({"--frames", "0-3"}, "o-png:01 would write all 4 frames to one file");
}

TEST_F(GraphArguments, UnknownDeviceIsExit3) {
  const std::string before = listing(folder_.path());
  for (const std::string command : {"run", "plan", "check"}) {
    const Outcome outcome = runProgram({command, folder_.file("graph.cfg"), "--device", "no such device"});
    EXPECT_EQ(outcome.code, 3) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find("no such device"), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(listing(folder_.path()), before);
}

TEST(Arguments, AnOptionThatRepeatsTakesOneWordEachTime) {
  const Outcome outcome = runProgram({"check", "--modules", LACUNA_TEST_FOLDER "/../examples",
                                      LACUNA_TEST_FOLDER "/../examples/chroma-smooth/chroma-smooth.cfg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
}

TEST(Help, EachBenchmarkHasItsOwnOptions) {
  const Outcome gemm = runProgram({"bench", "gemm", "--help"}), rhf = runProgram({"bench", "rhf", "--help"});
  for (const char* option : {"--shape", "--accumulate", "--pack"}) {
    EXPECT_NE(gemm.out.find(option), std::string::npos) << option;
    EXPECT_EQ(rhf.out.find(option), std::string::npos) << option;
  }
  EXPECT_EQ(gemm.out.find("--bins"), std::string::npos);
  EXPECT_NE(gemm.out.find("Usage: lacuna bench gemm"), std::string::npos) << gemm.out;
  EXPECT_EQ(runProgram({"help", "bench"}).out, runProgram({"bench", "--help"}).out);
}

// The lab is a separate program. If that program is missing, only its commands are missing.
TEST(Help, WithoutTheLab) {
  const Folder folder;
  fs::copy_file(LACUNA_PROGRAM, folder.file("lacuna"));
  const auto outcome = [&](const std::string& words) {
    return std::system((folder.file("lacuna") + " " + words + " >" + folder.file("out") + " 2>&1").c_str());
  };
  EXPECT_EQ(outcome("bench gemm"), 2 << 8);
  EXPECT_NE(slurp(folder.file("out")).find(folder.file("lacuna-bench")), std::string::npos);
  EXPECT_EQ(outcome("completion bash"), 0);
  EXPECT_EQ(outcome("manpage"), 0);
}

TEST(Help, GoesToStdout) {
  for (const std::string command : {"", "run", "check", "plan", "graph", "fmt", "describe", "modules", "new",
                                    "test", "compare", "devices", "bench", "completion", "manpage"}) {
    std::vector<std::string> words = {"--help"};
    if (!command.empty()) {
      words.insert(words.begin(), command);
    }
    const Outcome outcome = runProgram(words);
    EXPECT_EQ(outcome.code, 0) << command;
    EXPECT_EQ(outcome.err, "") << command;
    EXPECT_NE(outcome.out.find("Usage: lacuna"), std::string::npos) << outcome.out;
  }
  EXPECT_EQ(runProgram({"--version"}).code, 0);
  EXPECT_EQ(runProgram({"help"}).out, runProgram({"--help"}).out);
  EXPECT_EQ(runProgram({"help", "run"}).out, runProgram({"run", "--help"}).out);
}

TEST(Arguments, HelpPrintsGuides) {
  const auto expect = [](const std::string& topic, const std::string& begin, const std::string& text) {
    const Outcome outcome = runProgram({"help", topic});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_TRUE(outcome.out.starts_with(begin)) << topic << ":\n" << outcome.out;
    EXPECT_NE(outcome.out.find(text), std::string::npos) << topic << ":\n" << outcome.out;
  };
  expect("graph-files", "# ", "keyframe:");
  expect("frames", "## ", "--missing skip");
  expect("colour", "## ", "profile");
  expect("motion-vectors", "# ", "motion_scale");
  expect("scenes", "# ", "material");
  expect("schedules", "# ", "rows4");
  expect("writing-modules", "# ", "module.toml");
  expect("glossary", "# ", "halo");
  EXPECT_EQ(runProgram({"help", "frames"}).out.find("## Comparing"), std::string::npos);
  EXPECT_EQ(runProgram({"help", "graph-file"}).out, runProgram({"help", "graph-files"}).out);
  EXPECT_EQ(runProgram({"help", "motion"}).out, runProgram({"help", "motion-vectors"}).out);
  expectUsageError({"help", "resume"},
                   "there is no topic 'resume', but these mention it: `lacuna help frames`");
  expectUsageError({"help", "qqqqq"}, "unknown topic 'qqqqq'; known are denoise, ");
}

}  // namespace
}  // namespace lacuna::test
