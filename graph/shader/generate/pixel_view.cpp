#include "graph/shader/generate/pixel_view.h"
#include "graph/config/text.h"

#include <fmt/format.h>

#include "graph/shader/generate/glsl_source.h"
#include "graph/shader/generate/prelude.h"

namespace lacuna {
namespace {

// Expression that widens the body's type (v) to a vec4; a missing fourth component is `last`.
std::string widen(int components, const std::string& v) {
  switch (components) {
    case 1:
      return fmt::format("vec4({}, 0.0, 0.0, 0.0)", v);
    case 2:
      return fmt::format("vec4({}, 0.0, 0.0)", v);
    case 3:
      return fmt::format("vec4({}, 1.0)", v);
    default:
      return v;
  }
}

std::string narrow(int components, const std::string& v) {
  static const char* const swizzles[] = {"", ".x", ".xy", ".xyz", ""};
  return v + swizzles[components];
}

struct CodecText {
  std::string decode;  // of w
  std::string encode;  // of v
};

// v, but so that the compiler can't see its origin. Mesa folds a conversion to half into the texture fetch
// before it, and truncates there where packHalf2x16 rounds.
std::string hidden(int components, const std::string& v) {
  static const char* const words[] = {"", "uint", "uvec2", "uvec3", "uvec4"};
  return fmt::format("uintBitsToFloat(floatBitsToUint({}) ^ {}(opaqueZero()))", v, words[components]);
}

// Words hold the components in order, the first in the low bits.
CodecText packed(int components, const std::string& suffix, int perWord, int words,
                 const std::string& value) {
  if (words == 1) {
    const std::string decoded = fmt::format("unpack{}(w)", suffix);
    const std::string wide = perWord == 4      ? widen(components, value)
                             : components == 2 ? value
                                               : fmt::format("vec2({}, 0.0)", value);
    return {
        perWord == 2 && components == 2 ? decoded : narrow(components == perWord ? 4 : components, decoded),
        fmt::format("pack{}({})", suffix, wide)};
  }
  const std::string decoded = fmt::format("vec4(unpack{0}(w.x), unpack{0}(w.y))", suffix);
  const std::string encoded =
      fmt::format("uvec2(pack{0}(({1}).xy), pack{0}(({1}).zw))", suffix, widen(components, value));
  return {components == 3 ? decoded + ".xyz" : decoded, encoded};
}

CodecText floats(int components) {
  return components == 3 ? CodecText{"uintBitsToFloat(w.xyz)", "floatBitsToUint(vec4(v, 1.0))"}
                         : CodecText{"uintBitsToFloat(w)", "floatBitsToUint(v)"};
}

CodecText codec(Channels channels, Format format, bool hide) {
  const int n = componentCount(channels);
  const int words = static_cast<int>(wordsPerPixel(channels, format));
  switch (format) {
    case Format::u8:
      return packed(n, "Unorm4x8", 4, 1, "v");
    case Format::u16:
      return packed(n, "Unorm2x16", 2, words, "v");
    case Format::f16: {
      // Drivers remove packing to half and unpacking, and the rounding with them: a zero that they can't see
      // through separates the two.
      CodecText text = packed(n, "Half2x16", 2, words, hide ? hidden(n, "v") : "v");
      text.encode += " ^ opaqueZero()";
      return text;
    }
    case Format::f32:
      return floats(n);
    case Format::u32:
      break;
  }
  return {"w", "v"};
}

bool nativeImage(ImageFormat format) {
  return format == ImageFormat::rgba16f || format == ImageFormat::rgba32f || format == ImageFormat::r32f;
}

using Values = std::vector<std::pair<std::string, std::string>>;

Values viewValues(const PixelView& view) {
  const int n = componentCount(view.channels);
  const int words = static_cast<int>(wordsPerPixel(view.channels, view.format));
  static const char* const wordSwizzle[] = {"", ".x", ".xy", ".xyz", ""};
  return {{"name", view.name},
          {"binding", std::to_string(view.binding)},
          {"extent", view.extent},
          {"T", std::string(glslType(view.channels, view.format))},
          {"W", wordType(view.channels, view.format)},
          {"type", pixelTypeName(view.channels, view.format)},
          {"layout", std::string(name(view.foreign.value_or(imageFormat(view.channels, view.format))))},
          {"array", view.count > 1 ? fmt::format("[{}]", view.count) : ""},
          {"element", view.count > 1 ? "int e, " : ""},
          {"index", view.count > 1 ? "[e]" : ""},
          {"e", view.count > 1 ? "e, " : ""},
          {"swizzle", narrow(n, "")},
          {"words", wordSwizzle[words]},
          {"wide", widen(n, "v")}};
}

constexpr const char* readBuffer = R"(
layout(std430, binding = $binding) readonly restrict buffer Buffer_$name { $W data[]; } buffer_$name$array;
$W raw_$name(${element}ivec2 p) { ${place}return buffer_$name$index.data[p.y * $extent.x + p.x]; }
$T load_$name(${element}ivec2 p) { return decode_$type(raw_$name(${e}p)); }
)";

constexpr const char* readNativeImage = R"(
layout(binding = $binding) uniform sampler2D image_$name$array;
$T load_$name(${element}ivec2 p) { ${place}return texelFetch(image_$name$index, p, 0)$swizzle; }
$W raw_$name(${element}ivec2 p) { return encode_$type(load_$name(${e}p)); }
)";

