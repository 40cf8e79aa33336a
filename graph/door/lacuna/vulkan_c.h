#ifndef LACUNA_VULKAN_C_H
#define LACUNA_VULKAN_C_H
/* vulkan.h for C, and for what binds C: a renderer's device, its memory, its command buffers. vulkan.h says
   who waits for what, and which formats images may have.

     lacuna_device* device = lacuna_open_device(&mine);
     lacuna_pipeline* pipeline = lacuna_open_pipeline(device, &graph);
     if (pipeline == NULL || lacuna_record(pipeline, commands, &frame) != 0)
       fprintf(stderr, "%s\n", lacuna_last_error());
     ...
     lacuna_close_pipeline(pipeline);
     lacuna_close_device(device);

   Structures are zeroed first, and `size` is their sizeof: members may be added at the ends, and 0 or NULL
   means the default. Strings are UTF-8 and, like arrays, read during the call alone. */

#include <vulkan/vulkan_core.h>

#include "graph/module/abi.h" /* the numbers of channels, formats and colours */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lacuna_device lacuna_device;
typedef struct lacuna_pipeline lacuna_pipeline;

/* What went wrong in this thread's last call that failed. Valid until the thread's next call. */
const char* lacuna_last_error(void);

/* VulkanDevice of vulkan.h. */
typedef struct lacuna_vulkan {
  size_t size;
  VkInstance instance;
  VkPhysicalDevice physical_device;
  VkDevice device;
  PFN_vkGetInstanceProcAddr get_instance_proc_addr;
  const VkPhysicalDeviceFeatures2* features; /* with those in its pNext chain */
  const char* const* extensions;
  uint32_t extension_count;
  uint32_t queue_family, queue;
  uint32_t api_version;     /* 0: Vulkan 1.2 */
  const char* cache_folder; /* NULL: $LACUNA_CACHE, or ~/.cache/lacuna; "": none */
} lacuna_vulkan;

/* A source i-memory or a sink o-memory. For sinks only `name` and `image` count. */
typedef struct lacuna_end {
  const char* name; /* "i-memory:01" */
  VkFormat image;   /* VK_FORMAT_UNDEFINED: a buffer */
  enum lacuna_channels channels;
  enum lacuna_format format;
  enum lacuna_colour colour;
  int32_t width, height;
} lacuna_end;

typedef struct lacuna_graph {
  size_t size;
  const char* file;
  const char* text; /* in place of a file */
  const lacuna_end* sources;
  const lacuna_end* sinks;
  const char* const* parameters;     /* "svgf:01:levels=4" */
  const char* const* module_folders; /* before the usual ones */
  uint32_t source_count, sink_count, parameter_count, module_folder_count;
  int32_t in_flight; /* frames; 0: 2 */
} lacuna_graph;

/* VulkanImage of vulkan.h, of the source or sink `name`. */
typedef struct lacuna_memory {
  const char* name;
  VkBuffer buffer;
  VkDeviceSize offset;
  VkImage image;
  VkImageView view;
  VkImageLayout layout; /* of images; VK_IMAGE_LAYOUT_UNDEFINED: GENERAL */
  int32_t width, height;
} lacuna_memory;

typedef struct lacuna_frame {
  size_t size;
  int32_t number;
  int32_t cuts;                  /* 1: history begins again */
  const lacuna_memory* memory;   /* of all sources and sinks */
  const char* const* parameters; /* new values, from this frame on */
  uint32_t memory_count, parameter_count;
} lacuna_frame;

/* The extensions and features that a device for the graph needs or could use, a line each: "needs extension
   VK_KHR_synchronization2", "could use feature shaderFloat16". NULL if it failed. Valid until this thread's
   next call. `on`: before its device is made. */
const char* lacuna_needs(const lacuna_vulkan* on, const lacuna_graph* graph);

/* NULL if they fail. Closing takes NULL, too. */
lacuna_device* lacuna_open_device(const lacuna_vulkan* given);
void lacuna_close_device(lacuna_device* device);
lacuna_pipeline* lacuna_open_pipeline(lacuna_device* device, const lacuna_graph* graph);
void lacuna_close_pipeline(lacuna_pipeline* pipeline); /* when its frames have ended */

/* 0, or -1 if it failed; then nothing is added to the commands. */
int lacuna_record(lacuna_pipeline* pipeline, VkCommandBuffer commands, const lacuna_frame* frame);

#ifdef __cplusplus
}
#endif

#endif
