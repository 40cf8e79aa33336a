#include <fmt/format.h>

#include <cmath>

#include "graph/config/text.h"
#include "graph/shader/generate/stencil_parts.h"

namespace lacuna {
namespace {

constexpr const char* noWeight = "-1e30";  // log2 of a weight of 0 that stays finite under addition

struct Kernel {
  std::vector<double> weights;
  double at(int i) const { return weights[static_cast<size_t>(i)]; }
  std::string weight(int i) const { return literal(at(i)); }
  // Bodies don't ask for it where a weight is below 0 (body_forbidden.cpp).
  std::string log2(int i) const { return at(i) > 0 ? literal(std::log2(at(i))) : noWeight; }
};

Kernel kernelOf(const StencilContext& context) {
  Kernel kernel;
  for (const float w : context.stencil().weights) {
    kernel.weights.push_back(w);
  }
  kernel.weights.resize(static_cast<size_t>(context.taps()), 1.0);
  return kernel;
}

// Whether the kernel has a tap in column i and row j. One of weight 0 is none.
bool hasTap(const StencilContext& context, const Kernel& kernel, int i, int j) {
  const int r = context.radius();
  const int dx = i - r;
  const int dy = j - r;
  return j >= 0 && j <= 2 * r && kernel.at(i) != 0 && kernel.at(j) != 0 &&
         (context.stencil().support == Support::square || dx * dx + dy * dy <= r * r);
}

// Column terms c0.. and their weights, from the centre outwards: outside the image the neighbour nearer to
// the centre stands in with weight 0.
std::string columnTerms(const StencilContext& context, const ThreadMapping& m, const Kernel& kernel) {
  const int r = context.radius();
  std::string text = fmt::format("  int c{} = {};\n  float wx{} = {}; float lx{} = {};\n", r, m.columnCentre,
                                 r, kernel.weight(r), r, kernel.log2(r));
  for (int k = 1; k <= r; ++k) {
    for (const int side : {-1, 1}) {
      const int i = r + side * k;
      text += fill(R"(  bool ix$i = inside(x $sign $k * s, e.x);
  int c$i = ix$i ? $centre $sign $k * $step : c$inner;
  float wx$i = ix$i ? $w : 0.0; float lx$i = ix$i ? $l : $no;
)",
                   {{"i", std::to_string(i)},
                    {"sign", side < 0 ? "-" : "+"},
                    {"k", std::to_string(k)},
                    {"centre", m.columnCentre},
                    {"step", m.columnStep},
                    {"inner", std::to_string(i - side)},
                    {"w", kernel.weight(i)},
                    {"l", kernel.log2(i)},
                    {"no", noWeight}});
    }
  }
  return text;
}

// Row terms q0 .. q(rows - 1 + 2r) of all rows that the thread reads, likewise.
std::string rowTerms(const StencilContext& context, const ThreadMapping& m) {
  const int r = context.radius();
  const int last = context.schedule().rows - 1 + 2 * r;
  std::string text = fmt::format("  int q{} = {};\n  const bool iy{} = true;\n", r, m.rowCentre, r);
  const auto row = [&](int index, int inner) {
    const int k = index - r;
    text += fill(R"(  bool iy$i = inside(y0 $sign $k * s, e.y);
  int q$i = iy$i ? $centre $sign $k * $step : q$inner;
)",
                 {{"i", std::to_string(index)},
                  {"sign", k < 0 ? "-" : "+"},
                  {"k", std::to_string(std::abs(k))},
                  {"centre", m.rowCentre},
                  {"step", m.rowStep},
                  {"inner", std::to_string(inner)}});
  };
  for (int i = r - 1; i >= 0; --i) {
    row(i, i + 1);
  }
  for (int i = r + 1; i <= last; ++i) {
    row(i, i - 1);
  }
  return text;
}

std::string tapCall(const ThreadMapping& m, const std::string& column, const std::string& row) {
  return fill(m.tapCall, {{"c", column}, {"q", row}});
}

// The thread's pixels. A pixel below the image repeats the one above it and is not stored.
std::string centres(const StencilContext& context, const ThreadMapping& m) {
  std::string text = fmt::format("  int z0 = {};\n", m.rowCentre);
  for (int o = 0; o < context.schedule().rows; ++o) {
    if (o > 0) {
      text +=
          fill("  int y$o = y0 + $o * s;\n  int z$o = inside(y$o, e.y) ? $centre + $o * $step : z$above;\n",
               {{"o", std::to_string(o)},
                {"above", std::to_string(o - 1)},
                {"centre", m.rowCentre},
                {"step", m.rowStep}});
    }
    text += fill(R"(  n0_Tap m$o = $tap;
  Pixel p$o = Pixel(ivec2(x, y$o), e, level, s);
  n0_Centre k$o = n0_centre(m$o, p$o);
  n0_Acc a$o = n0_start(k$o);
)",
                 {{"o", std::to_string(o)}, {"tap", tapCall(m, m.columnCentre, fmt::format("z{}", o))}});
  }
  return text;
}

