#include "tests/cli/own_commands.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <half.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <sstream>

#include "modules/codecs/codec.h"
#include "tests/io/exr_parts.h"
#include "tests/io/tagged_files.h"
#include "tests/support/weights_file.h"

namespace lacuna::test {
namespace {

using Words = std::vector<std::string>;

std::string endingOf(const std::string& path) {
  return fs::path(path).extension().string().substr(1);
}

io::Chromaticities primariesNamed(const std::string& name) {
  static const std::map<std::string, io::Chromaticities> known = {
      {"p3", {0.3127, 0.3290, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060}},
      {"adobe", io::adobeRgbWhiteAndPrimaries},
      {"prophoto", {0.3457, 0.3585, 0.734699, 0.265301, 0.159597, 0.840403, 0.036598, 0.000105}},
      {"acescg", {0.32168, 0.33767, 0.713, 0.293, 0.165, 0.830, 0.128, 0.044}},
      {"aces2065", {0.32168, 0.33767, 0.7347, 0.2653, 0.0, 1.0, 0.0001, -0.0770}},
      {"rec2020", io::rec2020WhiteAndPrimaries}};
  return known.at(name);
}

// PNG and JPEG files have opaque bytes, others opaque floats from 0 to 1. Of what `more` says, each is a
// word NAME=VALUE; `grey=1`.
void writePicture(const std::string& path, Extent extent, const std::map<std::string, std::string>& more) {
  const std::string ending = endingOf(path);
  const auto of = [&](const char* name) { return more.contains(name) ? more.at(name) : std::string(); };
  const bool isFloat = ending == "exr" || ending == "pfm" || ending == "npy";
  const Format format = of("bits") == "16" ? (isFloat ? Format::f16 : Format::u16)
                        : isFloat          ? Format::f32
                                           : Format::u8;
  const ValueType type{Channels::rgba, format, ColourTag::rec709, extent};
  std::mt19937_64 random = namedRandom(fs::path(path).filename());
  std::vector<std::byte> pixels = randomBytes(byteSize(type), random);
  const size_t size = format == Format::f32 ? 4 : format == Format::u8 ? 1 : 2;
  for (size_t at = 0; at < pixels.size(); at += size) {
    const bool isAlpha = at / size % 4 == 3;
    if (format == Format::f32) {
      const float value = isAlpha ? 1.0F : std::uniform_real_distribution<float>(0.0F, 1.0F)(random);
      std::memcpy(&pixels[at], &value, sizeof value);
    } else if (format == Format::f16) {
      pixels[at + 1] = isAlpha ? std::byte{0x3c} : pixels[at + 1] & std::byte{0x3b};
      pixels[at] = isAlpha ? std::byte{0} : pixels[at];
    } else if (isAlpha) {
      std::fill_n(&pixels[at], size, std::byte{255});
    }
  }
  if (more.empty() || isFloat || ending == "ppm")
    return writeImage(ending, path, {{"output", type, pixels}});
  Tags tags;
  const std::string profile = of("profile"), name = profile.substr(0, profile.find(':'));
  const double gamma = name == profile ? 0.0 : std::stod(profile.substr(name.size() + 1));
  if (!name.empty())
    tags.profile = name == "tables" ? tableProfile()
                   : name == "grey" ? greyProfile(gamma)
                                    : rgbProfile(primariesNamed(name), gamma);
  if (more.contains("gamma"))
    tags.gamma = std::stod(of("gamma"));
  if (more.contains("primaries"))
    tags.whiteAndPrimaries = primariesNamed(of("primaries"));
  if (more.contains("lens")) {
    tags.exif = cameraExif(1);
    tags.exif.replace(tags.exif.find("20mm"), 4, of("lens"));
  }
  const Picture picture{type, pixels, more.contains("grey")};
  if (ending == "png")
    writeTaggedPng(path, picture, tags);
  else
    writeTaggedJpeg(path, picture, tags);
  if (more.contains("cicp"))
    insertChunk(path, "cICP",
                {static_cast<char>(std::stoi(of("cicp"))), static_cast<char>(std::stoi(of("curve"))), 0, 1},
                "IDAT");
}

// A surface that moves by (3, `stepY`) pixels a frame, with the motion vectors of a convention.
void writeMovingFrame(const std::string& path, int frame, float motionX, float motionY, int stepY) {
  constexpr Extent extent{48, 40};
  const size_t count = size_t{extent.width} * extent.height;
  std::vector<float> colour(4 * count), albedo(4 * count), normal(4 * count), depth(count), motion(2 * count);
  for (size_t i = 0; i < count; ++i) {
    const int x = static_cast<int>(i % extent.width) - 3 * frame + 1000;
    const int y = static_cast<int>(i / extent.width) - stepY * frame + 1000;
    const float tile = static_cast<float>((x / 4 * 7 + y / 4 * 13) % 11) / 11.0F;
    for (size_t c = 0; c < 3; ++c) {
      albedo[4 * i + c] = tile;
      colour[4 * i + c] = tile * (0.5F + static_cast<float>((x * 31 + y * 17 + frame * 7) % 13) / 13.0F);
    }
    colour[4 * i + 3] = 1.0F;
    normal[4 * i + 2] = 1.0F;
    depth[i] = 2.0F + tile;
    motion[2 * i] = motionX;
    motion[2 * i + 1] = motionY;
  }
  const auto plane = [](const char* name, Channels channels, const std::vector<float>& values) {
    return NamedImage{
        name,
        {channels, Format::f32, name == std::string("output") ? ColourTag::rec709 : ColourTag::data, extent},
        std::as_bytes(std::span(values))};
  };
  writeImage("exr", path,
             {plane("output", Channels::rgba, colour), plane("albedo", Channels::rgb, albedo),
              plane("normal", Channels::normal, normal), plane("depth", Channels::depth, depth),
              plane("motion", Channels::mv, motion)});
}

// A plane's values as they are stored; `name` is a plane or layer=NAME.
struct Stored {
  ValueType type;
  std::vector<std::byte> pixels;
};

Stored storedIn(const std::string& path, const std::string& name = "output") {
  ReadOptions options{.profile = false};
  std::string plane = name;
  if (name.starts_with("layer=")) {
    options.layers["output"] = name.substr(6);
    plane = "output";
  }
  const std::string codec = codecOfFile(path);
  Stored stored{probeImage(codec, path, {plane}, options).at(plane), {}};
  stored.pixels.resize(byteSize(stored.type));
  readImage(codec, path, plane, stored.type, stored.pixels, options);
  return stored;
}

bool sameColours(const std::string& pathA, const std::string& pathB) {
  const auto coloursOf = [](const std::string& path) {
    return io::codecOfWord(codecOfFile(path))->metadata(path, {}).colour;
  };
  const io::ColourDescription a = coloursOf(pathA), b = coloursOf(pathB);
  // Files of two formats say the same in two ways.
  const auto primariesA = io::primariesOf(a), primariesB = io::primariesOf(b);
  return a == b || (endingOf(pathA) != endingOf(pathB) && primariesA && primariesB &&
                    io::close(*primariesA, *primariesB));
}

// `same A B [PLANE]`: stored values; `same-colours A B`: what files say about colours; of both `NAME...
// FOLDER/`. 1 with the names that differ.
Outcome compared(const Words& words, const std::string& folder) {
  const bool isFolder = words.back().ends_with('/');
  const std::string plane = !isFolder && words.size() > 3 ? words[3] : "output";
  Outcome outcome{0};
  for (size_t i = 1; i < (isFolder ? words.size() - 1 : 2); ++i) {
    const std::string a = folder + words[i],
                      b = folder +
                          (isFolder ? words.back() + fs::path(words[i]).filename().string() : words.at(2));
    if (words[0] == "same-colours" ? sameColours(a, b)
                                   : storedIn(a, plane).pixels == storedIn(b, plane).pixels)
      continue;
    outcome.code = 1;
    outcome.err += isFolder ? words[i] + "\n" : "";
  }
  return outcome;
}

// A plane of an OpenEXR file as another file's; in OpenEXR files three components are colours, as a renderer
// writes them.
void writePlane(const std::string& from, const std::string& plane, const std::string& to) {
  Stored stored = storedIn(from, plane);
  const bool isColour = endingOf(to) == "exr" &&
                        (stored.type.channels == Channels::rgb || stored.type.channels == Channels::normal);
  if (isColour) {
    stored.type.channels = Channels::rgb;
    stored.type.colour = ColourTag::rec709;
  }
  writeImage(endingOf(to), to, {{isColour ? "output" : plane, stored.type, stored.pixels}});
}

// `near FILE X,Y TOLERANCE VALUE...`: the components of a pixel; 1 if they differ by more, with a message.
Outcome near(const Words& words, const std::string& folder) {
  const Stored stored = storedIn(folder + words.at(1));
  size_t x = 0, y = 0;
  std::sscanf(words.at(2).c_str(), "%zu,%zu", &x, &y);
  std::vector<double> found;
  const size_t components = static_cast<size_t>(componentCount(stored.type.channels));
  const std::byte* at = stored.pixels.data() + (y * stored.type.extent.width + x) *
                                                   bytesPerPixel(stored.type.channels, stored.type.format);
  for (size_t c = 0; c < components; ++c) {
    uint16_t word = 0;
    float value = 0;
    switch (stored.type.format) {
      case Format::u8:
        found.push_back(std::to_integer<int>(at[c]) / 255.0);
        break;
      case Format::f32:
        std::memcpy(&value, at + 4 * c, sizeof value);
        found.push_back(value);
        break;
      default:
        std::memcpy(&word, at + 2 * c, sizeof word);
        found.push_back(stored.type.format == Format::u16 ? word / 65535.0
                                                          : float{half(half::FromBits, word)});
    }
  }
  bool isNear = true;
  for (size_t c = 0; c + 4 < words.size(); ++c)
    isNear = isNear && std::abs(found.at(c) - std::stod(words[4 + c])) <= std::stod(words[3]);
  return {isNear ? 0 : 1, {}, isNear ? "" : fmt::format("{:.5g}\n", fmt::join(found, " "))};
}

// `picture NAME... WxH [NAME=VALUE...]`, `pictures PATTERN FIRST COUNT WxH`, `moving PATTERN FIRST COUNT X
// Y`.
void writeFrames(const Words& words, const std::string& folder) {
  Words names;
  Extent extent;
  std::map<std::string, std::string> more;
  for (size_t i = 1; i < words.size() && words[0] == "picture"; ++i)
    if (std::sscanf(words[i].c_str(), "%ux%u", &extent.width, &extent.height) == 2)
      for (++i; i < words.size(); ++i)
        more[words[i].substr(0, words[i].find('='))] = words[i].substr(words[i].find('=') + 1);
    else
      names.push_back(words[i]);
  if (words[0] != "picture") {
    std::sscanf(words.back().c_str(), "%ux%u", &extent.width, &extent.height);
    for (int i = 0; i < std::stoi(words.at(3)); ++i)
      names.push_back(framePath(words[1], std::stoi(words[2]) + i));
  }
  for (size_t i = 0; i < names.size(); ++i) {
    const std::string path = folder + names[i];
    fs::create_directories(fs::path(path).parent_path());
    if (words[0] == "moving")
      writeMovingFrame(path, static_cast<int>(i), std::stof(words.at(4)), std::stof(words.at(5)),
                       words.size() > 6 ? std::stoi(words[6]) : -2);
    else
      writePicture(path, extent, more);
  }
}

// `layers FILE CHANNEL...`: ~ is a space; a channel that ends with =1 is 1 everywhere. `tiles=3x2` are tiles
// with mipmaps; `views=left,right` is the attribute of several views.
void writeLayers(const Words& words, const std::string& folder) {
  Part part;
  for (std::string channel : Words(words.begin() + 2, words.end())) {
    if (unsigned width = 0, height = 0; std::sscanf(channel.c_str(), "tiles=%ux%u", &width, &height) == 2) {
      part.tiles = Imf::TileDescription(width, height, Imf::MIPMAP_LEVELS, Imf::ROUND_UP);
      continue;
    }
    if (channel.starts_with("views=")) {
      const size_t comma = channel.find(',');
      part.views = {channel.substr(6, comma - 6), channel.substr(comma + 1)};
      continue;
    }
    std::ranges::replace(channel, '~', ' ');
    if (channel.ends_with("=1"))
      part.even.insert(channel.erase(channel.size() - 2));
    part.channels.push_back(channel);
  }
  writeParts(folder + words.at(1), {part});
}

// `weights FILE PLANE...`: a small random network for these planes.
void writeWeights(const Words& words, const std::string& folder) {
  std::vector<unet::Plane> planes;
  for (const std::string& name : Words(words.begin() + 2, words.end()))
    planes.push_back(name == "albedo"   ? unet::Plane::albedo
                     : name == "normal" ? unet::Plane::normal
                     : name == "depth"  ? unet::Plane::depth
                                        : unet::Plane::colour);
  std::mt19937_64 random = namedRandom(words.at(1));
  spill(folder + words[1], weightsFile(randomNetwork(random, planes, 4)));
}

// `archive FILE TRANSFER CHANNELS`: one of Open Image Denoise's small networks with random numbers.
void writeArchive(const Words& words, const std::string& folder) {
  std::mt19937_64 random = namedRandom(words[1]);
  const auto channels = static_cast<uint32_t>(std::stoi(words.at(3)));
  spill(folder + words[1],
        archiveFile(archivedNetwork(random, unet::transferNamed(words.at(2)), channels, 3)));
}

}  // namespace

std::optional<Outcome> ownCommand(const std::string& command, const std::string& folder) {
  std::istringstream stream(command);
  const Words words(std::istream_iterator<std::string>(stream), {});
  const std::string in = folder + "/";
  const std::map<std::string, std::function<void()>> makers = {
      {"picture", [&] { writeFrames(words, in); }},
      {"pictures", [&] { writeFrames(words, in); }},
      {"moving", [&] { writeFrames(words, in); }},
      {"layers", [&] { writeLayers(words, in); }},
      {"deep", [&] { writeDeep(in + words.at(1)); }},
      {"plane", [&] { writePlane(in + words.at(1), words.at(2), in + words.at(3)); }},
      {"weights", [&] { writeWeights(words, in); }},
      {"archive", [&] { writeArchive(words, in); }}};
  const auto maker = makers.find(words[0]);
  const bool compares = words[0] == "same" || words[0] == "same-colours";
  if (!compares && words[0] != "near" && maker == makers.end())
    return std::nullopt;
  try {
    if (maker == makers.end())
      return compares ? compared(words, in) : near(words, in);
    maker->second();
  } catch (const std::exception& error) {
    return Outcome{1, {}, std::string(error.what()) + "\n"};
  }
  return Outcome{0};
}

}  // namespace lacuna::test
