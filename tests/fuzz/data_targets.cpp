// Files of caches, weights of networks, bundles, and libraries before they are loaded.

#include <filesystem>

#include "cnn-unet/network/network.h"
#include "graph/frame/stages.h"
#include "graph/module/native_file.h"
#include "graph/record/bundle.h"
#include "graph/run/tune/tuning.h"
#include "graph/shader/cache_file.h"
#include "tests/fuzz/target.h"

namespace lacuna::fuzz {
namespace {

namespace fs = std::filesystem;

// Shaders, pipelines and measured schedules are stored in files like this one.
void runCache(std::string_view input) {
  const CacheFile file(scratchFolder(), "kind", "key");
  static const std::string path = [&] {
    file.write(std::as_bytes(std::span("content")));
    return "kind/" + fs::directory_iterator(scratchFolder() + "/kind")->path().filename().string();
  }();
  scratchFile(path, input);
  const auto found = file.read();
  expect(!found || !found->empty(), "what is kept is not empty");
  file.write(std::as_bytes(std::span(input)));
  const auto back = file.read();
  const auto bytes = std::as_bytes(std::span(input));
  expect(input.empty() || (back && std::equal(back->begin(), back->end(), bytes.begin(), bytes.end())),
         "what is written is read");
}

void runTuning(std::string_view input) {
  try {
    const TunedDevice tuned = parseTuned(input);
    for (const Tuned& filter : tuned.filters)
      expect(filter.pixels > 0 && !filter.measured.empty(), "what is kept can be used");
    expect(print(parseTuned(print(tuned))) == print(tuned), "what is written is read");
  } catch (const TunedMistake& mistake) {
    expect(*mistake.what() != '\0', "mistakes are named");
  }
}

void runNetwork(std::string_view input, const char* name) {
  const std::string path = scratchFile(name, input);
  const auto mistake = [&](auto read) -> std::string {
    try {
      read(path);
      return {};
    } catch (const unet::FileError& error) {
      const std::string text = error.what();
      expect(text.find(path) != std::string::npos, "mistakes name their file: " + text);
      return text;
    }
  };
  const std::string ofAll = mistake([](const std::string&file) { unet::readNetwork(file); }),
                    ofHeader = mistake([](const std::string&file) { unet::readDescription(file); });
  expect(ofHeader.empty() || !ofAll.empty(), "the header of a file that is right is right");
}

void runWeights(std::string_view input) {
  runNetwork(input, "rgb.safetensors");
}

void runArchive(std::string_view input) {
  runNetwork(input, "rt_hdr_alb_nrm.tza");
}

void runLibrary(std::string_view input) {
  cutOff(scratchFile("module.so", input));
}

// With the right length and checksum, since others aren't read any further.
void runBundle(std::string_view input) {
  std::string text(input);
  renewHead(text);
  try {
    Bundle bundle = parseBundle(text, "graph.lacuna");
    for (const BundledGraph& graph : bundle.graphs)
      place(graph.passes);
    const std::string written = bundleText(std::move(bundle));
    expect(bundleText(parseBundle(written, "graph.lacuna")) == written, "what is written is read");
  } catch (const BundleError& error) {
    expect(std::string(error.what()).find("graph.lacuna: ") == 0, "mistakes name their file");
  }
}

constexpr Target files[] = {{"cache", runCache},     {"tuning", runTuning},   {"weights", runWeights},
                            {"archive", runArchive}, {"library", runLibrary}, {"bundle", runBundle}};

}  // namespace

const std::span<const Target> dataTargets = files;

}  // namespace lacuna::fuzz