// The same terms where every tap of the thread has a pixel: constants to the optimiser, but not `const`,
// since the GLSL front end would add two of them in double precision.
std::string insideTerms(const StencilContext& context, const ThreadMapping& m, const Kernel& kernel) {
  const int r = context.radius();
  const auto term = [](const std::string& centre, int k, const std::string& step, const std::string& place) {
    return fill(place, {{"t", fmt::format("{} + ({}) * {}", centre, k, step)}});
  };
  const std::string column = context.mirrors() ? m.mirroredColumn : "$t";
  const std::string row = context.mirrors() ? m.mirroredRow : "$t";
  std::string text;
  for (int i = 0; i < context.taps(); ++i) {
    text += fmt::format("  int c{0} = {1};\n  float wx{0} = {2}; float lx{0} = {3};\n", i,
                        term(m.columnCentre, i - r, m.columnStep, column), kernel.weight(i), kernel.log2(i));
  }
  for (int i = 0; i < context.schedule().rows + 2 * r; ++i) {
    text += fmt::format("  int q{0} = {1};\n  const bool iy{0} = true;\n", i,
                        term(m.rowCentre, i - r, m.rowStep, row));
  }
  return text;
}

std::string allInside(const StencilContext& context) {
  return fmt::format("x >= {0} * s && x + {0} * s < e.x && y0 >= {0} * s && y0 + {1} * s < e.y",
                     context.radius(), context.schedule().rows - 1 + context.radius());
}

// The taps of one row, gathered into every pixel of the thread that they reach.
std::string gatherRow(const StencilContext& context, const ThreadMapping& m, const Kernel& kernel, int row) {
  const int r = context.radius();
  std::string text = "  {\n";
  const int rows = context.schedule().rows;
  for (int i = 0; i < context.taps(); ++i) {
    bool isRead = false;
    for (int o = 0; o < rows; ++o) {
      isRead = isRead || hasTap(context, kernel, i, row - o);
    }
    if (isRead) {
      text += fmt::format("    n0_Tap t{} = {};\n", i,
                          tapCall(m, fmt::format("c{}", i), fmt::format("q{}", row)));
    }
  }
  for (int o = 0; o < rows; ++o) {
    const int j = row - o;
    if (j < 0 || j > 2 * r) {
      continue;
    }
    // The centre's own row is inside wherever the pixel is.
    text += j == r ? fmt::format("    {{ float wy = {}; float ly = {};\n", kernel.weight(j), kernel.log2(j))
                   : fmt::format("    {{ float wy = iy{0} ? {1} : 0.0; float ly = iy{0} ? {2} : {3};\n", row,
                                 kernel.weight(j), kernel.log2(j), noWeight);
    for (int i = 0; i < context.taps(); ++i) {
      if (hasTap(context, kernel, i, j)) {
        text += fmt::format(
            "      n0_gather(a{0}, k{0}, t{1}, Offset(ivec2({2}, {3}), ivec2({2}, {3}) * s, wx{1} * wy, "
            "lx{1} + "
            "ly));\n",
            o, i, i - r, j - r);
      }
    }
    text += "    }\n";
  }
  return text + "  }\n";
}

std::string gatherRows(const StencilContext& context, const ThreadMapping& m, const Kernel& kernel) {
  std::string text;
  for (int row = 0; row < context.schedule().rows + 2 * context.radius(); ++row) {
    text += gatherRow(context, m, kernel, row);
  }
  return text;
}

}  // namespace

std::string gatherTaps(const StencilContext& context, const ThreadMapping& mapping) {
  const Kernel kernel = kernelOf(context);
  const std::string rows = gatherRows(context, mapping, kernel);
  if (context.mirrors()) {
    return centres(context, mapping) + insideTerms(context, mapping, kernel) + rows;
  }
  const std::string anywhere = columnTerms(context, mapping, kernel) + rowTerms(context, mapping) + rows;
  if (!context.schedule().splitsBorders) {
    return centres(context, mapping) + anywhere;
  }
  return centres(context, mapping) + fmt::format("  if (subgroupAll({})) {{\n", allInside(context)) +
         insideTerms(context, mapping, kernel) + rows + "  } else {\n" + anywhere + "  }\n";
}

}  // namespace lacuna
