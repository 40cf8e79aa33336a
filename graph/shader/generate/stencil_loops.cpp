// The tap loops of wide windows (families/wide_window.h): loops over rows, and over a few columns at a time.
// The taps of a pixel and their order are those of stencil_gather.cpp, weights and addresses are found tap by
// tap. Rows that some pixels of the thread reach and others don't stand before and behind the loop.

#include <fmt/format.h>

#include "graph/config/text.h"
#include "graph/families/wide_window.h"
#include "graph/shader/generate/stencil_kernel.h"

namespace lacuna {
namespace {

// The columns or rows of the thread's pixels that are reached.
struct Reached {
  int first = 0, last = 0;
};

class TapLoops {
 public:
  TapLoops(const StencilContext& context, const ThreadMapping& mapping, bool isInside)
      : context_(context),
        mapping_(mapping),
        kernel_(context),
        isInside_(isInside),
        radius_(context.radius()),
        columns_(context.schedule().columns),
        rows_(context.schedule().rows) {}

  std::string text() const {
    std::string text = constants();
    for (int k = 0; k < rows_ - 1; ++k) {
      text += row(std::to_string(k - radius_), {0, k});
    }
    text += fmt::format("  {{ int dy = {};\n  do {{\n", rows_ - 1 - radius_) + row("dy", {0, rows_ - 1}) +
            fmt::format("  }} while (++dy <= {});\n  }}\n", radius_);
    for (int k = 1; k < rows_; ++k) {
      text += row(std::to_string(k + radius_), {k, rows_ - 1});
    }
    return text;
  }

 private:
  std::string constants() const {
    std::string text;
    if (!kernel_.isUniform()) {
      std::string weights, logarithms;
      for (int i = 0; i < context_.taps(); ++i) {
        weights += (i > 0 ? ", " : "") + kernel_.weight(i);
        logarithms += (i > 0 ? ", " : "") + kernel_.log2(i);
      }
      text += fmt::format(
          "  const float kernelWeight[{0}] = float[]({1});\n"
          "  const float kernelLog2[{0}] = float[]({2});\n",
          context_.taps(), weights, logarithms);
    }
    // How many taps lie inside on either side of the first pixel.
    return isInside_ ? text
                     : text +
                           "  const int logStep = findMSB(s);\n"
                           "  const ivec2 least = -(ivec2(x, y0) >> logStep);\n"
                           "  const ivec2 most = (e - 1 - ivec2(x, y0)) >> logStep;\n";
  }

  // A kernel weight, or its logarithm, `steps` from the pixel; 0 where there is no pixel.
  std::string weight(const std::string& steps, const std::string& inside) const {
    return choice(inside,
                  kernel_.isUniform() ? kernel_.weight(0) : fmt::format("kernelWeight[{}]", index(steps)),
                  "0.0");
  }
  std::string logarithm(const std::string& steps, const std::string& inside) const {
    return choice(inside, kernel_.isUniform() ? kernel_.log2(0) : fmt::format("kernelLog2[{}]", index(steps)),
                  StencilKernel::noWeight);
  }
  std::string choice(const std::string& inside, const std::string& there, const std::string& else_) const {
    return isInside_ ? there : fmt::format("{} ? {} : {}", inside, there, else_);
  }
  std::string index(const std::string& steps) const { return fmt::format("{} + {}", steps, radius_); }

  // The term of a column or row `steps` from the first pixel's: `term`, and whether a pixel is there,
  // `inside`.
  std::string place(const std::string& term, const std::string& inside, const std::string& steps,
                    char axis) const {
    const bool isColumn = axis == 'x';
    const std::string& centre = isColumn ? mapping_.columnCentre : mapping_.rowCentre;
    const std::string& step = isColumn ? mapping_.columnStep : mapping_.rowStep;
    if (isInside_) {
      const std::string& mirrored = isColumn ? mapping_.mirroredColumn : mapping_.mirroredRow;
      const std::string plain = fmt::format("{} + {} * {}", centre, steps, step);
      return fmt::format("int {} = {};\n", term, context_.mirrors() ? fill(mirrored, {{"t", plain}}) : plain);
    }
    return fmt::format(
        "int {0} = clamp({1}, least.{2}, most.{2}); bool {3} = {0} == {1}; {0} = {4} + {0} * {5};\n", term,
        steps, axis, inside, centre, step);
  }

