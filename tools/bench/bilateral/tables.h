#pragma once
// The tables of `lacuna bench bilateral`. Times are milliseconds.

#include "tools/bench/bilateral/study.h"
#include "tools/bench/columns.h"

namespace lacuna {

// What a tap takes in each channel: an exponential, and, in the place of an FMA each, the difference, its
// square, the falloff's and the spatial weight's products, and both sums.
constexpr int fmasPerExponential = 6;

struct BilateralTask {
  Extent size;
  Channels channels = Channels::rgb;
  int radius = 1;

  bool isColour() const { return channels == Channels::rgb; }
  int taps() const { return (2 * radius + 1) * (2 * radius + 1); }
  double exponentials() const {  // taps x channels x pixels
    return static_cast<double>(taps()) * componentCount(channels) * size.width * size.height;
  }
};

// Of a task: what is known before rows are measured. "study": its figures, where it has some.
Json bilateralTable(const BilateralTask& task);
// Fills in what follows from rows that were measured, from `first` on, which must hold all of their variants.
void compareRows(Json& table, size_t first);
// Of a whole table: "fastestExact", and what the variant `rows` "needed".
void addCeilings(Json& table);

std::string bilateralHead(const Json& report);
// A table in its parts, so that it can be read while it grows.
std::string bilateralTitle(const Json& table);
std::string bilateralRows(const Json& table, size_t first);
std::string bilateralFoot(const Json& table);

}  // namespace lacuna
