#include "tests/reference/bilateral_colours.h"

#include <algorithm>
#include <cmath>

namespace lacuna::test {
namespace {

double decoded(double v) {
  return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
}

double encoded(double v) {
  return v <= 0.0031308 ? 12.92 * v : 1.055 * std::pow(v, 1.0 / 2.4) - 0.055;
}

// Rows of RGB to XYZ for D65 (IEC 61966-2-1, BT.2020), each divided by the white's component.
constexpr double white[3] = {0.3127 / 0.3290, 1.0, (1.0 - 0.3127 - 0.3290) / 0.3290};

// From the primaries: columns scaled so that they add up to white.
struct Primaries {
  double toXyz[3][3];
  double toRgb[3][3];
};

void invert(const double (&m)[3][3], double (&inverse)[3][3]) {
  const auto minor = [&](int r, int c) {
    const int r1 = (r + 1) % 3, r2 = (r + 2) % 3, c1 = (c + 1) % 3, c2 = (c + 2) % 3;
    return m[r1][c1] * m[r2][c2] - m[r1][c2] * m[r2][c1];
  };
  const double det = m[0][0] * minor(0, 0) + m[0][1] * minor(0, 1) + m[0][2] * minor(0, 2);
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c)
      inverse[c][r] = minor(r, c) / det;
}

Primaries primariesAt(const double (&xy)[3][2]) {
  double columns[3][3];
  for (int c = 0; c < 3; ++c) {
    columns[0][c] = xy[c][0] / xy[c][1];
    columns[1][c] = 1.0;
    columns[2][c] = (1.0 - xy[c][0] - xy[c][1]) / xy[c][1];
  }
  double inverse[3][3];
  invert(columns, inverse);
  Primaries made{};
  for (int c = 0; c < 3; ++c) {
    const double scale = inverse[c][0] * white[0] + inverse[c][1] * white[1] + inverse[c][2] * white[2];
    for (int r = 0; r < 3; ++r)
      made.toXyz[r][c] = columns[r][c] * scale / white[r];
  }
  invert(made.toXyz, made.toRgb);
  return made;
}

const Primaries& primariesOf(ColourTag tag) {
  static const Primaries rec709 = primariesAt({{0.64, 0.33}, {0.30, 0.60}, {0.15, 0.06}});
  static const Primaries rec2020 = primariesAt({{0.708, 0.292}, {0.170, 0.797}, {0.131, 0.046}});
  return tag == ColourTag::rec2020 ? rec2020 : rec709;
}

Colour times(const double (&m)[3][3], const Colour& v) {
  Colour result{};
  for (int r = 0; r < 3; ++r)
    result[static_cast<size_t>(r)] = m[r][0] * v[0] + m[r][1] * v[1] + m[r][2] * v[2];
  return result;
}

// CIE 15:2004, equations 8.3 to 8.10.
Colour toLab(const Colour& rgb, ColourTag tag) {
  Colour xyz = times(primariesOf(tag).toXyz, rgb);
  for (double& t : xyz)
    t = t > std::pow(6.0 / 29.0, 3.0) ? std::cbrt(t) : t * 841.0 / 108.0 + 4.0 / 29.0;
  return {116.0 * xyz[1] - 16.0, 500.0 * (xyz[0] - xyz[1]), 200.0 * (xyz[1] - xyz[2])};
}

Colour fromLab(const Colour& lab, ColourTag tag) {
  const double y = (lab[0] + 16.0) / 116.0;
  Colour xyz = {y + lab[1] / 500.0, y, y - lab[2] / 200.0};
  for (double& f : xyz)
    f = f > 6.0 / 29.0 ? f * f * f : (f - 4.0 / 29.0) * 108.0 / 841.0;
  return times(primariesOf(tag).toRgb, xyz);
}

}  // namespace

bool isInteger(Format format) {
  return format == Format::u8 || format == Format::u16;
}

Colours coloursOf(const Stored& stored, bool lab) {
  const Picture& picture = stored.picture;
  Colours colours{picture.width, picture.height, lab ? 3 : std::min(picture.components, 3), {}};
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const double* v = picture.at(x, y);
      Colour colour{};
      for (int c = 0; c < 3; ++c) {
        const double value = c < picture.components ? v[c] : picture.components == 1 ? v[0] : 0.0;
        colour[static_cast<size_t>(c)] = lab && isInteger(stored.type.format) ? decoded(value) : value;
      }
      const double unit = !lab && isInteger(stored.type.format) ? 255.0 : 1.0;
      colour = {colour[0] * unit, colour[1] * unit, colour[2] * unit};
      colours.values.push_back(lab ? toLab(colour, stored.type.colour) : colour);
    }
  }
  return colours;
}

Picture pictureWith(const Colours& colours, const Stored& input, bool lab) {
  Picture result = input.picture;
  const bool integers = isInteger(input.type.format);
  for (int y = 0; y < result.height; ++y) {
    for (int x = 0; x < result.width; ++x) {
      const Colour v = lab ? fromLab(colours.at(x, y), input.type.colour) : colours.at(x, y);
      for (int c = 0; c < std::min(result.components, 3); ++c) {
        const double value = v[static_cast<size_t>(c)];
        result.at(x, y)[c] = !integers ? value : std::clamp(lab ? encoded(value) : value / 255.0, 0.0, 1.0);
      }
    }
  }
  return result;
}

}  // namespace lacuna::test
