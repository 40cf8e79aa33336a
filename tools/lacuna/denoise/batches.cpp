#include "tools/lacuna/denoise/batches.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "graph/files/standard_streams.h"
#include "modules/codecs/codec.h"
#include "modules/codecs/kept.h"
#include "tools/shell/graph_arguments.h"

namespace lacuna {
namespace {

bool isAlone(const DenoiseJob& job) {
  return job.input.isSequence() || job.input.info.isMosaic || job.input.file == standardStream ||
         job.output == standardStream || !job.histogram.empty() || !job.input.others.empty() ||
         !job.input.guides.empty();
}

// What a graph's nodes depend on: the graph, and the files' types and curves. Throws FileError.
std::string likenessOf(const DenoiseJob& job) {
  DenoiseJob unnamed = job;
  unnamed.input.file = "in";
  unnamed.output = "out" + io::extensionOf(job.output);
  const ImageInfo& info = job.input.info;
  std::string text = fmt::format("{}\n{} {}x{} {} {} {}\n", graphText(unnamed), info.codec, info.extent.width,
                                 info.extent.height, info.pixels, info.bits, info.colour);
  ReadOptions asFile;
  asFile.own = true;
  if (const auto own = io::ownColour({job.input.file, "output", asFile}))
    text += fmt::format("gamma {}\n", own->gamma);
  for (const ImageInfo::Channel& channel : info.channels)
    text += fmt::format("{} {}\n", channel.name, channel.type);
  return text;
}

// What such modules have made.
std::string byOrigin(const LoadedGraph& loaded) {
  std::string text;
  for (const NodeByOrigin& node : loaded.graph.byOrigin)
    text += node.made;
  return text;
}

}  // namespace

std::vector<std::vector<size_t>> batchesOf(const std::vector<DenoiseJob>& jobs,
                                           const std::function<LoadedGraph(const DenoiseJob&)>& load) {
  std::map<std::string, std::string> first;  // of those that are alike, by what the first one's file makes
  std::vector<std::vector<size_t>> batches;
  std::map<std::string, size_t> known;
  for (size_t i = 0; i < jobs.size(); ++i) {
    size_t batch = batches.size();
    try {
      if (jobs.size() > 1 && !isAlone(jobs[i])) {
        std::string likeness = likenessOf(jobs[i]);
        const auto [made, isNew] = first.try_emplace(likeness);
        if (isNew)
          made->second = byOrigin(load(jobs[i]));
        // Graphs without such modules needn't be loaded again.
        likeness += isNew || made->second.empty() ? made->second : byOrigin(load(jobs[i]));
        batch = known.emplace(likeness, batch).first->second;
      }
    } catch (const FileError&) {
      // A file that can't be read is reported later, where it is denoised.
    }
    batches.resize(std::max(batches.size(), batch + 1));
    batches[batch].push_back(i);
  }
  return batches;
}

}  // namespace lacuna
