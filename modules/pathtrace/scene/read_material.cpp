#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "graph/config/text.h"
#include "graph/files/file_name.h"
#include "graph/lists.h"
#include "modules/codecs/image_file.h"
#include "pathtrace/scene/read_parts.h"

namespace lacuna::pathtrace {
namespace {

using Kind = SettingForm::Kind;

constexpr Range fromZeroToOne{0, 1};
constexpr Range positive{0, 1e6, true};

std::vector<SettingForm> textured(std::vector<SettingForm> more) {
  std::vector<SettingForm> forms = {
      {"albedo", {1, 3}, fromZeroToOne, "R G B"},
      {"checker", {2, 6}, fromZeroToOne, "R G B R G B"},
      {"image", {1}, {}, "\"FILE\"", Kind::word},
      {"scale", {1, 2}, positive, "U V"},
  };
  forms.insert(forms.end(), more.begin(), more.end());
  return forms;
}

struct SurfaceForm {
  std::string name;
  Surface surface;
  std::vector<SettingForm> settings;
};

const std::vector<SurfaceForm>& surfaces() {
  static const std::vector<SurfaceForm> all = {
      {"diffuse", Surface::diffuse, textured({})},
      {"glossy", Surface::glossy, textured({{"roughness", {1}, {0.03, 1}, "R"}})},
      {"mirror", Surface::mirror, textured({})},
      {"glass", Surface::glass, textured({{"ior", {1}, {1, 4, true}, "N"}})},
      {"emissive", Surface::emissive, {{"radiance", {1, 3}, {0, 1e9}, "R G B"}}},
  };
  return all;
}

const SurfaceForm* findSurface(const Word& word, Diagnostics& diagnostics) {
  const SurfaceForm* form = findNamed(surfaces(), word.text);
  if (form == nullptr) {
    diagnostics.error(word.where, fmt::format("there is no surface '{}'", word.text),
                      suggest(word.text, namesIn(surfaces()), "there are"));
  }
  return form;
}

// Rec. 709 from Rec. 2020, row by row; modules/shared/colour.glsl says where the numbers are from.
constexpr std::array<std::array<double, 3>, 3> rec709FromRec2020 = {
    {{1.660491002, -0.587641139, -0.072849863},
     {-0.124550475, 1.132899897, -0.008349423},
     {-0.018150763, -0.100578898, 1.118729661}}};

std::array<float, 3> toRec709(const std::array<float, 3>& v) {
  std::array<float, 3> result{};
  std::ranges::transform(rec709FromRec2020, result.begin(), [&](const auto& m) {
    return static_cast<float>(m[0] * v[0] + m[1] * v[1] + m[2] * v[2]);
  });
  return result;
}

// Values may exceed [0, 1] by this without a warning, since conversions round.
constexpr float slack = 0.01F;

// Whether the value needs a warning.
bool clip(float& value) {
  const bool outside = !(value >= -slack && value <= 1 + slack);
  value = value > 0 ? std::min(value, 1.0F) : 0.0F;  // NaN: 0
  return outside;
}

// PNG, JPEG (decoded from sRGB), EXR, PFM (linear), of any primaries that modules/codecs knows. A reflectance
// is in [0, 1]: values outside are clipped, NaN to 0, with a warning at `where`. An unreadable file is an
// error there.
std::optional<Image> loadImage(const std::string& path, const Location& where, Diagnostics& diagnostics) {
  ColourImage loaded;
  try {
    loaded = loadColour(path);
  } catch (const FileError& error) {
    diagnostics.error(where, error.what());
    return std::nullopt;
  }
  Image image{path, static_cast<int>(loaded.extent.width), static_cast<int>(loaded.extent.height), {}};
  image.pixels.reserve(loaded.rgb.size() / 3);
  size_t clipped = 0;
  for (size_t i = 0; i + 2 < loaded.rgb.size(); i += 3) {
    std::array<float, 3> pixel = {loaded.rgb[i], loaded.rgb[i + 1], loaded.rgb[i + 2]};
    if (loaded.colour == ColourTag::rec2020)
      pixel = toRec709(pixel);
    bool outside = false;
    for (float& value : pixel)
      outside = clip(value) || outside;
    clipped += outside ? 1 : 0;
    image.pixels.push_back(pixel);
  }
  // Colours outside the gamut of Rec. 709 are not a mistake.
  if (clipped > 0 && loaded.colour != ColourTag::rec2020) {
    diagnostics.warn(
        where, fmt::format("{} pixels of {} lie outside [0, 1], the range of a reflectance; they are clipped",
                           clipped, path));
  }
  return image;
}

int imageOf(const Word& file, const std::string& folder, std::vector<Image>& images,
            Diagnostics& diagnostics) {
  const std::string path = (std::filesystem::path(folder) / file.text).lexically_normal().generic_string();
  const auto known = std::ranges::find_if(images, [&](const Image& image) { return image.file == path; });
  if (known != images.end())
    return static_cast<int>(known - images.begin());
  auto image = loadImage(path, file.where, diagnostics);
  if (!image)
    return none;
  images.push_back(std::move(*image));
  return static_cast<int>(images.size()) - 1;
}

// The colour may be given in only one way.
void checkOneColour(const Settings& settings, Diagnostics& diagnostics) {
  const Setting* first = nullptr;
  for (const Setting& each : settings.all()) {
    if (each.name.text != "albedo" && each.name.text != "checker" && each.name.text != "image")
      continue;
    if (first != nullptr)
      diagnostics.error(each.name.where, fmt::format("the colour is already given by '{}'", first->name.text),
                        "a material has one of albedo, checker and image");
    first = first != nullptr ? first : &each;
  }
}

Texture readTexture(const Settings& settings, Surface surface, const std::string& folder,
                    std::vector<Image>& images, Diagnostics& diagnostics) {
  Texture texture;
  checkOneColour(settings, diagnostics);
  if (surface == Surface::mirror || surface == Surface::glass)  // unless it is set
    texture.colour = {1, 1, 1};
  texture.colour = settings.vector("albedo", texture.colour);
  if (const Setting* checker = settings.find("checker")) {
    texture.kind = Texture::Kind::checker;
    const std::vector<double>& numbers = checker->numbers;
    texture.colour = numbers.size() == 2 ? Vec3{numbers[0], numbers[0], numbers[0]} : vectorOf(numbers);
    texture.other = vectorOf(numbers, numbers.size() / 2);
  }
  if (const Setting* image = settings.find("image")) {
    texture.kind = Texture::Kind::image;
    texture.image = imageOf(image->word, folder, images, diagnostics);
  }
  if (const Setting* scale = settings.find("scale")) {
    texture.scale = {scale->numbers[0], scale->numbers.back()};
    if (!settings.wasGiven("checker") && !settings.wasGiven("image")) {
      diagnostics.error(scale->name.where, "there is nothing to scale",
                        "'scale' multiplies texture coordinates, for checker and image");
    }
  }
  return texture;
}

}  // namespace

Material readMaterial(const SceneLine& line, const std::string& folder, std::vector<Image>& images,
                      Diagnostics& diagnostics) {
  Material material;
  material.name = line.words[1].text;
  const SurfaceForm* form = findSurface(line.words[2], diagnostics);
  if (form == nullptr)
    return material;
  material.surface = form->surface;
  const Settings settings(std::span(line.words).subspan(3), form->settings,
                          fmt::format("{} {} material", form->name == "emissive" ? "an" : "a", form->name),
                          diagnostics);
  if (material.surface == Surface::emissive) {
    material.radiance = settings.vector("radiance", {});
    if (!settings.wasGiven("radiance")) {
      diagnostics.error(line.words[2].where, "an emissive material needs its 'radiance'",
                        "expected radiance R G B");
    }
    return material;
  }
  material.albedo = readTexture(settings, material.surface, folder, images, diagnostics);
  material.roughness = settings.number("roughness", material.roughness);
  material.ior = settings.number("ior", material.ior);
  return material;
}

}  // namespace lacuna::pathtrace
