#pragma once
// The tables of `lacuna bench gemm`. Times are milliseconds.

#include "tools/bench/columns.h"
#include "tools/bench/device/ceilings.h"
#include "tools/bench/gemm/tasks.h"

namespace lacuna {

// So long at least products run back to back between two timestamps.
constexpr double gemmSpanMs = 2.0;

Json gemmStudyJson();
// Of a task: what is known before rows are measured. `peak`: operations a second; 0: not known.
Json gemmTable(const GemmTask& task, const DeviceCeilings& ceilings);
// Fills in what follows from rows that were measured, from `first` on, which must hold all of their variants.
void compareGemmRows(Json& table, size_t first);
// Of a whole table: "fastest" of ours, and how many times as fast it is as the study's best kernel.
void addFastest(Json& table);
// Null: none was measured. The study's kernels or ours.
const Json* fastestProduct(const Json& table, bool ofStudy);

std::string gemmHead(const Json& report);
// A table in its parts, so that it can be read while it grows.
std::string gemmTitle(const Json& table);
std::string gemmRows(const Json& table, size_t first);
std::string gemmFoot(const Json& table);
std::string gemmSummary(const Json& tables);  // the best of each

}  // namespace lacuna
