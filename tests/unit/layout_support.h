#pragma once
// Schedules of graphs around the built-in filters, without a device.

#include <gtest/gtest.h>

#include "graph/compile/compile.h"
#include "graph/frame/barriers.h"
#include "graph/frame/stages.h"
#include "graph/module/registry.h"
#include "graph/nodes/rewrites.h"
#include "graph/schedule/maker.h"
#include "graph/schedule/stencil/schedule_names.h"
#include "tests/support/graph_text.h"
#include "tests/support/messages.h"
#include "tests/support/places.h"
#include "tests/support/sources.h"

namespace lacuna::test {

// Large enough for every schedule.
inline DeviceModel wideDevice() {
  return {true, 128ULL << 20U, 16384, 32768, 1024};
}

inline std::string eawText(int levels, const std::string& more = {}) {
  return "i-memory:in eaw o-memory:out\nparam:eaw:01:noise:0.1\nparam:eaw:01:levels:" +
         std::to_string(levels) + "\n" + more;
}

inline std::string guidedText(int levels) {
  return "i-memory:in atrous-guided o-memory:out\ni-memory:normal normal=atrous-guided\n"
         "i-memory:depth depth=atrous-guided\nparam:atrous-guided:01:levels:" +
         std::to_string(levels) + "\n";
}

inline NodeGraph graphOf(const std::string& text, Extent extent, Format format = Format::f16,
                         const std::vector<std::string>& modulePath = {LACUNA_MODULE_FOLDER,
                                                                       benchModules()}) {
  Diagnostics diagnostics;
  Registry registry(modulePath);
  const Config config = parseConfigText(graphText(text), "graph.cfg", diagnostics);
  const auto typesOf = [&](const ModuleInstance& source) {
    const std::string& name = source.instance;
    const Channels channels = name == "normal"   ? Channels::normal
                              : name == "depth"  ? Channels::depth
                              : name == "side"   ? Channels::y
                              : name == "motion" ? Channels::mv
                                                 : Channels::rgba;
    const ColourTag colour = channels == Channels::rgba ? ColourTag::rec709 : ColourTag::data;
    return std::map<std::string, ValueType>{{"output", {channels, format, colour, extent, 0}}};
  };
  ModuleGraph modules = buildModuleGraph(config, registry, diagnostics);
  NodeGraph graph = diagnostics.hasErrors()
                        ? NodeGraph{}
                        : buildNodeGraph(sourcesOf(std::move(modules), typesOf), diagnostics);
  expectNoMessages(diagnostics);
  return graph;
}

inline NodeGraph histogramGraph(Extent extent) {
  return graphOf("i-memory:side histogram:01:histogram o-array:out\n", extent, Format::f16,
                 {LACUNA_MODULE_FOLDER, LACUNA_TEST_FOLDER "/gpu/modules"});
}

// Every schedule of a filter that `auto` chooses from, in its maker's list.
inline std::vector<FilterCandidate> candidatesOf(const NodeGraph& graph, const Node& node,
                                                 const DeviceModel& device, const FilterWork& work = {}) {
  const CandidateMaker& maker = *makerOf(graph, node);
  std::vector<FilterCandidate> all;
  for (const std::string& name : maker.usual({graph, node, device}))
    all.push_back(maker.make({graph, node, device}, name, work));
  return all;
}

// All stages; expects no errors.
inline FrameGraph compiled(const NodeGraph& graph, const std::string& schedule,
                           const DeviceModel& device = wideDevice(), bool fuses = true) {
  Diagnostics diagnostics;
  CompileOptions options{device, {{"", schedule}}};
  options.fuses = fuses;
  FrameGraph result = compile(graph, options, diagnostics);
  EXPECT_EQ(diagnostics.render(), "");
  return result;
}

// The node whose name ends so: ":atrous".
inline const Node& nodeNamed(const NodeGraph& graph, const std::string& end) {
  for (const Node& node : graph.nodes)
    if (node.name.ends_with(end))
      return node;
  ADD_FAILURE() << "no node " << end;
  return graph.nodes.front();
}

inline const Pass* passNamed(const FrameGraph& schedule, const std::string& end) {
  for (const Pass& pass : schedule.passes)
    if (pass.name.ends_with(end))
      return &pass;
  return nullptr;
}

inline int dispatchesOf(const FrameGraph& schedule) {
  int count = 0;
  for (const Pass& pass : schedule.passes)
    count += pass.kind == PassKind::dispatch ? 1 : 0;
  return count;
}

inline std::string rolesOf(const Pass& pass) {
  std::string text;
  for (const Role& role : pass.roles)
    text += (text.empty() ? "" : " ") + role.name;
  return text;
}

// As compile() does, for an unchanged graph.
inline FrameGraph laidOut(const NodeGraph& graph, const DeviceModel& device, Diagnostics& diagnostics) {
  return layout(select(graph, device, {}, {}, diagnostics), device, diagnostics);
}

}  // namespace lacuna::test
