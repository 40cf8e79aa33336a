#ifndef LACUNA_RUNTIME_H
#define LACUNA_RUNTIME_H
/* Graphs on a renderer's device, with its memory, in its command buffers, without a compiler: bundles that
   `lacuna export` wrote. liblacuna-runtime has these functions and nothing else; liblacuna has them, too.
   vulkan.h says who waits for what, and which formats images may have.

     lacuna_bundle* bundle = lacuna_open_bundle("svgf.lacuna");
     lacuna_device* device = lacuna_open_device(&mine);     after lacuna_bundle_needs(), with what that lists
     lacuna_pipeline* pipeline = lacuna_bundle_pipeline(bundle, device, 1920, 1080, 0);
     if (pipeline == NULL || lacuna_record(pipeline, commands, &frame) != 0)
       fprintf(stderr, "%s\n", lacuna_last_error());
     ...
     lacuna_close_pipeline(pipeline);
     lacuna_close_device(device);
     lacuna_close_bundle(bundle);

   Structures are zeroed first, and `size` is their sizeof: members may be added at the ends, and 0 or NULL
   means the default. Strings are UTF-8 and, like arrays, read during the call alone. */

#include <vulkan/vulkan_core.h>

#include "graph/module/abi.h" /* the numbers of channels, formats and colours */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lacuna_device lacuna_device;
typedef struct lacuna_pipeline lacuna_pipeline;
typedef struct lacuna_bundle lacuna_bundle;

/* What went wrong in this thread's last call that failed. Valid until the thread's next call. */
const char* lacuna_last_error(void);

/* MemoryRequest of vulkan.h: memory that may hold buffers and images, so that neighbours in one allocation
   keep bufferImageGranularity. */
typedef struct lacuna_request {
  uint64_t bytes, alignment;
  uint32_t type;     /* in VkPhysicalDeviceMemoryProperties::memoryTypes */
  int32_t addresses; /* 1: allocated with VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT */
  int32_t mapped;    /* 1: for the host, too; the type is coherent */
  int32_t brief;     /* 1: freed before the pipeline is made */
} lacuna_request;

/* VulkanMemory of vulkan.h. */
typedef struct lacuna_allocation {
  VkDeviceMemory memory;
  VkDeviceSize offset; /* a multiple of the alignment */
  void* mapped;        /* the address of the offset, as long as the memory is used */
  void* own;           /* the program's */
} lacuna_allocation;

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
  /* NULL: vkAllocateMemory. Called by threads that make, record or close what needs memory. `allocate`: 0, or
     -1 if there isn't as much. */
  int (*allocate)(void* own, const lacuna_request* request, lacuna_allocation* made);
  void (*free)(void* own, const lacuna_allocation* made);
  void* own;
} lacuna_vulkan;

/* A source i-memory or a sink o-memory. */
typedef struct lacuna_end {
  const char* name; /* "i-memory:01" */
  VkFormat image;   /* VK_FORMAT_UNDEFINED: a buffer */
  enum lacuna_channels channels;
  enum lacuna_format format;
  enum lacuna_colour colour;
  int32_t width, height;
} lacuna_end;

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

/* NULL if they fail. Closing takes NULL, too. */
lacuna_device* lacuna_open_device(const lacuna_vulkan* given);
void lacuna_close_device(lacuna_device* device);

/* Reads a bundle; nothing is made on a device. NULL if it is damaged, of another version, or none. */
lacuna_bundle* lacuna_open_bundle(const char* file);
/* Of a file's contents; `name` is for messages. */
lacuna_bundle* lacuna_open_bundle_bytes(const void* bytes, size_t count, const char* name);
void lacuna_close_bundle(lacuna_bundle* bundle); /* at any time, also while pipelines of it run */

/* A graph for sources of one size. */
typedef struct lacuna_bundle_size {
  int32_t width, height; /* of its sources */
  const lacuna_end* sources;
  const lacuna_end* sinks;
  uint32_t source_count, sink_count;
} lacuna_bundle_size;
/* All sizes, as long as the bundle is open. */
const lacuna_bundle_size* lacuna_bundle_sizes(const lacuna_bundle* bundle, uint32_t* count);
/* What a device must be made with for all that the bundle has, a line each: "needs extension
   VK_KHR_cooperative_matrix"; "could use" for what one of its graphs of each size does without. Valid until
   this thread's next call. `api_version`: as in lacuna_vulkan. NULL if it failed. */
const char* lacuna_bundle_needs(const lacuna_bundle* bundle, uint32_t api_version);
/* Bytes of the device's memory that a pipeline for this size takes. Nothing is allocated. 0 if it failed. */
uint64_t lacuna_bundle_memory(const lacuna_bundle* bundle, lacuna_device* device, int32_t width,
                              int32_t height);

/* What such a pipeline with so many frames in flight (0: 2) will ask for, in this order: at most `room` of
   them are written. Their number; 0 if it failed. */
uint32_t lacuna_bundle_requests(const lacuna_bundle* bundle, lacuna_device* device, int32_t width,
                                int32_t height, int32_t in_flight, lacuna_request* requests, uint32_t room);

/* NULL if it failed: also for a size that the bundle was not exported for, which the message lists, and for a
   device that lacks features, which it names. `in_flight`: frames; 0: 2. Frames of another of the bundle's
   sizes build the pipeline again. */
lacuna_pipeline* lacuna_bundle_pipeline(const lacuna_bundle* bundle, lacuna_device* device, int32_t width,
                                        int32_t height, int32_t in_flight);
void lacuna_close_pipeline(lacuna_pipeline* pipeline); /* when its frames have ended */

/* 0, or -1 if it failed; then nothing is added to the commands. */
int lacuna_record(lacuna_pipeline* pipeline, VkCommandBuffer commands, const lacuna_frame* frame);

#ifdef __cplusplus
}
#endif

#endif
