#include <fmt/format.h>

#include "graph/config/text.h"
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
    if (const int tap = i - own; tap >= 0 && tap <= 2 * kernel.radius()) {
      text += fill(outside && context.border() == BorderRule::unweighted
                       ? "  float $wx = ix$i ? $w : 0.0; float $lx = ix$i ? $l : $no;\n"
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

// A column or row term where there may be no pixel: replaced by the neighbour nearer to the centre, or as the
// border rule says.
std::string outerTerm(const StencilContext& context, char axis, int index, int k, const std::string& centre,
                      const std::string& step, int inner) {
  const std::string pixel = axis == 'x' ? "x" : "y0";
  const std::vector<std::pair<std::string, std::string>> values = {{"p", pixel},
                                                                   {"a", std::string(1, axis)},
                                                                   {"t", axis == 'x' ? "c" : "q"},
                                                                   {"i", std::to_string(index)},
                                                                   {"sign", k < 0 ? "-" : "+"},
                                                                   {"k", std::to_string(std::abs(k))},
                                                                   {"centre", centre},
                                                                   {"step", step},
                                                                   {"inner", std::to_string(inner)}};
  return fill(context.mapsTaps() ? "  const bool i$a$i = true;\n"
                                   "  int $t$i = $centre + (borderAt($p $sign $k, e.$a) - $p) * $step;\n"
                                 : "  bool i$a$i = inside($p $sign $k * s, e.$a);\n"
                                   "  int $t$i = i$a$i ? $centre $sign $k * $step : $t$inner;\n",
              values);
}

// Column terms c0.. of all columns that the thread reads and their weights, from the first pixel's outwards.
std::string columnTerms(const StencilContext& context, const ThreadMapping& m, const StencilKernel& kernel) {
  const int r = kernel.radius();
  const int right = r + context.schedule().columns - 1;
  std::string text = fmt::format("  const bool ix{0} = true;\n  int c{0} = {1};\n", r, m.columnCentre) +
                     columnWeights(context, kernel, r, false);
  for (int k = 1; k <= right; ++k) {
    for (const int side : {-1, 1}) {
      if (side < 0 && k > r)
        continue;
      const int i = r + side * k;
      text += outerTerm(context, 'x', i, side * k, m.columnCentre, m.columnStep, i - side) +
              columnWeights(context, kernel, i, true);
    }
  }
  return text;
}

// Row terms q0 .. q(rows - 1 + 2r) of all rows that the thread reads, likewise.
std::string rowTerms(const StencilContext& context, const ThreadMapping& m) {
  const int r = context.use().radiusY();
  const int last = context.schedule().rows - 1 + 2 * r;
  std::string text = fmt::format("  int q{} = {};\n  const bool iy{} = true;\n", r, m.rowCentre, r);
  const auto row = [&](int index, int inner) {
    text += outerTerm(context, 'y', index, index - r, m.rowCentre, m.rowStep, inner);
  };
  for (int i = r - 1; i >= 0; --i)
    row(i, i + 1);
  for (int i = r + 1; i <= last; ++i)
    row(i, i - 1);
  return text;
}

std::string tapCall(const ThreadMapping& m, const std::string& column, const std::string& row) {
  return fill(m.tapCall, {{"c", column}, {"q", row}});
}

// A column or row of the thread after its first pixel's: its place in the image, x1 or y1, and its term, h1
// or z1. Outside the image the one before it replaces it, and nothing is stored.
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
    if (column > 0 && row == 0)
      text += furtherLine(column, "x", "h", m.columnCentre, m.columnStep, columnTerm(column - 1));
    if (row > 0 && column == 0)
      text += furtherLine(row, "y", "z", m.rowCentre, m.rowStep, fmt::format("z{}", row - 1));
    text += fill(R"(  n0_Tap m$o = $tap;
  Pixel p$o = $pixel;
  n0_Centre k$o = n0_centre(m$o, p$o);
  n0_Acc a$o = n0_start(k$o);
)",
                 {{"o", std::to_string(o)},
                  {"pixel", pixelText(context.shader.inTiles(), context.position(o), "e", "level", "s")},
                  {"tap", tapCall(m, columnTerm(column), fmt::format("z{}", row))}});
  }
  return text;
}

// The same terms where every tap of the thread has a pixel: constants to the optimiser, but not `const`,
// since the GLSL front end would add two of them in double precision.
std::string insideTerms(const StencilContext& context, const ThreadMapping& m, const StencilKernel& kernel) {
  const int rx = context.use().radiusX(), ry = context.use().radiusY();
  const auto term = [](const std::string& centre, int k, const std::string& step, const std::string& place) {
    return fill(place, {{"t", fmt::format("{} + ({}) * {}", centre, k, step)}});
  };
  const std::string column = context.mirrors() ? m.mirroredColumn : "$t";
  const std::string row = context.mirrors() ? m.mirroredRow : "$t";
  std::string text;
  for (int i = 0; i < context.schedule().columns + 2 * rx; ++i) {
    text += fmt::format("  const bool ix{0} = true;\n  int c{0} = {1};\n", i,
                        term(m.columnCentre, i - rx, m.columnStep, column)) +
            columnWeights(context, kernel, i, false);
  }
  for (int i = 0; i < context.schedule().rows + 2 * ry; ++i) {
    text += fmt::format("  int q{0} = {1};\n  const bool iy{0} = true;\n", i,
                        term(m.rowCentre, i - ry, m.rowStep, row));
  }
  return text;
}

