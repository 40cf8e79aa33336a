#pragma once
/* A renderer's calls in C. */

#include "lacuna/vulkan_c.h"

#ifdef __cplusplus
extern "C" {
#endif

struct c_renderer {
  lacuna_device* device;
  lacuna_pipeline* pipeline;
};
/* A graph between two buffers of rgba f32; frame 0. Both return NULL, or what failed. */
const char* openInC(struct c_renderer* to, const lacuna_vulkan* given, const char* text, const char* modules,
                    int width, int height);
const char* recordInC(const struct c_renderer* with, VkCommandBuffer commands, VkBuffer from, VkBuffer to,
                      int width, int height, int sinkHeight);
void closeInC(struct c_renderer* which);

#ifdef __cplusplus
}
#endif
