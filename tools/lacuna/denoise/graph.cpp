#include "tools/lacuna/denoise/graph.h"

#include <fmt/format.h>

#include <filesystem>

#include "graph/config/text.h"
#include "graph/files/standard_streams.h"

namespace lacuna {
namespace {

namespace fs = std::filesystem;

std::string sourceName(const DenoiseInput& input, const std::string& folder) {
  std::string pattern = input.isSequence() ? input.file : withPercentSigns(input.file);
  if (pattern == standardStream || fs::path(pattern).is_absolute())
    return pattern;
  const fs::path absolute = fs::absolute(pattern);
  return folder.empty() ? absolute.string() : absolute.lexically_proximate(fs::absolute(folder)).string();
}

std::string motionLines(const DenoiseJob& job) {
  if (!job.motion || job.motion->asUsed)
    return {};
  return fmt::format(
      "param:i-file:in:motion:{} # measured: {:.0f}% of what moves is elsewhere with it, {:.0f}% by the "
      "channels' names\nparam:i-file:in:motion_scale:{}:{}\n",
      nameOf(job.motion->convention), 100 * job.motion->mismatch, 100 * job.motion->mismatchAsUsed,
      job.motion->scale[0], job.motion->scale[1]);
}

}  // namespace

Planes planesOf(const DenoiseInput& input) {
  Planes planes;
  planes.sceneLinear = input.info.codec == "exr" || input.info.codec == "pfm";
  planes.albedo = input.info.has("albedo");
  planes.normal = input.info.has("normal");
  planes.depth = input.info.has("depth");
  planes.motion = input.info.has("motion");
  planes.sequence = input.isSequence();
  planes.deep = input.info.bits > 8;
  return planes;
}

std::string graphText(const DenoiseJob& job, const std::string& folder) {
  const MethodLines method = methodLines(job.method, planesOf(job.input), job.strength);
  return fmt::format(
      "# Made by `lacuna denoise`, strength {}. `lacuna describe MODULE` lists a module's parameters.\n"
      "lacuna:1\n\n"
      "module:i-file:in\n"
      "param:i-file:in:filename:{}\n{}\n"
      "{}\n"
      "module:o-file:out\n"
      "param:o-file:out:filename:{}\n"
      "connect:{}:o-file:out:input\n",
      job.strength, quote(sourceName(job.input, folder)), motionLines(job), method.text, quote(job.output),
      method.output);
}

}  // namespace lacuna
