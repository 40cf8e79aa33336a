#include <algorithm>
#include <queue>
#include <set>
#include <tuple>

#include "graph/nodes/module_graph_parts.h"

namespace lacuna {
namespace {

struct Edge {
  int to;
  Location where;
};
using Edges = std::vector<std::vector<Edge>>;  // by producer

Edges collectEdges(const std::vector<ModuleInstance>& modules) {
  Edges edges(modules.size());
  for (size_t to = 0; to < modules.size(); ++to) {
    for (const auto& [name, connection] : modules[to].inputs) {
      if (!connection.feedback) {
        edges[static_cast<size_t>(connection.producer)].push_back({static_cast<int>(to), connection.where});
      }
    }
  }
  return edges;
}

// A shortest way from `start` back to itself: its modules in order; empty if there is none.
std::vector<int> cycleThrough(int start, const Edges& edges) {
  std::vector<int> cameFrom(edges.size(), -1);
  std::queue<int> open;
  open.push(start);
  while (!open.empty()) {
    const int at = open.front();
    open.pop();
    for (const Edge& edge : edges[static_cast<size_t>(at)]) {
      if (edge.to == start) {
        std::vector<int> cycle;
        for (int back = at; back != start; back = cameFrom[static_cast<size_t>(back)]) {
          cycle.push_back(back);
        }
        cycle.push_back(start);
        std::reverse(cycle.begin(), cycle.end());
        return cycle;
      }
      if (cameFrom[static_cast<size_t>(edge.to)] < 0) {
        cameFrom[static_cast<size_t>(edge.to)] = at;
        open.push(edge.to);
      }
    }
  }
  return {};
}

// The line that closed the cycle: the last one of it in the file.
Location lastLine(const std::vector<int>& cycle, const Edges& edges) {
  Location last;
  for (size_t i = 0; i < cycle.size(); ++i) {
    const int next = cycle[(i + 1) % cycle.size()];
    for (const Edge& edge : edges[static_cast<size_t>(cycle[i])]) {
      const Location& where = edge.where;
      if (edge.to == next && std::tie(where.file, where.line) > std::tie(last.file, last.line)) {
        last = where;
      }
    }
  }
  return last;
}

void reportCycles(const GraphDraft& draft, const Edges& edges, const std::vector<bool>& sorted) {
  std::set<int> reported;
  for (int start = 0; start < static_cast<int>(edges.size()); ++start) {
    if (sorted[static_cast<size_t>(start)] || reported.count(start) != 0) {
      continue;
    }
    const std::vector<int> cycle = cycleThrough(start, edges);
    if (cycle.empty()) {
      continue;
    }
    std::string text;
    for (const int index : cycle) {
      reported.insert(index);
      text += draft.modules[static_cast<size_t>(index)].name() + " -> ";
    }
    text += draft.modules[static_cast<size_t>(start)].name();
    draft.diagnostics.error(lastLine(cycle, edges), "the connections form a cycle: " + text,
                            "use feedback: for last frame's value");
  }
}

}  // namespace

std::vector<int> sortModules(GraphDraft& draft) {
  const Edges edges = collectEdges(draft.modules);
  std::vector<int> waitsFor(draft.modules.size(), 0);
  for (const auto& outgoing : edges) {
    for (const Edge& edge : outgoing) {
      ++waitsFor[static_cast<size_t>(edge.to)];
    }
  }
  std::priority_queue<int, std::vector<int>, std::greater<>> ready;  // the first in the file goes first
  for (size_t i = 0; i < waitsFor.size(); ++i) {
    if (waitsFor[i] == 0) {
      ready.push(static_cast<int>(i));
    }
  }
  std::vector<int> order;
  std::vector<bool> sorted(draft.modules.size(), false);
  while (!ready.empty()) {
    const int index = ready.top();
    ready.pop();
    order.push_back(index);
    sorted[static_cast<size_t>(index)] = true;
    for (const Edge& edge : edges[static_cast<size_t>(index)]) {
      if (--waitsFor[static_cast<size_t>(edge.to)] == 0) {
        ready.push(edge.to);
      }
    }
  }
  if (order.size() == draft.modules.size()) {
    return order;
  }
  reportCycles(draft, edges, sorted);
  for (size_t i = 0; i < sorted.size(); ++i) {
    if (!sorted[i]) {
      order.push_back(static_cast<int>(i));  // so that what follows sees every module
    }
  }
  return order;
}

}  // namespace lacuna
