#pragma once
// A frame that a program records. Installed: lacuna/vulkan.h includes it.

#include <map>
#include <string>
#include <vector>

#include "graph/vk/given.h"

namespace lacuna {

struct RecordedFrame {
  int number = 0;
  // Whether history begins again: after a cut of the camera. It does so by itself where Pipeline::run()
  // would.
  bool cuts = false;
  // Every source of Pipeline::sources() and every sink.
  std::map<std::string, VulkanImage> sources = {}, sinks = {};
  // "svgf:01:sigma_luminance=4": values of parameters that shaders read, from this frame on.
  std::vector<std::string> parameters = {};
};

}  // namespace lacuna
