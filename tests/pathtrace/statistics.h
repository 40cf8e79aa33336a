#pragma once
// Whether two noisy pictures can be one picture.

#include <string>

#include "tests/pathtrace/reference_tracer.h"

namespace lacuna::pathtrace::reference {

// Means over squares of pixels (the last of a row or column may be smaller), row by row, the variances of
// these means, and the variances' degrees of freedom.
struct Blocks {
  int columns = 0;
  std::vector<Vec3> means, variances;
  double degrees = 0;
};

Blocks blocksOf(const Film& film, int side);
// The same for independent renders of one picture, each width * height pixels.
Blocks blocksOf(const std::vector<std::vector<Vec3>>& renders, int width, int height, int side);
// The whole picture as one block.
Blocks wholeOf(const Film& film);
Blocks wholeOf(const std::vector<std::vector<Vec3>>& renders);

// Their differences beyond chance, in words; "" if they agree. With correct pictures it reports a difference
// less than once in a million: a block and component may be as many standard errors away as that takes (about
// 6), and those more than 3 away may be as many as are likely.
std::string difference(const Blocks& a, const Blocks& b);

// A normal variable's distance in standard deviations that is as likely as `t` of Student's distribution
// (Wallace 1959, Bounds on Normal Approximations to Student's and the Chi-Square Distributions, eq. 3.1).
double normalOfStudent(double t, double degrees);

}  // namespace lacuna::pathtrace::reference
