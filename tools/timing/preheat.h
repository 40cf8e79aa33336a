#pragma once
// A GPU lowers its clocks while shaders compile, and raises them over some tenths of a second of work: the
// first runs can take three times as long as the later ones.

#include <functional>

namespace lacuna {

// Runs until the device has worked for `ms`, and then until three parts in a row, each of a quarter of `ms`,
// have medians within 1% of each other, but at most for 5 times `ms`. If it is 0, once. A first run that
// takes `ms` alone is enough: clocks rise within it. `run` returns the milliseconds of one run.
void preheat(const std::function<double()>& run, double ms);

}  // namespace lacuna
