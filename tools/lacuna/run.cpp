#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "graph/run/files.h"
#include "graph/shader/compile.h"
#include "tools/lacuna/graph_arguments.h"

namespace lacuna {
namespace {

struct FrameRange {
  int first = 0;
  int last = 0;
};

std::optional<FrameRange> frameRange(const std::string& text, int frames) {
  if (text.empty()) {
    return FrameRange{0, frames - 1};
  }
  FrameRange range;
  int used = 0;
  const bool two = std::sscanf(text.c_str(), "%9d-%9d%n", &range.first, &range.last, &used) == 2;
  if (!two && std::sscanf(text.c_str(), "%9d%n", &range.first, &used) == 1) {
    range.last = range.first;
  }
  if (static_cast<size_t>(used) != text.size() || range.first < 0 || range.last < range.first) {
    fmt::print(stderr, "lacuna: --frames {}: expected A-B or A, with 0 <= A <= B\n", text);
    return std::nullopt;
  }
  return range;
}

void printTimings(const Schedule& schedule, const vk::Timings& timings) {
  double total = 0.0;
  fmt::print("{:<40} {:>10} {:>10} {:>10} {:>9}\n", "pass", "ms", "MB read", "MB written", "GB/s");
  for (size_t p = 0; p < schedule.passes.size(); ++p) {
    const Pass& pass = schedule.passes[p];
    const double ms = timings.passMs[p];
    const double bytes = static_cast<double>(pass.bytesRead + pass.bytesWritten);
    fmt::print("{:<40} {:>10.4f} {:>10.2f} {:>10.2f} {:>9.1f}\n", pass.name, ms,
               static_cast<double>(pass.bytesRead) * 1e-6, static_cast<double>(pass.bytesWritten) * 1e-6,
               ms > 0.0 ? bytes * 1e-6 / ms : 0.0);
    total += ms;
  }
  fmt::print("{:<40} {:>10.4f}\n", "all", total);
}

int runFrames(const RunArguments& arguments, vk::Device& device, Session& session, FrameRange range) {
  for (int frame = range.first; frame <= range.last; ++frame) {
    if (arguments.time) {
      session.upload(frame);
      const vk::Timings timings = session.time(frame, true);
      session.writeSinks(frame);
      printTimings(session.schedule(), timings);
    } else {
      session.run(frame);
    }
    if (const auto messages = device.validationMessages(); !messages.empty()) {
      for (const std::string& message : messages) {
        fmt::print(stderr, "lacuna: validation: {}\n", message);
      }
      return exitFailed;
    }
    if (!arguments.quiet && range.last > range.first) {
      fmt::print(stderr, "frame {} of {}-{}\n", frame, range.first, range.last);
    }
  }
  return exitOk;
}

}  // namespace

int runGraph(const RunArguments& arguments) {
  LoadedGraph loaded = loadFor(arguments.graph, arguments.graph.graph);
  if (!loaded.ok()) {
    return exitUsage;
  }
  const auto range = frameRange(arguments.frames, loaded.graph.modules.frames);
  if (!range) {
    return exitUsage;
  }
  // --frames may ask for more than the graph says, and then every sink must number its files.
  ModuleGraph asked = loaded.graph.modules;
  asked.frames = range->last - range->first + 1;
  checkSinks(asked, loaded.diagnostics);
  if (!loaded.ok()) {
    fmt::print(stderr, "{}", loaded.diagnostics.render());
    return exitUsage;
  }
  vk::DeviceOptions options;
  options.select = arguments.graph.device;
  options.validate = arguments.graph.validate;
  vk::Device device(options);
  const auto schedule = scheduleFor(arguments.graph, modelOf(device.info()), std::move(loaded));
  if (!schedule) {
    return exitUsage;
  }
  try {
    Session session(device, *schedule, moduleSearchPath(arguments.graph.modules),
                    ShaderCache::defaultFolder());
    return runFrames(arguments, device, session, *range);
  } catch (const vk::DeviceError& error) {
    // The device is there; this graph was too much for it.
    fmt::print(stderr, "lacuna: {}\n", error.what());
    return exitFailed;
  }
}

}  // namespace lacuna
