#pragma once
// The products that `lacuna bench gemm` measures, and what is right of them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace lacuna {

struct Lab;

// A matrix of n x p times one of p x m, all of them halves.
struct GemmShape {
  uint32_t n = 0, p = 0, m = 0;

  bool isSquare() const { return n == p && p == m; }
  double operations() const { return 2.0 * n * p * m; }
  double leastBytes() const;  // each factor read once, the product written once
};

struct GemmTask {
  GemmShape shape;
  bool halfSums = false;      // sums in f16, not f32
  std::string pack = "none";  // coopmat-gemm's: how factors are copied before, outside of the time
};

// "4096", or "1048576x288x48"; "4096, f32 sums, row-major".
std::string print(const GemmShape& shape);
std::string print(const GemmTask& task);
std::string layoutName(const GemmTask& task);  // row-major, panels, fragments

// The products of --size, --shape, --accumulate and --pack; without them the study's sizes, and layers of its
// network as products. `notes`: changes that were made to fit the device. Throws Error, which lists all
// words that are no size.
std::vector<GemmTask> gemmTasks(const Lab& lab, std::vector<std::string>& notes);

// Some elements of a product, in double precision: wrong products are not timed.
class GemmSamples {
 public:
  static constexpr size_t count = 256;

  // Takes the whole factors, row by row, as halves. Chooses the places: the corners, and others at random,
  // the same each time.
  GemmSamples(const GemmShape& shape, std::span<const std::byte> a, std::span<const std::byte> b);

  // Relative error of a product in halves, by the Frobenius norm; NaN or infinite if an element is.
  double errorOf(std::span<const std::byte> halves) const;

 private:
  struct Place {
    size_t row, column;
    double expected = 0.0;
  };
  GemmShape shape_;
  std::vector<Place> places_;
};

// The allowed errorOf(). Sums in f16 are rounded up to p times.
double allowedError(const GemmTask& task);

}  // namespace lacuna
