// copy(): formats, orders and strides against their definitions.

#include <array>
#include <cmath>
#include <cstring>
#include <limits>

#include "tests/door/embedder.h"
#include "tests/support/random.h"

namespace lacuna::test {
namespace {

// IEEE 754: (-1)^sign 2^(exponent - 15) 1.fraction; exponent 0: 2^-14 0.fraction.
double halfByDefinition(uint16_t half) {
  const int exponent = half >> 10 & 31, fraction = half & 1023;
  const double size = exponent == 31
                          ? (fraction == 0 ? std::numeric_limits<double>::infinity() : std::nan(""))
                      : exponent == 0 ? std::ldexp(fraction, -24)
                                      : std::ldexp(1024 + fraction, exponent - 25);
  return (half & 0x8000) != 0 ? -size : size;
}

float fromHalf(uint16_t half) {
  float value = 0.0F;
  copy({.pixels = &half, .width = 1, .height = 1, .order = ChannelOrder::x, .format = PixelFormat::f16},
       {.pixels = &value, .width = 1, .height = 1, .order = ChannelOrder::x});
  return value;
}

uint16_t toHalf(float value) {
  uint16_t half = 0;
  copy({.pixels = &value, .width = 1, .height = 1, .order = ChannelOrder::x},
       {.pixels = &half, .width = 1, .height = 1, .order = ChannelOrder::x, .format = PixelFormat::f16});
  return half;
}

TEST(Halves, BecomeFloatsAndComeBack) {
  for (int bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<uint16_t>(bits);
    const double expected = halfByDefinition(half);
    const float value = fromHalf(half);
    if (std::isnan(expected)) {
      EXPECT_TRUE(std::isnan(value) && std::isnan(fromHalf(toHalf(value)))) << bits;
    } else {
      ASSERT_EQ(static_cast<double>(value), expected) << bits;
      ASSERT_EQ(toHalf(value), half) << bits;
    }
  }
}

TEST(Halves, RandomFloatsGoToTheNearest) {
  std::mt19937_64& random = testRandom();
  for (int i = 0; i < 200'000; ++i) {
    const int size = static_cast<int>(random() % 48) - 30;
    const auto value =
        static_cast<float>(std::ldexp(std::uniform_real_distribution<double>(-1, 1)(random), size));
    const uint16_t half = toHalf(value);
    const double error = std::abs(halfByDefinition(half) - static_cast<double>(value));
    if (std::isinf(halfByDefinition(half))) {
      ASSERT_GE(std::abs(value), 65520.0F);
      continue;
    }
    for (const int step : {-1, 1}) {
      const auto next = static_cast<uint16_t>(half + step);
      if (!std::isnan(halfByDefinition(next)) && (next & 0x8000) == (half & 0x8000))
        ASSERT_LE(error, std::abs(halfByDefinition(next) - static_cast<double>(value))) << value;
    }
  }
}

TEST(Halves, TiesGoToTheEvenOne) {
  for (uint16_t half = 0; half < 0x7bff; ++half) {
    const double middle = (halfByDefinition(half) + halfByDefinition(static_cast<uint16_t>(half + 1))) / 2;
    const auto even = static_cast<uint16_t>(half + half % 2);
    ASSERT_EQ(toHalf(static_cast<float>(middle)), even) << half;
    ASSERT_EQ(toHalf(static_cast<float>(-middle)), even | 0x8000) << half;
  }
  EXPECT_EQ(toHalf(65520.0F), 0x7c00);
  EXPECT_EQ(toHalf(std::nextafter(65520.0F, 0.0F)), 0x7bff);
}

TEST(Copy, RoundsAndClampsToWholeNumbers) {
  const std::array<float, 8> from{-1.0F,           0.0F, 0.5F,          1.0F / 255.0F * 1.4F,
                                  254.6F / 255.0F, 7.0F, std::nanf(""), 1.0F};
  std::array<uint8_t, 8> bytes{};
  std::array<uint16_t, 8> shorts{};
  const ConstImageView source{.pixels = from.data(), .width = 8, .height = 1, .order = ChannelOrder::x};
  copy(
      source,
      {.pixels = bytes.data(), .width = 8, .height = 1, .order = ChannelOrder::x, .format = PixelFormat::u8});
  copy(source, {.pixels = shorts.data(),
                .width = 8,
                .height = 1,
                .order = ChannelOrder::x,
                .format = PixelFormat::u16});
  EXPECT_EQ(bytes, (std::array<uint8_t, 8>{0, 0, 128, 1, 255, 255, 0, 255}));
  EXPECT_EQ(shorts, (std::array<uint16_t, 8>{0, 0, 32768, 360, 65432, 65535, 0, 65535}));
}

TEST(Copy, KeepsWholeNumbersThroughEveryWiderFormat) {
  std::vector<uint8_t> bytes(256), back(256);
  for (size_t i = 0; i < 256; ++i)
    bytes[i] = static_cast<uint8_t>(i);
  for (const PixelFormat format : {PixelFormat::u16, PixelFormat::f16, PixelFormat::f32}) {
    std::vector<std::byte> between(1024);
    const ImageView middle{
        .pixels = between.data(), .width = 16, .height = 16, .order = ChannelOrder::x, .format = format};
    copy({.pixels = bytes.data(),
          .width = 16,
          .height = 16,
          .order = ChannelOrder::x,
          .format = PixelFormat::u8},
         middle);
    copy(readOnly(middle), {.pixels = back.data(),
                            .width = 16,
                            .height = 16,
                            .order = ChannelOrder::x,
                            .format = PixelFormat::u8});
    EXPECT_EQ(back, bytes);
  }
}

TEST(Copy, ReordersComponentsAndFillsAlpha) {
  const std::array<uint8_t, 6> bgr{3, 2, 1, 30, 20, 10};
  std::array<uint8_t, 8> rgba{};
  copy({.pixels = bgr.data(), .width = 2, .height = 1, .order = ChannelOrder::bgr, .format = PixelFormat::u8},
       {.pixels = rgba.data(),
        .width = 2,
        .height = 1,
        .order = ChannelOrder::rgba,
        .format = PixelFormat::u8});
  EXPECT_EQ(rgba, (std::array<uint8_t, 8>{1, 2, 3, 255, 10, 20, 30, 255}));
  std::array<uint8_t, 6> rgb{};
  copy(
      {.pixels = rgba.data(),
       .width = 2,
       .height = 1,
       .order = ChannelOrder::bgra,
       .format = PixelFormat::u8},
      {.pixels = rgb.data(), .width = 2, .height = 1, .order = ChannelOrder::rgb, .format = PixelFormat::u8});
  EXPECT_EQ(rgb, (std::array<uint8_t, 6>{3, 2, 1, 30, 20, 10}));
}

// Rows from the bottom up and pixels, both with gaps, which stay unchanged.
TEST(Copy, StepsOverGapsAndUpwards) {
  const std::array<uint16_t, 12> tight{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};  // 3 x 2, xy
  std::array<uint16_t, 24> wide{};
  wide.fill(777);
  const ImageView view{.pixels = wide.data() + 12,
                       .width = 3,
                       .height = 2,
                       .order = ChannelOrder::xy,
                       .format = PixelFormat::u16,
                       .rowBytes = -24,
                       .pixelBytes = 6};
  copy({.pixels = tight.data(),
        .width = 3,
        .height = 2,
        .order = ChannelOrder::xy,
        .format = PixelFormat::u16},
       view);
  EXPECT_EQ(wide, (std::array<uint16_t, 24>{7, 8, 777, 9, 10, 777, 11, 12, 777, 777, 777, 777,
                                            1, 2, 777, 3, 4,  777, 5,  6,  777, 777, 777, 777}));
  std::array<uint16_t, 12> back{};
  copy(readOnly(view), {.pixels = back.data(),
                        .width = 3,
                        .height = 2,
                        .order = ChannelOrder::xy,
                        .format = PixelFormat::u16});
  EXPECT_EQ(back, tight);
}

TEST(Copy, RefusesWhatDoesNotFit) {
  std::vector<float> a(64), b(64);
  const ConstImageView from = viewed(std::as_const(a), 4, 4);
  const auto refused = [&](const ConstImageView& source, const ImageView& target, const std::string& text) {
    const Error error = errorOf([&] { copy(source, target); });
    EXPECT_EQ(error.kind(), ErrorKind::call);
    EXPECT_EQ(error.messages().front().text, text);
  };
  refused(from, viewed(b, 4, 3), "copy: from 4x4 pixels to 4x3");
  refused(from, {.pixels = b.data(), .width = 4, .height = 4, .order = ChannelOrder::xy},
          "copy: from the order rgba to xy");
  refused(from, {.width = 4, .height = 4}, "copy: to: the view has no pixels (a null pointer)");
  refused({.pixels = a.data()}, viewed(b, 4, 4), "copy: from: the view has 0x0 pixels; expected 1x1 or more");
  refused(from, {.pixels = b.data(), .width = 4, .height = 4, .rowBytes = 48},
          "copy: to: rowBytes is 48, but a row of 4 pixels takes 64");
  refused(from, {.pixels = b.data(), .width = 4, .height = 4, .pixelBytes = 8},
          "copy: to: pixelBytes is 8, but a pixel takes 16");
}

}  // namespace
}  // namespace lacuna::test