// The condition that all taps of the thread are inside along an axis.
std::string allInside(const StencilContext& context, char axis) {
  const int radius = axis == 'x' ? context.use().radiusX() : context.use().radiusY();
  const int patch = context.shader.node.patch;
  const int pixels = axis == 'x' ? context.schedule().columns : context.schedule().rows;
  const bool isDynamic = context.use().hasReach() && radius > 0;
  return fill("$p >= $r * s && $p + ($more + $r) * s < e.$a",
              {{"p", axis == 'x' ? "x" : "y0"},
               {"a", std::string(1, axis)},
               {"r", isDynamic ? fmt::format("(reach + {})", patch) : std::to_string(radius + patch)},
               {"more", std::to_string(pixels - 1)}});
}

// The taps of a row that pixel o of the thread gathers, left to right; "" if none.
std::string gatherInto(const StencilContext& context, const StencilKernels& kernels, int row, int o) {
  const int rx = kernels.x.radius(), ry = kernels.y.radius(), own = context.columnOf(o);
  const int j = row - context.rowOf(o);
  if (j < 0 || j > 2 * ry)
    return {};
  // The centre's own row is always inside the image.
  const bool weighs = j != ry && context.border() == BorderRule::unweighted;
  std::string text = fill(weighs ? "    { float wy = iy$row ? $w : 0.0; float ly = iy$row ? $l : $no;\n"
                                 : "    { float wy = $w; float ly = $l;\n",
                          {{"row", std::to_string(row)},
                           {"w", kernels.y.weight(j)},
                           {"l", kernels.y.log2(j)},
                           {"no", StencilKernel::noWeight}});
  for (int i = 0; i <= 2 * rx; ++i) {
    if (!kernels.hasTap(i, j))
      continue;
    std::string condition = i != rx ? fmt::format("ix{}", i + own) : "";
    condition += j != ry ? (condition.empty() ? "" : " && ") + fmt::format("iy{}", row) : "";
    text += context.skipsOutside() && !condition.empty() ? fmt::format("      if ({})", condition) : "     ";
    text += fmt::format(
        " n0_gather(a{0}, k{0}, t{1}, Offset(ivec2({2}, {3}), ivec2({2}, {3}) * s, {4} * wy, {5} + "
        "ly));\n",
        o, i + own, i - rx, j - ry, columnWeight(context, "wx", i + own, own),
        columnWeight(context, "lx", i + own, own));
  }
  return text + "    }\n";
}

// The taps of one row, gathered into every pixel of the thread that they reach.
std::string gatherRow(const StencilContext& context, const ThreadMapping& m, const StencilKernels& kernels,
                      int row) {
  std::string text = "  {\n";
  const int pixels = context.schedule().pixels();
  for (int i = 0; i < context.use().width() + context.schedule().columns - 1; ++i) {
    bool isRead = false;
    for (int o = 0; o < pixels; ++o)
      isRead = isRead || kernels.hasTap(i - context.columnOf(o), row - context.rowOf(o));
    if (isRead) {
      text += fmt::format("    n0_Tap t{} = {};\n", i,
                          tapCall(m, fmt::format("c{}", i), fmt::format("q{}", row)));
    }
  }
  for (int o = 0; o < pixels; ++o)
    text += gatherInto(context, kernels, row, o);
  return text + "  }\n";
}

std::string gatherRows(const StencilContext& context, const ThreadMapping& m, const StencilKernels& kernels) {
  std::string text;
  for (int row = 0; row < context.schedule().rows + 2 * kernels.y.radius(); ++row)
    text += gatherRow(context, m, kernels, row);
  return text;
}

}  // namespace

std::string gatherTaps(const StencilContext& context, const ThreadMapping& mapping) {
  const StencilKernels kernels(context);
  const bool loops = context.use().loops();
  const std::string rows = loops ? "" : gatherRows(context, mapping, kernels);
  const auto taps = [&](bool isInside) {
    return loops      ? loopOverTaps(context, mapping, isInside)
           : isInside ? insideTerms(context, mapping, kernels.x) + rows
                      : columnTerms(context, mapping, kernels.x) + rowTerms(context, mapping) + rows;
  };
  const std::string reach =
      context.use().hasReach()
          ? fmt::format("  const int reach = clamp(n0_reach(), 0, {});\n", context.shader.node.radius)
          : "";
  const std::string before = reach + centres(context, mapping);
  if (context.readsAllTaps() || !context.schedule().splitsBorders)
    return before + taps(context.readsAllTaps());
  return before +
         fmt::format("  if (subgroupAll({} && {})) {{\n", allInside(context, 'x'), allInside(context, 'y')) +
         taps(true) + "  } else {\n" + taps(false) + "  }\n";
}

}  // namespace lacuna
