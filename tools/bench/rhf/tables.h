#pragma once
// The tables of `lacuna bench rhf`. Times are milliseconds.

#include "tools/bench/columns.h"
#include "tools/bench/rhf/sequential.h"

namespace lacuna {

struct RhfTask {
  std::string scene;  // file
  Extent size;
  int bins = 8;  // a colour
  int samples = 64;

  double pixels() const { return static_cast<double>(size.width) * size.height; }
};

// Of a task: what is known before rows are measured. `floorBytes`: input, histograms and output, once.
Json rhfTable(const RhfTask& task, const SequentialTime& sequential, double floorBytes,
              double copyBytesPerSecond);
// Fills in what follows from rows that were measured, from `first` on, which must hold all of their steps.
void compareRhfRows(Json& table, size_t first);

std::string rhfHead(const Json& report);
// A table in its parts, so that it can be read while it grows.
std::string rhfTitle(const Json& table);
std::string rhfRows(const Json& table, size_t first);
std::string rhfFoot(Json& table);  // adds "fastestExact"
// Where there are several tables: how the time follows size and scene.
std::string rhfScaling(const Json& tables);

}  // namespace lacuna
