// A program that embeds Lacuna: a graph from a string, frames from and to memory. No file is read or written
// except the cache of compiled shaders.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "lacuna/lacuna.h"

constexpr int width = 64, height = 48;
using Pixels = std::vector<float>;  // rgba, row after row

std::vector<Pixels> brighten(lacuna::Device& device, std::vector<Pixels>& frames, const std::string& stops) {
  lacuna::GraphOptions options;
  options.images["i-memory:in"] = {.width = width, .height = height, .format = lacuna::PixelFormat::f32};
  options.parameters = {"exposure:01:stops=" + stops};
  options.frames = "0-" + std::to_string(frames.size() - 1);
  const lacuna::Graph graph = lacuna::Graph::fromText(
      "lacuna:1\n"
      "module:i-memory:in\n"
      "module:exposure:01\n"
      "module:o-memory:out\n"
      "connect:i-memory:in:output:exposure:01:input\n"
      "connect:exposure:01:output:o-memory:out:input\n",
      options);
  for (const lacuna::Message& warning : graph.warnings())
    std::printf("%s", warning.printed.c_str());
  std::vector<Pixels> results(frames.size(), Pixels(frames[0].size()));
  lacuna::RunOptions run;
  run.fill = [&](lacuna::Frame& frame) {  // on worker threads, as take is
    frame.put("i-memory:in", {.pixels = frames[frame.number()].data(), .width = width, .height = height});
  };
  run.take = [&](const lacuna::Frame& frame) {
    frame.get("o-memory:out", {.pixels = results[frame.number()].data(), .width = width, .height = height});
  };
  run.progress = [](const lacuna::RunProgress& now) { std::printf("%d of %d\n", now.done, now.total); };
  lacuna::Pipeline(device, graph).run(run);
  return results;
}

int main() try {
  lacuna::Device device;  // the best one
  std::vector<Pixels> frames(3, Pixels(4 * width * height));
  for (size_t i = 0; i < 3 * frames[0].size(); ++i)
    frames[i % 3][i / 3] = i / 3 % 4 == 3 ? 1.0F : static_cast<float>(i % 101 + 1) / 128.0F;
  try {
    brighten(device, frames, "bright");
    return 1;  // a word where a number is expected
  } catch (const lacuna::Error& error) {
    for (const lacuna::Message& message : error.messages())
      std::printf("as expected: %s\n", message.text.c_str());
  }
  const std::vector<Pixels> results = brighten(device, frames, "1");
  for (size_t i = 0; i < 3 * frames[0].size(); ++i) {
    const float before = frames[i % 3][i / 3], after = results[i % 3][i / 3];
    if (std::abs(after - (i / 3 % 4 == 3 ? before : 2 * before)) > 1e-6F) {
      std::printf("value %zu: from %g to %g\n", i, before, after);
      return 1;
    }
  }
  std::printf("one stop brighter: as expected\n");
} catch (const std::exception& error) {
  std::printf("%s\n", error.what());
  return 1;
}