  std::string row(const std::string& steps, const Reached& rows) const {
    std::string text = "  {\n";
    text += fmt::format("    int dq = {};\n    ", steps) + place("q", "iy", "dq", 'y');
    for (int own = rows.first; own <= rows.last; ++own) {
      text += fmt::format("    int dy{0} = dq - {0}; float wy{0} = {1}; float ly{0} = {2};\n", own,
                          weight(fmt::format("dy{}", own), "iy"), logarithm(fmt::format("dy{}", own), "iy"));
    }
    return text + columns(rows) + "  }\n";
  }

  // All columns of a row from left to right.
  std::string columns(const Reached& rows) const {
    std::string text;
    for (int k = 0; k < columns_ - 1; ++k) {
      text += taps(std::to_string(k - radius_), 1, {0, k}, rows);
    }
    const int first = columns_ - 1 - radius_, count = context_.taps() - columns_ + 1;
    const int together = tapsTogether(count, context_.schedule().pixels()), looped = count - count % together;
    text += fmt::format("    {{ int dx = {};\n    do {{\n", first) +
            taps("dx", together, {0, columns_ - 1}, rows) +
            fmt::format("    }} while ((dx += {}) < {});\n    }}\n", together, first + looped) +
            taps(std::to_string(first + looped), count - looped, {0, columns_ - 1}, rows);
    for (int k = 1; k < columns_; ++k) {
      text += taps(std::to_string(k + radius_), 1, {k, columns_ - 1}, rows);
    }
    return text;
  }

  // Taps of neighbouring columns, the first `steps` from the first pixel's: all are read, then gathered.
  std::string taps(const std::string& steps, int count, const Reached& columns, const Reached& rows) const {
    if (count == 0) {
      return {};
    }
    std::string text = "    {\n";
    for (int i = 0; i < count; ++i) {
      text += fmt::format("      int dc{0} = {1} + {0}; ", i, steps) +
              place(fmt::format("c{}", i), fmt::format("ix{}", i), fmt::format("dc{}", i), 'x') +
              fmt::format("      n0_Tap t{} = {};\n", i,
                          fill(mapping_.tapCall, {{"c", fmt::format("c{}", i)}, {"q", "q"}}));
      for (int own = columns.first; own <= columns.last; ++own) {
        const std::string dx = fmt::format("dx{}_{}", i, own), inside = fmt::format("ix{}", i);
        text += fmt::format("      int {0} = dc{1} - {2}; float wx{1}_{2} = {3}; float lx{1}_{2} = {4};\n",
                            dx, i, own, weight(dx, inside), logarithm(dx, inside));
      }
    }
    for (int o = 0; o < context_.schedule().pixels(); ++o) {
      const int column = context_.columnOf(o), row = context_.rowOf(o);
      if (column >= columns.first && column <= columns.last && row >= rows.first && row <= rows.last) {
        for (int i = 0; i < count; ++i) {
          text += gather(o, i, column, row);
        }
      }
    }
    return text + "    }\n";
  }

  std::string gather(int o, int i, int column, int row) const {
    const std::vector<std::pair<std::string, std::string>> values = {
        {"o", std::to_string(o)},
        {"i", std::to_string(i)},
        {"x", fmt::format("{}_{}", i, column)},
        {"y", std::to_string(row)},
        {"r", std::to_string(radius_)},
        {"square", std::to_string(radius_ * radius_)}};
    std::string condition = kernel_.circular() ? fill("dx$x * dx$x + dy$y * dy$y <= $square", values) : "";
    if (kernel_.hasZero()) {
      condition += (condition.empty() ? "" : " && ") +
                   fill("kernelWeight[dx$x + $r] != 0.0 && kernelWeight[dy$y + $r] != 0.0", values);
    }
    return (condition.empty() ? "      " : fmt::format("      if ({}) ", condition)) +
           fill(
               "n0_gather(a$o, k$o, t$i, Offset(ivec2(dx$x, dy$y), ivec2(dx$x, dy$y) * s, wx$x * wy$y, "
               "lx$x + ly$y));\n",
               values);
  }

  const StencilContext& context_;
  const ThreadMapping& mapping_;
  const StencilKernel kernel_;
  bool isInside_;
  int radius_, columns_, rows_;
};

}  // namespace

std::string loopOverTaps(const StencilContext& context, const ThreadMapping& mapping, bool isInside) {
  return TapLoops(context, mapping, isInside).text();
}

}  // namespace lacuna
