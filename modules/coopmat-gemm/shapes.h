#pragma once
// The requested product, from the shapes of the inputs.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <vector>

#include "shared/native.h"

// A matrix, or a batch of them; `batch` 0 means one for all products.
struct Matrix {
  std::string name;
  std::vector<uint32_t> shape;
  bool isImage = false, isHalf = false;
  uint32_t batch = 0, rows = 0, columns = 0;
};

// a of n x p, b of p x m.
struct Product {
  uint32_t batch = 0, rows = 0, inner = 0, columns = 0;
  uint32_t batches() const { return batch == 0 ? 1 : batch; }
};

inline std::string textOf(const Matrix& matrix) {
  return fmt::format("'{}' has the shape ({}{})", matrix.name, fmt::join(matrix.shape, ", "),
                     matrix.shape.size() == 1 ? "," : "");
}

inline Matrix matrixOf(const std::string& name, const lacuna_type& type) {
  Matrix m{.name = name,
           .shape = lacuna::native::shapeOf(type),
           .isImage = type.count == 0,
           .isHalf = type.format == lacuna_f16};
  const size_t sizes = m.shape.size();
  m.batch = sizes == 3 ? m.shape[0] : 0;
  m.rows = sizes > 1 ? m.shape[sizes - 2] : 1;
  m.columns = m.shape[sizes - 1];
  return m;
}

// The mistake in a and b, and their product; transposed by the flags.
inline Product productOf(const Matrix& a, bool transposeA, const Matrix& b, bool transposeB,
                         std::vector<std::string>& mistakes) {
  for (const Matrix* m : {&a, &b})
    if (m->shape.size() < 2 || m->shape.size() > 3)
      mistakes.push_back(textOf(*m) +
                         ": expected a matrix, with two sizes, or a batch of matrices, with three");
  Product product{.batch = a.batch > 0 ? a.batch : b.batch,
                  .rows = transposeA ? a.columns : a.rows,
                  .inner = transposeA ? a.rows : a.columns,
                  .columns = transposeB ? b.rows : b.columns};
  const uint32_t innerB = transposeB ? b.columns : b.rows;
  if (!mistakes.empty())
    return product;
  if (product.inner != innerB)
    mistakes.push_back(fmt::format("{}{} and {}{}: the first has {} columns, but the second has {} rows",
                                   textOf(a), transposeA ? ", transposed," : "", textOf(b),
                                   transposeB ? ", transposed" : "", product.inner, innerB));
  if (a.batch > 0 && b.batch > 0 && a.batch != b.batch)
    mistakes.push_back(
        fmt::format("{} and {}: batches of {} and of {}", textOf(a), textOf(b), a.batch, b.batch));
  if (uint64_t{product.batches()} * product.rows * product.columns > 0x7fffffff)
    mistakes.push_back(
        fmt::format("{} and {}: the product has more than 2147483647 elements", textOf(a), textOf(b)));
  return product;
}

inline std::string shapeText(const Product& p) {
  return p.batch > 0 ? fmt::format("({}, {}, {})", p.batch, p.rows, p.columns)
                     : fmt::format("({}, {})", p.rows, p.columns);
}

inline void checkAdded(const Matrix& c, const Product& p, std::vector<std::string>& mistakes) {
  const bool fits = c.shape.size() >= 2 && c.shape.size() <= 3 && c.rows == p.rows &&
                    c.columns == p.columns && (c.batch == 0 || c.batch == p.batch);
  if (!fits)
    mistakes.push_back(fmt::format("{}, but the product has {}: expected that{}", textOf(c), shapeText(p),
                                   p.batch > 0 ? fmt::format(", or ({}, {})", p.rows, p.columns) : ""));
}

inline void checkBias(const Matrix& bias, const Product& p, std::vector<std::string>& mistakes) {
  if (bias.rows != 1 || bias.batch > 1 || bias.columns != p.columns || bias.shape.size() > 3)
    mistakes.push_back(fmt::format("{}, but the product has {}: expected ({},), a number for each column",
                                   textOf(bias), shapeText(p), p.columns));
}
