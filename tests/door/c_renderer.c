#include "tests/door/c_renderer.h"

#include <string.h>

const char* openInC(struct c_renderer* to, const lacuna_vulkan* given, const char* text, const char* modules,
                    int width, int height) {
  lacuna_end source = {"i-memory:in", VK_FORMAT_UNDEFINED, lacuna_rgba, lacuna_f32, lacuna_rec709, 0, 0};
  lacuna_graph graph;
  source.width = width;
  source.height = height;
  memset(&graph, 0, sizeof graph);
  graph.size = sizeof graph;
  graph.text = text;
  graph.sources = &source;
  graph.source_count = 1;
  graph.module_folders = &modules;
  graph.module_folder_count = 1;
  to->pipeline = NULL;
  to->device = lacuna_open_device(given);
  if (to->device != NULL)
    to->pipeline = lacuna_open_pipeline(to->device, &graph);
  return to->pipeline == NULL ? lacuna_last_error() : NULL;
}

const char* recordInC(const struct c_renderer* with, VkCommandBuffer commands, VkBuffer from, VkBuffer to,
                      int width, int height, int sinkHeight) {
  lacuna_memory memory[2];
  lacuna_frame frame;
  const char* parameter = "exposure:01:stops=1";
  memset(memory, 0, sizeof memory);
  memory[0].name = "i-memory:in";
  memory[0].buffer = from;
  memory[1].name = "o-memory:out";
  memory[1].buffer = to;
  memory[0].width = memory[1].width = width;
  memory[0].height = height;
  memory[1].height = sinkHeight;
  memset(&frame, 0, sizeof frame);
  frame.size = sizeof frame;
  frame.memory = memory;
  frame.memory_count = 2;
  frame.parameters = &parameter;
  frame.parameter_count = 1;
  return lacuna_record(with->pipeline, commands, &frame) == 0 ? NULL : lacuna_last_error();
}

void closeInC(struct c_renderer* which) {
  lacuna_close_pipeline(which->pipeline);
  lacuna_close_device(which->device);
}
