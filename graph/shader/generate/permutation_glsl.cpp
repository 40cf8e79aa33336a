#include "graph/config/text.h"
#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {
namespace {

constexpr const char* ascendingOrder = R"(
int splitPlace(int p, int n, bool turned) {
  int h = p >> 1;
  return (p & 1) == 0 ? h : ((n + 1) >> 1) + (turned ? (n >> 1) - 1 - h : h);
}
int joinPlace(int p, int n, bool turned) {
  int even = (n + 1) >> 1;
  int h = turned ? n - 1 - p : p - even;
  return p < even ? 2 * p : 2 * h + 1;
}
int placeOf(int p, int n, int levels) {
  for (int l = 0; l < levels; ++l) { p = splitPlace(p, n, $mirrored && l == 0); }
  return p;
}
int pixelAt(int p, int n, int levels) {
  for (int l = levels - 1; l >= 0; --l) { p = joinPlace(p, n, $mirrored && l == 0); }
  return p;
}
int nextPlace(int place, int pixel, int n, int levels) {
  return splitPlace(place, n, $mirrored && levels == 0);
}
)";

constexpr const char* localSubdivisionOrder = R"(
int placeOf(int p, int n, int levels) {
  int start = 0;
  bool odd = false;
  for (int l = 0; l < levels; ++l) {
    odd = (p & 1) != 0;
    int even = (n + 1) >> 1;
    start += odd ? even : 0;
    n = odd ? n - even : even;
    p >>= 1;
  }
  return start + ($mirrored && odd ? n - 1 - p : p);
}
int pixelAt(int place, int n, int levels) {
  int p = place;
  int remainder = 0;
  bool odd = false;
  for (int l = 0; l < levels; ++l) {
    int even = (n + 1) >> 1;
    odd = p >= even;
    p -= odd ? even : 0;
    n = odd ? n - even : even;
    remainder |= odd ? 1 << l : 0;
  }
  return (($mirrored && odd ? n - 1 - p : p) << levels) | remainder;
}
int nextPlace(int place, int pixel, int n, int levels) { return placeOf(pixel, n, levels + 1); }
)";

// Rows shorter than a kernel's reach end at their last pixel.
constexpr const char* reflection = R"(
int reflected(int p, int n) { return clamp(p < 0 ? -1 - p : p < n ? p : 2 * n - 1 - p, 0, n - 1); }
)";

}  // namespace

std::string permutationFunctions(const Embedding& embedding) {
  return (embedding.mirrored ? reflection : "") +
         fill(embedding.order == SubimageOrder::ascending ? ascendingOrder : localSubdivisionOrder,
              {{"mirrored", embedding.mirrored ? "true" : "false"}});
}

}  // namespace lacuna
