#pragma once
// The tables of `lacuna bench unet`. Times are milliseconds.

#include "tools/bench/columns.h"
#include "tools/bench/unet/counts.h"

namespace lacuna {

// What is known before candidates are measured. `pictureBytes`: of all planes that come in, and the picture
// that goes out.
Json unetTable(Extent size, const std::vector<UnetLayerCounts>& layers, double pictureBytes,
               double copyBytesPerSecond);
// Fills in what follows from a candidate's times: speeds, and its passes' times as layers.
void compareUnetRow(const Json& table, Json& row);
Json unetStudyJson();

std::string unetHead(const Json& report);
std::string unetRow(const Json& table, const Json& row);
std::string unetSummary(const Json& report);

}  // namespace lacuna
