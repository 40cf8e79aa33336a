#ifndef LACUNA_VULKAN_C_H
#define LACUNA_VULKAN_C_H
/* vulkan.h for C, and for what binds C: graphs that are compiled for a renderer's device. runtime.h has all
   but graphs, which it takes from bundles.

     lacuna_device* device = lacuna_open_device(&mine);
     lacuna_pipeline* pipeline = lacuna_open_pipeline(device, &graph);
     if (pipeline == NULL || lacuna_record(pipeline, commands, &frame) != 0)
       fprintf(stderr, "%s\n", lacuna_last_error());
     ...
     lacuna_close_pipeline(pipeline);
     lacuna_close_device(device); */

#include "runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of sinks only `name` and `image` count. */
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

/* The extensions and features that a device for the graph needs or could use, a line each: "needs extension
   VK_KHR_synchronization2", "could use feature shaderFloat16". NULL if it failed. Valid until this thread's
   next call. `on`: before its device is made. */
const char* lacuna_needs(const lacuna_vulkan* on, const lacuna_graph* graph);

lacuna_pipeline* lacuna_open_pipeline(lacuna_device* device,
                                      const lacuna_graph* graph); /* NULL if it failed */

#ifdef __cplusplus
}
#endif

#endif
