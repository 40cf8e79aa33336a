// Mistakes as data: all at once, each with its place; devices that don't exist.

#include <algorithm>

#include "tests/door/embedder.h"
#include "tests/support/folder.h"
#include "tests/support/graph_text.h"

namespace lacuna::test {
namespace {

TEST(Messages, HaveTheirPlace) {
  GraphOptions options = optionsFor({.width = 4, .height = 4});
  options.parameters = {"exposure:01:stops=bright"};
  const Error error = errorOf([&] {
    Graph::fromText(aroundModule("exposure") + "param:exposure:01:stop:1\nmodule:expsure:02\n", options,
                    "mine");
  });
  EXPECT_EQ(error.kind(), ErrorKind::graph);
  ASSERT_EQ(error.messages().size(), 3U) << error.what();
  const Message& parameter = error.messages()[0];
  EXPECT_EQ(parameter.severity, Severity::error);
  EXPECT_EQ(parameter.file, "mine");
  EXPECT_EQ(parameter.line, 7);
  EXPECT_EQ(parameter.column, 19);
  EXPECT_NE(parameter.text.find("'stop'"), std::string::npos) << parameter.text;
  EXPECT_EQ(parameter.hint, "did you mean 'stops'?");
  EXPECT_EQ(parameter.printed, "mine:7:19: error: " + parameter.text +
                                   "\n"
                                   "  param:exposure:01:stop:1\n"
                                   "                    ^~~~\n"
                                   "  hint: did you mean 'stops'?\n");
  EXPECT_EQ(error.messages()[1].line, 8);
  const Message& option = error.messages()[2];
  EXPECT_EQ(option.file, "-p exposure:01:stops=bright");
  EXPECT_EQ(option.line, 0);
  std::string printed;
  for (const Message& message : error.messages())
    printed += message.printed;
  EXPECT_EQ(error.what() + std::string("\n"), printed);
}

TEST(GraphFrames, MayBeABillion) {
  GraphOptions options = optionsFor({.width = 4, .height = 4});
  options.frames = "0-999999999";
  const Graph all = Graph::fromText(aroundModule("exposure"), options);
  EXPECT_EQ(all.frames().size(), 1'000'000'000U);
  EXPECT_EQ(all.frames().runs().size(), 1U);
  options.frames = all.frames().without({0, 5});
  EXPECT_EQ(Graph::fromText(aroundModule("exposure"), options).frames().first(5), (FrameSet{1, 2, 3, 4, 6}));
}

TEST(Messages, NameWhatTheProgramAskedFor) {
  const auto textOf = [](const GraphOptions& options) {
    const Error error = errorOf([&] { Graph::fromText(aroundModule("exposure"), options); });
    EXPECT_EQ(error.messages().size(), 1U) << error.what();
    return error.messages().front().text;
  };
  const auto expectPart = [](const GraphOptions& options, const std::string& part,
                             const std::string& graph = aroundModule("exposure")) {
    const std::string what = errorOf([&] { Graph::fromText(graphText(graph), options); }).what();
    EXPECT_NE(what.find(part), std::string::npos) << what;
  };
  EXPECT_EQ(textOf(treeModules()), "i-memory:in has no image: a program that embeds Lacuna gives it one");
  GraphOptions options = optionsFor({.width = 4, .height = 4});
  options.images["i-memory:ni"] = {.width = 4, .height = 4};
  expectPart(options,
             "images: 'i-memory:ni' is not a source in memory of the graph\n"
             "  hint: did you mean 'i-memory:in'?");
  options.images = {{"in", {.width = 4, .height = 4}}};
  expectPart(options,
             "images: 'in' is not a source in memory of the graph\n"
             "  hint: did you mean 'i-memory:in'?");
  options = optionsFor({.width = 4, .height = 4});
  options.images["o-memory:out"] = {.width = 4, .height = 4};
  expectPart(options, "images: 'o-memory:out' is not a source");
  const Folder folder;
  options = treeModules();
  options.images["i-file:in"] = {.width = 4, .height = 4};
  expectPart(
      options,
      "images: 'i-file:in' is not a source in memory of the graph\n"
      "  hint: it has no module i-memory",
      "i-file:in o-memory:out\nparam:i-file:in:filename:" + folder.write("in.pgm", "P5\n1 1\n255\n0") + "\n");
  options = optionsFor({.width = 4, .height = 4});
  options.files["in"] = {"a.png"};
  expectPart(options, "files of frames for 'in', which is no module");
  EXPECT_EQ(textOf(optionsFor({.width = 4})), "i-memory:in: an image of 4x0 pixels; expected 1x1 or more");
  options = optionsFor({.width = 4, .height = 4});
  options.frames = "9-1";
  EXPECT_EQ(textOf(options), "--frames 9-1: 1 comes before 9: expected the smaller number first");
  options.frames = {3, -1};
  EXPECT_EQ(textOf(options), "frame -1 is asked for, but the first one is 0");
  options.frames = {-1'000'000'000};
  EXPECT_EQ(textOf(options), "frames: -1000000000; expected numbers from -999999999 on");
  options.frames = {1'000'000'000};
  EXPECT_EQ(textOf(options), "frame 1000000000 is asked for, but the last one possible is 999999999");
  options.frames = "none";
  EXPECT_EQ(textOf(options).substr(0, 24), "--frames none: expected ");
  options.frames = {};
  options.parameters = {"exposure"};
  EXPECT_EQ(textOf(options), "-p exposure: expected module:instance:parameter=value");
  options.parameters = {};
  options.outputs = {"a.png"};
  EXPECT_NE(textOf(options).find("-o a.png"), std::string::npos) << textOf(options);
}

TEST(Messages, NameTheirOwnOptions) {
  const Folder folder;
  const std::string file = folder.write("a.png", "an input");
  const std::string text =
      "i-png o-png\nparam:i-png:01:filename:\"" + file + "\"\nparam:o-png:01:filename:\"" + file + "\"\n";
  const std::vector<Message> messages = checkText(graphText(text), treeModules());
  const auto isOfIt = [](const Message& message) {
    return message.text.find("would overwrite") != std::string::npos;
  };
  const auto found = std::find_if(messages.begin(), messages.end(), isOfIt);
  ASSERT_NE(found, messages.end());
  EXPECT_EQ(found->hint, "write to another file; GraphOptions::overwriteInput allows to replace inputs");
}

TEST(Messages, TellOfFilesThatAreNotThere) {
  const Error error = errorOf([] { Graph::fromFile("/nowhere/graph.cfg", treeModules()); });
  EXPECT_EQ(error.kind(), ErrorKind::graph);
  EXPECT_NE(std::string(error.what()).find("/nowhere/graph.cfg"), std::string::npos) << error.what();
}

TEST(Messages, WarnOfWhatMayRun) {
  const Graph graph =
      Graph::fromText(aroundModule("exposure") + "warmup:3\n", optionsFor({.width = 4, .height = 4}));
  ASSERT_EQ(graph.warnings().size(), 1U);
  EXPECT_EQ(graph.warnings().front().severity, Severity::warning);
  EXPECT_EQ(graph.warnings().front().line, 7);
}

TEST(Check, FindsMistakesInShaders) {
  const Folder folder;
  std::filesystem::create_directory(folder.file("dim"));
  folder.write("dim/module.toml",
               "name = \"dim\"\nsummary = \"halves\"\npapers = []\n"
               "[[connector]]\nname = \"input\"\ndirection = \"input\"\nchannels = [\"rgba\"]\ndoc = \"a\"\n"
               "[[connector]]\nname = \"output\"\ndirection = \"output\"\ndoc = \"b\"\n"
               "[[node]]\nname = \"main\"\nkind = \"pointwise\"\nshader = \"dim.glsl\"\n"
               "inputs = [{ name = \"input\", source = \"input\" }]\n"
               "outputs = [{ name = \"output\", connector = \"output\" }]\n");
  folder.write("dim/dim.glsl",
               "void apply(Inputs i, inout Outputs o, Pixel p) {\n  o.output = i.input * haf;\n}\n");
  GraphOptions options = optionsFor({.width = 4, .height = 4});
  options.modules.insert(options.modules.begin(), folder.file(""));
  const std::vector<Message> messages = checkText(aroundModule("dim"), options);
  ASSERT_EQ(messages.size(), 1U);
  EXPECT_NE(messages.front().file.find("dim.glsl"), std::string::npos) << messages.front().file;
  EXPECT_EQ(messages.front().line, 2);
  const Error error =
      errorOf([&] { Pipeline(sharedDevice(), Graph::fromText(aroundModule("dim"), options)); });
  EXPECT_EQ(error.kind(), ErrorKind::graph);
  EXPECT_EQ(error.messages().front().line, 2);
  EXPECT_TRUE(checkText(aroundModule("exposure"), optionsFor({.width = 4, .height = 4})).empty());
}

TEST(Devices, AreListedAndChosen) {
  const std::vector<DeviceDescription> all = devices();
  ASSERT_FALSE(all.empty());
  const auto usable = std::find_if(all.begin(), all.end(), [](const auto& d) { return d.unusable.empty(); });
  ASSERT_NE(usable, all.end());
  DeviceOptions options;
  options.select = usable->uuid;
  const Device device(options);
  EXPECT_EQ(device.description().name, usable->name);
  EXPECT_GT(device.description().memoryBytes, 0U);
  EXPECT_GE(device.description().imageSide, 4096);
  options.select = "no such device";
  const Error error = errorOf([&] { Device{options}; });
  EXPECT_EQ(error.kind(), ErrorKind::noDevice);
  EXPECT_NE(std::string(error.what()).find("no such device"), std::string::npos) << error.what();
}

TEST(Version, IsThatOfTheHeader) {
  EXPECT_EQ(version(), std::to_string(LACUNA_VERSION_MAJOR) + "." + std::to_string(LACUNA_VERSION_MINOR) +
                           "." + std::to_string(LACUNA_VERSION_PATCH));
}

}  // namespace
}  // namespace lacuna::test
