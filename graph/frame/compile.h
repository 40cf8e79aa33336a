#pragma once
// The way of a graph through the stages, each a pure function from one type to the next:
//
//   text -> Config             parseConfigFile     config/config.h
//        -> ModuleGraph        buildModuleGraph    nodes/module_graph.h: names looked up, values typed
//        -> NodeGraph          buildNodeGraph      nodes/node_graph.h: modules become nodes. loadGraphFile
//        (load/load.h) takes these
//                                                  three, and is the one part that touches files and native
//                                                  code
//        -> filters            cull, fuse          nodes/: what sinks need, pointwise nodes joined with their
//        neighbours
//        -> Plan               select              schedule/select.h: from candidates, a DeviceModel and
//        Knowledge
//        -> FramePasses        layout              frame/layout.h: passes over resources
//        -> OrderedPasses      order               frame/order.h
//        -> Schedule           place               frame/place.h: arena and barriers, with the device's
//        MemoryNeeds
//        -> shaders            generateShaders     shader/generate/shaders.h: GLSL; ShaderCache
//        (shader/compile.h): SPIR-V
//        -> commands           vk::Executable      vk/executable.h
//
// passesOf() takes a loaded NodeGraph as far as OrderedPasses, which is all that can be done before a device
// says what memory it wants; Session (run/session.h) does the rest.

#include "graph/frame/place.h"
#include "graph/schedule/select.h"

namespace lacuna {

struct CompileOptions {
  DeviceModel device;
  ForcedSchedules schedules;
  Knowledge known =
      {};             // by nodes of filtersOf() (run/tune/tuning.h); none: filters are taken for medium ones
  bool fuses = true;  // false: every node has passes of its own, to compare with
};

// Nodes as they are scheduled: culled and fused.
NodeGraph filtersOf(NodeGraph graph, const DeviceModel& device, bool fuses = true);

// Reports what the device can't run.
OrderedPasses passesOf(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics);

// The same, placed nominally: what can be said of a graph where no device is at hand.
Schedule compile(NodeGraph graph, const CompileOptions& options, Diagnostics& diagnostics);

}  // namespace lacuna
