#include <algorithm>
#include <queue>
#include <set>
#include <tuple>

#include "graph/nodes/module_graph_parts.h"

namespace lacuna {
namespace {

struct Edge {
  ModuleId to;
  Location where;
};
using Edges = Table<ModuleId, std::vector<Edge>>;  // by producer

Edges collectEdges(const Table<ModuleId, ModuleInstance>& modules) {
  Edges edges(modules.size());
  for (const ModuleId to : modules.ids()) {
    for (const auto& [name, connection] : modules[to].inputs)
      if (!connection.feedback)
        edges[connection.producer].push_back({to, connection.where});
  }
  return edges;
}

// A shortest way from `start` back to itself: its modules in order; empty if there is none.
std::vector<ModuleId> cycleThrough(ModuleId start, const Edges& edges) {
  Table<ModuleId, ModuleId> cameFrom(edges.size());
  std::queue<ModuleId> open;
  open.push(start);
  while (!open.empty()) {
    const ModuleId at = open.front();
    open.pop();
    for (const Edge& edge : edges[at]) {
      if (edge.to == start) {
        std::vector<ModuleId> cycle;
        for (ModuleId back = at; back != start; back = cameFrom[back])
          cycle.push_back(back);
        cycle.push_back(start);
        std::ranges::reverse(cycle);
        return cycle;
      }
      if (!cameFrom[edge.to]) {
        cameFrom[edge.to] = at;
        open.push(edge.to);
      }
    }
  }
  return {};
}

// The line that closed the cycle: its last one in the file.
Location lastLine(const std::vector<ModuleId>& cycle, const Edges& edges) {
  Location last;
  for (size_t i = 0; i < cycle.size(); ++i) {
    const ModuleId next = cycle[(i + 1) % cycle.size()];
    for (const Edge& edge : edges[cycle[i]]) {
      const Location& where = edge.where;
      if (edge.to == next && std::tie(where.file, where.line) > std::tie(last.file, last.line))
        last = where;
    }
  }
  return last;
}

void reportCycles(const GraphDraft& draft, const Edges& edges, const Table<ModuleId, bool>& sorted) {
  std::set<ModuleId> reported;
  for (const ModuleId start : edges.ids()) {
    if (sorted[start] || reported.count(start) != 0)
      continue;
    const std::vector<ModuleId> cycle = cycleThrough(start, edges);
    if (cycle.empty())
      continue;
    std::string text;
    for (const ModuleId module : cycle) {
      reported.insert(module);
      text += draft.modules[module].name() + " -> ";
    }
    text += draft.modules[start].name();
    draft.diagnostics.error(lastLine(cycle, edges), "the connections form a cycle: " + text,
                            "use feedback: for the previous frame's value");
  }
}

}  // namespace

std::vector<ModuleId> sortModules(GraphDraft& draft) {
  const Edges edges = collectEdges(draft.modules);
  Table<ModuleId, int> waitsFor(draft.modules.size(), 0);
  for (const auto& outgoing : edges)
    for (const Edge& edge : outgoing)
      ++waitsFor[edge.to];
  // Among equals the first in the file comes first.
  std::priority_queue<ModuleId, std::vector<ModuleId>, std::greater<>> ready;
  for (const ModuleId module : waitsFor.ids())
    if (waitsFor[module] == 0)
      ready.push(module);
  std::vector<ModuleId> order;
  Table<ModuleId, bool> sorted(draft.modules.size(), false);
  while (!ready.empty()) {
    const ModuleId module = ready.top();
    ready.pop();
    order.push_back(module);
    sorted[module] = true;
    for (const Edge& edge : edges[module])
      if (--waitsFor[edge.to] == 0)
        ready.push(edge.to);
  }
  if (order.size() == draft.modules.size())
    return order;
  reportCycles(draft, edges, sorted);
  for (const ModuleId module : sorted.ids())
    if (!sorted[module])
      order.push_back(module);  // so that later steps see every module
  return order;
}

}  // namespace lacuna
