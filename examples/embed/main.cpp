// A program that embeds Lacuna: a graph from a string, images from and to memory, and what is wrong or how
// far it is through callbacks of its own. No file is read or written but the cache of compiled shaders.

#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "graph/load/load.h"
#include "graph/run/memory_value.h"
#include "graph/run/stream.h"
#include "graph/shader/compile.h"

namespace {

constexpr lacuna::Extent extent{64, 48};

struct Callbacks {
  std::function<void(const std::string& message)> error;
  std::function<void(int done, int total)> progress;
};

// Brightens `frames` images. False: something was wrong, and `error` was told what.
bool brighten(const std::string& stops, const std::vector<std::vector<float>>& frames,
              std::vector<std::vector<float>>& results, const Callbacks& callbacks) {
  const std::string text =
      "lacuna:1\n"
      "module:i-memory:in\n"
      "module:exposure:01\n"
      "module:o-memory:out\n"
      "connect:i-memory:in:output:exposure:01:input\n"
      "connect:exposure:01:output:o-memory:out:input\n"
      "param:exposure:01:stops:" +
      stops + "\n";
  lacuna::LoadOptions options;
  options.modulePath = lacuna::moduleSearchPath({});
  options.memory["i-memory:in"] = {lacuna::Channels::rgba, lacuna::Format::f32, lacuna::ColourTag::rec2020,
                                   extent};
  lacuna::LoadedGraph loaded = lacuna::loadGraphText(text, "brighten", options);
  for (const lacuna::Diagnostic& wrong : loaded.diagnostics.sorted()) {
    callbacks.error("line " + std::to_string(wrong.where.line) + ": " + wrong.message);
  }
  if (!loaded.ok()) {
    return false;
  }

  lacuna::vk::Device device({});
  lacuna::CompileOptions layout;
  layout.device = lacuna::vk::modelOf(device.info());
  lacuna::Session session(device, lacuna::compile(std::move(loaded.graph), layout, loaded.diagnostics),
                          options.modulePath, lacuna::ShaderCache::defaultFolder());
  const lacuna::Value* in = lacuna::memoryValue(session.schedule(), "i-memory:in");
  const lacuna::Value* out = lacuna::memoryValue(session.schedule(), "o-memory:out");
  results.resize(frames.size());

  // fill and take run on worker threads, for several frames at once; progress on this one.
  lacuna::StreamOptions stream;
  stream.frames = lacuna::frameRange(0, static_cast<int>(frames.size()) - 1);
  stream.fill = [&](const lacuna::StreamFrame& frame) {
    const auto memory = frame.uploadMemory(in->name);
    std::memcpy(memory.data(), frames[static_cast<size_t>(frame.index())].data(), memory.size());
  };
  stream.take = [&](const lacuna::StreamFrame& frame) {
    const auto memory = frame.downloadMemory(out->name);
    std::vector<float>& result = results[static_cast<size_t>(frame.index())];
    result.resize(memory.size() / sizeof(float));
    std::memcpy(result.data(), memory.data(), memory.size());
  };
  stream.progress = [&](const lacuna::StreamProgress& p) { callbacks.progress(p.done, p.total); };
  lacuna::stream(session, stream);
  return true;
}

}  // namespace

int main() try {
  std::vector<std::vector<float>> frames(3, std::vector<float>(4 * extent.width * extent.height));
  for (size_t i = 0; i < frames[0].size(); ++i) {
    for (size_t frame = 0; frame < frames.size(); ++frame) {
      frames[frame][i] = i % 4 == 3 ? 1.0F : static_cast<float>(i % 101 + frame) / 128.0F;
    }
  }
  int errors = 0;
  int done = 0;
  Callbacks callbacks;
  callbacks.error = [&](const std::string& message) {
    ++errors;
    std::printf("error: %s\n", message.c_str());
  };
  callbacks.progress = [&](int frame, int total) {
    done = frame;
    std::printf("%d of %d\n", frame, total);
  };

  std::vector<std::vector<float>> results;
  if (brighten("bright", frames, results, callbacks) || errors != 1) {
    std::printf("a word was taken for a number\n");
    return 1;
  }
  if (!brighten("1", frames, results, callbacks) || done != 3) {
    return 1;
  }
  for (size_t frame = 0; frame < frames.size(); ++frame) {
    for (size_t i = 0; i < frames[frame].size(); ++i) {
      const float expected = i % 4 == 3 ? 1.0F : 2.0F * frames[frame][i];
      if (std::abs(results[frame][i] - expected) > 1e-6F) {
        std::printf("frame %zu, value %zu: %g, expected %g\n", frame, i, results[frame][i], expected);
        return 1;
      }
    }
  }
  std::printf("one stop brighter: as expected\n");
  return 0;
} catch (const std::exception& error) {
  std::printf("error: %s\n", error.what());
  return 1;
}
