#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "graph/config/config.h"
#include "graph/config/lexer.h"
#include "graph/config/text.h"
#include "graph/files/standard_streams.h"
#include "graph/lists.h"
#include "graph/values/image_type.h"
#include "lacuna/vulkan.h"
#include "tools/lacuna/command_line.h"
#include "tools/shell/command_options.h"
#include "tools/shell/command_words.h"
#include "tools/shell/files.h"
#include "tools/shell/graph_arguments.h"
#include "tools/shell/messages.h"

namespace lacuna {
namespace {

// As in vulkan.h, which says what each is for.
const WordList<VkFormat> exportedFormats = {{"R16G16B16A16_SFLOAT", VK_FORMAT_R16G16B16A16_SFLOAT},
                                            {"R32G32B32A32_SFLOAT", VK_FORMAT_R32G32B32A32_SFLOAT},
                                            {"R16_SFLOAT", VK_FORMAT_R16_SFLOAT},
                                            {"R32_SFLOAT", VK_FORMAT_R32_SFLOAT},
                                            {"R16G16_SFLOAT", VK_FORMAT_R16G16_SFLOAT},
                                            {"R32G32_SFLOAT", VK_FORMAT_R32G32_SFLOAT},
                                            {"R8G8B8A8_UNORM", VK_FORMAT_R8G8B8A8_UNORM},
                                            {"R16G16B16A16_UNORM", VK_FORMAT_R16G16B16A16_UNORM},
                                            {"B8G8R8A8_UNORM", VK_FORMAT_B8G8R8A8_UNORM},
                                            {"A2B10G10R10_UNORM_PACK32", VK_FORMAT_A2B10G10R10_UNORM_PACK32},
                                            {"B10G11R11_UFLOAT_PACK32", VK_FORMAT_B10G11R11_UFLOAT_PACK32},
                                            {"D32_SFLOAT", VK_FORMAT_D32_SFLOAT}};

struct ExportedWord {
  std::string name;         // "i-memory:noisy"
  std::vector<Word> words;  // behind '=', between colons
};

// nullopt: a mistake was printed.
std::optional<ExportedWord> wordAtEquals(const std::string& option, const std::string& word,
                                         const std::string& expected) {
  const auto [name, value] = splitAtEquals(word);
  if (name.empty() || value.empty()) {
    printError(fmt::format("{} {}: expected {}", option, word, expected));
    return std::nullopt;
  }
  return ExportedWord{name, splitWords(value, {})};
}

template <class Enum>
std::optional<Enum> known(const WordList<Enum>& words, const std::string& word, const std::string& of) {
  const std::optional<Enum> found = findWord(words, word);
  if (!found)
    printError(fmt::format("{}: unknown word '{}'; {}", of, word, suggest(word, namesOf(words))));
  return found;
}

using SourceImages = std::map<std::string, ImageType>;

bool readSource(const std::string& option, SourceImages& images) {
  const auto word = wordAtEquals("--source", option, "i-memory:NAME=CHANNELS:FORMAT, or with :COLOUR behind");
  if (!word)
    return false;
  const std::string of = "--source " + option;
  if (word->words.size() < 2 || word->words.size() > 3) {
    printError(fmt::format("{}: expected two or three words behind '=', such as rgba:f16:rec709", of));
    return false;
  }
  const auto channels = known(channelWords(), word->words[0].text, of);
  const auto format = known(formatWords(), word->words[1].text, of);
  if (!channels || !format)
    return false;
  const bool isColour = *channels == Channels::rgb || *channels == Channels::rgba;
  const auto colour = word->words.size() == 3 ? known(colourWords(), word->words[2].text, of)
                                              : std::optional(isColour ? ColourTag::rec709 : ColourTag::data);
  if (!colour)
    return false;
  if (*format == Format::u32) {
    printError(
        fmt::format("{}: u32 is for words between a module's own nodes; expected u8, u16, f16 or f32", of));
    return false;
  }
  images[word->name] = {
      .channels = *channels, .format = static_cast<PixelFormat>(*format), .colour = *colour};
  return true;
}

bool readImage(const std::string& option, std::map<std::string, VkFormat>& formats) {
  const auto word = wordAtEquals("--image", option, "i-memory:NAME=FORMAT or o-memory:NAME=FORMAT");
  const auto format = word ? known(exportedFormats, word->words.front().text, "--image " + option)
                           : std::optional<VkFormat>();
  if (format)
    formats[word->name] = *format;
  return format.has_value();
}

// Those that --source doesn't name have the type that lacuna.h has as its default.
void addOtherSources(const GraphArguments& graph, SourceImages& images) {
  Diagnostics unused;
  const Config config = graph.text.empty()
                            ? parseConfigFile(graph.graph, unused, graph.includeRoots)
                            : parseConfigText(graph.text, graph.graph, unused, graph.includeRoots);
  for (const ModuleLine& module : config.modules)
    if (module.owner.module.text == "i-memory")
      images.try_emplace(module.owner.name());
}

// The graph for a size; mistakes are printed.
std::shared_ptr<door::GraphState> loadFor(const ExportArguments& arguments, const SourceImages& images,
                                          const Extent& size) {
  GraphOptions options{.frames = Frames::none()};
  for (auto [name, type] : images) {
    type.width = static_cast<int>(size.width);
    type.height = static_cast<int>(size.height);
    options.images[name] = type;
  }
  std::shared_ptr<door::GraphState> state = loadState(arguments.graph, arguments.graph.graph, options);
  printDiagnostics(state->loaded.diagnostics);
  return state;
}

}  // namespace

void describeExport(CLI::App& command, Arguments& a) {
  addGraph(command, a.exported.graph.graph);
  addFile(command, "-o,--output", a.exported.output, "file to write")->required();
  addList(command, "--size", a.exported.sizes,
          "size of the sources' images; several: frames may have any of them")
      ->type_name("WIDTHxHEIGHT")
      ->required()
      ->check(CLI::Validator(
          [](const std::string& size) {
            return parseSize(size) ? "" : "expected a width and a height, as 1920x1080, not " + size;
          },
          ""));
  addList(command, "--source", a.exported.sources,
          "type of a source's image: i-memory:NAME=CHANNELS:FORMAT, or with :COLOUR behind, as depth:f32 "
          "(default: rgba:f16:rec709; may repeat)")
      ->type_name("NAME=TYPE");
  addList(command, "--image", a.exported.images,
          "a source or sink is no buffer but an image of one of Vulkan's formats: "
          "i-memory:NAME=R16G16B16A16_SFLOAT (may repeat)")
      ->type_name("NAME=FORMAT");
  addGraphSettings(command, a.exported.graph);
  command.get_option("--device")
      ->description("schedules are for this device, as of other commands, or for one that needn't be here: " +
                    joined(deviceModels(), ", ") + " (default: any GPU)");
}

int runExport(ExportArguments arguments) {
  if (arguments.graph.graph == "-") {
    const FileText read = readStandardInput();
    if (!read.error.empty()) {
      printError("standard input: " + read.error);
      return exitUsage;
    }
    arguments.graph.graph = "standard input";
    arguments.graph.text = read.text;
  }
  SourceImages images;
  ExportOptions options;
  options.pipeline = arguments.graph.pipeline;
  bool isRight = arguments.output != standardStream;
  if (!isRight)
    printError("--output -: a renderer opens the bundle; expected the name of a file");
  for (const std::string& source : arguments.sources)
    isRight = readSource(source, images) && isRight;
  for (const std::string& image : arguments.images)
    isRight = readImage(image, options.formats) && isRight;
  if (!isRight)
    return exitUsage;
  addOtherSources(arguments.graph, images);
  std::vector<Graph> graphs;
  for (const std::string& size : arguments.sizes) {
    const std::shared_ptr<door::GraphState> state = loadFor(arguments, images, *parseSize(size));
    if (state->loaded.diagnostics.hasErrors())
      return exitUsage;
    graphs.push_back(door::openGraph(state));
  }
  std::unique_ptr<Device> device;
  const std::string& name = arguments.graph.device;
  if (contains(deviceModels(), name)) {
    options.model = name;
  } else if (!name.empty()) {
    device = std::make_unique<Device>(DeviceOptions{.select = name});
    options.device = device.get();
  }
  for (const std::string& why : exportBundle(arguments.output, graphs, options))
    printWarning(why);
  return exitOk;
}

}  // namespace lacuna