// Of any format with floats.
constexpr const char* readForeignImage = R"(
layout(binding = $binding) uniform sampler2D image_$name$array;
$W raw_$name(${element}ivec2 p) { ${place}$T v = texelFetch(image_$name$index, p, 0)$swizzle; return encode_$type(v); }
$T load_$name(${element}ivec2 p) { return decode_$type(raw_$name(${e}p)); }
)";

constexpr const char* readWordImage = R"(
layout(binding = $binding) uniform usampler2D image_$name$array;
$W raw_$name(${element}ivec2 p) { ${place}return texelFetch(image_$name$index, p, 0)$words; }
$T load_$name(${element}ivec2 p) { return decode_$type(raw_$name(${e}p)); }
)";

constexpr const char* writeBuffer = R"(
layout(std430, binding = $binding) writeonly restrict buffer Buffer_$name { $W data[]; } buffer_$name;
void storeRaw_$name(ivec2 p, $W w) { ${place}buffer_$name.data[p.y * $extent.x + p.x] = w; }
void store_$name(ivec2 p, $T v) { storeRaw_$name(p, encode_$type(v)); }
)";

constexpr const char* writeNativeImage = R"(
layout(binding = $binding, $layout) uniform writeonly restrict image2D image_$name;
void store_$name(ivec2 p, $T u) { ${place}$T v = round_$type(u); imageStore(image_$name, p, $wide); }
void storeRaw_$name(ivec2 p, $W w) { ${place}$T v = decode_$type(w); imageStore(image_$name, p, $wide); }
)";

constexpr const char* writeWordImage = R"(
layout(binding = $binding, $layout) uniform writeonly restrict uimage2D image_$name;
void storeRaw_$name(ivec2 p, $W w) { ${place}imageStore(image_$name, p, $wideW); }
void store_$name(ivec2 p, $T v) { storeRaw_$name(p, encode_$type(v)); }
)";

// Turns positions in the picture into those in a tile. Pixels beyond the tile are never kept, so reads take
// any other one, and writes none.
std::string readPlace(const PixelView& view) {
  return view.isTile    ? fill("p = clamp(p - $origin, ivec2(0), $extent - 1); ",
                               {{"origin", shrunkOrigin(view.shrink)}, {"extent", view.extent}})
         : view.isWhole ? "p += partOrigin(); "
                        : "";
}

std::string writePlace(const PixelView& view) {
  return view.isTile
             ? fill("p -= $origin; if (!inside(p.x, $extent.x) || !inside(p.y, $extent.y)) { return; } ",
                    {{"origin", shrunkOrigin(view.shrink)}, {"extent", view.extent}})
             : "";
}

}  // namespace

std::string wordType(Channels channels, Format format) {
  static const char* const types[] = {"", "uint", "uvec2", "", "uvec4"};
  return types[wordsPerPixel(channels, format)];
}

std::string pixelTypeName(Channels channels, Format format) {
  static const char* const counts[] = {"", "x1", "x2", "x3", "x4"};
  return fmt::format("{}{}", name(format), counts[componentCount(channels)]);
}

std::string declareCodec(Channels channels, Format format, bool hide) {
  const CodecText text = codec(channels, format, hide);
  return fill(
      R"(
$T decode_$type($W w) { return $decode; }
$W encode_$type($T v) { return $encode; }
$T round_$type($T v) { return $round; }
)",
      {{"T", std::string(glslType(channels, format))},
       {"W", wordType(channels, format)},
       {"type", pixelTypeName(channels, format)},
       {"decode", text.decode},
       {"encode", text.encode},
       {"round", format == Format::f32 || format == Format::u32
                     ? "v"
                     : fill("decode_$type(encode_$type(v))", {{"type", pixelTypeName(channels, format)}})}});
}

std::string declareBytes(Channels channels) {
  const int n = componentCount(channels);
  return fill(
      "$T bytes_$type(uint w) { return $T((uvec4(w, w >> 8, w >> 16, w >> 24) & 255u)$components); }\n",
      {{"T", std::string(glslType(channels, Format::u8))},
       {"type", pixelTypeName(channels, Format::u8)},
       {"components", n == 1 ? ".x" : narrow(n, "")}});
}

std::string declareRead(const PixelView& view) {
  const bool image = view.storage == ResourceKind::image;
  const bool native = nativeImage(imageFormat(view.channels, view.format));
  Values values = viewValues(view);
  values.emplace_back("place", readPlace(view));
  return fill(!image         ? readBuffer
              : view.foreign ? readForeignImage
              : native       ? readNativeImage
                             : readWordImage,
              values);
}

std::string declareWrite(const PixelView& view) {
  Values values = viewValues(view);
  const uint32_t words = wordsPerPixel(view.channels, view.format);
  values.emplace_back("place", writePlace(view));
  values.emplace_back("wideW", words == 1 ? "uvec4(w, 0u, 0u, 0u)" : words == 2 ? "uvec4(w, 0u, 0u)" : "w");
  const bool image = view.storage == ResourceKind::image;
  const bool native = view.foreign || nativeImage(imageFormat(view.channels, view.format));
  return fill(!image ? writeBuffer : native ? writeNativeImage : writeWordImage, values);
}

}  // namespace lacuna
