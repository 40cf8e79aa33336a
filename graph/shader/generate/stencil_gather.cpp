#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/families/wide_window.h"
#include "graph/shader/generate/stencil_kernel.h"

namespace lacuna {
namespace {

// The weight of the taps in column i for the thread's pixels in column `own`, and its logarithm: wx0, or
// wx0_1 where threads have several.
std::string columnWeight(const StencilContext& context, const char* name, int i, int own) {
  return context.schedule().columns == 1 ? fmt::format("{}{}", name, i)
                                         : fmt::format("{}{}_{}", name, i, own);
}

// Weights of column i; `outside`: where there may be no pixel.
std::string columnWeights(const StencilContext& context, const StencilKernel& kernel, int i, bool outside) {
  std::string text;
  for (int own = 0; own < context.schedule().columns; ++own) {
    if (const int tap = i - own; tap >= 0 && tap < context.taps()) {
      text += fill(outside ? "  float $wx = ix$i ? $w : 0.0; float $lx = ix$i ? $l : $no;\n"
                           : "  float $wx = $w; float $lx = $l;\n",
                   {{"wx", columnWeight(context, "wx", i, own)},
                    {"lx", columnWeight(context, "lx", i, own)},
                    {"i", std::to_string(i)},
                    {"w", kernel.weight(tap)},
                    {"l", kernel.log2(tap)},
                    {"no", StencilKernel::noWeight}});
    }
  }
  return text;
}

// Column terms c0.. of all columns that the thread reads and their weights, from the first pixel's outwards:
// outside the image the neighbour nearer to the centre stands in with weight 0.
std::string columnTerms(const StencilContext& context, const ThreadMapping& m, const StencilKernel& kernel) {
  const int r = context.radius();
  const int right = r + context.schedule().columns - 1;
  std::string text =
      fmt::format("  int c{} = {};\n", r, m.columnCentre) + columnWeights(context, kernel, r, false);
  for (int k = 1; k <= right; ++k) {
    for (const int side : {-1, 1}) {
      if (side < 0 && k > r) {
        continue;
      }
      const int i = r + side * k;
      text += fill(R"(  bool ix$i = inside(x $sign $k * s, e.x);
  int c$i = ix$i ? $centre $sign $k * $step : c$inner;
)",
                   {{"i", std::to_string(i)},
                    {"sign", side < 0 ? "-" : "+"},
                    {"k", std::to_string(k)},
                    {"centre", m.columnCentre},
                    {"step", m.columnStep},
                    {"inner", std::to_string(i - side)}}) +
              columnWeights(context, kernel, i, true);
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

// A column or row of the thread beyond its first pixel's: where it lies in the image, x1 or y1, and its term,
// h1 or z1. Outside the image the one before it stands in, and nothing is stored.
std::string furtherLine(int index, const char* pixel, const char* term, const std::string& centre,
                        const std::string& step, const std::string& before) {
  return fill(
      "  int $p$o = $first + $o * s;\n  int $t$o = inside($p$o, e.$p) ? $centre + $o * $step : $before;\n",
      {{"p", pixel},
       {"t", term},
       {"o", std::to_string(index)},
       {"first", pixel == std::string_view("y") ? "y0" : "x"},
       {"centre", centre},
       {"step", step},
       {"before", before}});
}

// The thread's pixels.
std::string centres(const StencilContext& context, const ThreadMapping& m) {
  const auto columnTerm = [&](int column) {
    return column == 0 ? m.columnCentre : fmt::format("h{}", column);
  };
  std::string text = fmt::format("  int z0 = {};\n", m.rowCentre);
  for (int o = 0; o < context.schedule().pixels(); ++o) {
    const int column = context.columnOf(o), row = context.rowOf(o);
    if (column > 0 && row == 0) {
      text += furtherLine(column, "x", "h", m.columnCentre, m.columnStep, columnTerm(column - 1));
    }
    if (row > 0 && column == 0) {
      text += furtherLine(row, "y", "z", m.rowCentre, m.rowStep, fmt::format("z{}", row - 1));
    }
    text += fill(R"(  n0_Tap m$o = $tap;
  Pixel p$o = Pixel($at, e, level, s);
  n0_Centre k$o = n0_centre(m$o, p$o);
  n0_Acc a$o = n0_start(k$o);
)",
                 {{"o", std::to_string(o)},
                  {"at", context.position(o)},
                  {"tap", tapCall(m, columnTerm(column), fmt::format("z{}", row))}});
  }
  return text;
}

// The same terms where every tap of the thread has a pixel: constants to the optimiser, but not `const`,
// since the GLSL front end would add two of them in double precision.
std::string insideTerms(const StencilContext& context, const ThreadMapping& m, const StencilKernel& kernel) {
  const int r = context.radius();
  const auto term = [](const std::string& centre, int k, const std::string& step, const std::string& place) {
    return fill(place, {{"t", fmt::format("{} + ({}) * {}", centre, k, step)}});
  };
  const std::string column = context.mirrors() ? m.mirroredColumn : "$t";
  const std::string row = context.mirrors() ? m.mirroredRow : "$t";
  std::string text;
  for (int i = 0; i < context.schedule().columns + 2 * r; ++i) {
    text += fmt::format("  int c{} = {};\n", i, term(m.columnCentre, i - r, m.columnStep, column)) +
            columnWeights(context, kernel, i, false);
  }
  for (int i = 0; i < context.schedule().rows + 2 * r; ++i) {
    text += fmt::format("  int q{0} = {1};\n  const bool iy{0} = true;\n", i,
                        term(m.rowCentre, i - r, m.rowStep, row));
  }
  return text;
}

std::string allInside(const StencilContext& context) {
  const int r = context.radius();
  return fmt::format("x >= {0} * s && x + {1} * s < e.x && y0 >= {0} * s && y0 + {2} * s < e.y", r,
                     context.schedule().columns - 1 + r, context.schedule().rows - 1 + r);
}

// The taps of a row that pixel o of the thread gathers, left to right; "" if none.
std::string gatherInto(const StencilContext& context, const StencilKernel& kernel, int row, int o) {
  const int r = context.radius(), own = context.columnOf(o);
  const int j = row - context.rowOf(o);
  if (j < 0 || j > 2 * r) {
    return {};
  }
  // The centre's own row is inside wherever the pixel is.
  std::string text =
      j == r ? fmt::format("    {{ float wy = {}; float ly = {};\n", kernel.weight(j), kernel.log2(j))
             : fmt::format("    {{ float wy = iy{0} ? {1} : 0.0; float ly = iy{0} ? {2} : {3};\n", row,
                           kernel.weight(j), kernel.log2(j), StencilKernel::noWeight);
  for (int i = 0; i < context.taps(); ++i) {
    if (kernel.hasTap(i, j)) {
      text += fmt::format(
          "      n0_gather(a{0}, k{0}, t{1}, Offset(ivec2({2}, {3}), ivec2({2}, {3}) * s, {4} * wy, {5} + "
          "ly));\n",
          o, i + own, i - r, j - r, columnWeight(context, "wx", i + own, own),
          columnWeight(context, "lx", i + own, own));
    }
  }
  return text + "    }\n";
}

// The taps of one row, gathered into every pixel of the thread that they reach.
std::string gatherRow(const StencilContext& context, const ThreadMapping& m, const StencilKernel& kernel,
                      int row) {
  std::string text = "  {\n";
  const int pixels = context.schedule().pixels();
  for (int i = 0; i < context.taps() + context.schedule().columns - 1; ++i) {
    bool isRead = false;
    for (int o = 0; o < pixels; ++o) {
      const int tap = i - context.columnOf(o);
      isRead = isRead || (tap >= 0 && tap < context.taps() && kernel.hasTap(tap, row - context.rowOf(o)));
    }
    if (isRead) {
      text += fmt::format("    n0_Tap t{} = {};\n", i,
                          tapCall(m, fmt::format("c{}", i), fmt::format("q{}", row)));
    }
  }
  for (int o = 0; o < pixels; ++o) {
    text += gatherInto(context, kernel, row, o);
  }
  return text + "  }\n";
}

std::string gatherRows(const StencilContext& context, const ThreadMapping& m, const StencilKernel& kernel) {
  std::string text;
  for (int row = 0; row < context.schedule().rows + 2 * context.radius(); ++row) {
    text += gatherRow(context, m, kernel, row);
  }
  return text;
}

}  // namespace

std::string gatherTaps(const StencilContext& context, const ThreadMapping& mapping) {
  const StencilKernel kernel(context);
  const std::string rows = isWide(context.radius()) ? "" : gatherRows(context, mapping, kernel);
  const auto taps = [&](bool isInside) {
    return isWide(context.radius()) ? loopOverTaps(context, mapping, isInside)
           : isInside               ? insideTerms(context, mapping, kernel) + rows
                      : columnTerms(context, mapping, kernel) + rowTerms(context, mapping) + rows;
  };
  if (context.mirrors()) {
    return centres(context, mapping) + taps(true);
  }
  if (!context.schedule().splitsBorders) {
    return centres(context, mapping) + taps(false);
  }
  return centres(context, mapping) + fmt::format("  if (subgroupAll({})) {{\n", allInside(context)) +
         taps(true) + "  } else {\n" + taps(false) + "  }\n";
}

}  // namespace lacuna
