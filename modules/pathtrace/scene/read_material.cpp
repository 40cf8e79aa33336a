#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "graph/config/text.h"
#include "pathtrace/scene/load_image.h"
#include "pathtrace/scene/read_parts.h"
#include "pathtrace/scene/settings.h"

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
  std::vector<std::string> known;
  for (const SurfaceForm& form : surfaces()) {
    if (form.name == word.text) {
      return &form;
    }
    known.push_back(form.name);
  }
  const std::string hint = didYouMean(word.text, known);
  diagnostics.error(word.where, fmt::format("there is no surface '{}'", word.text),
                    hint.empty() ? "there are " + joinNames(known) : hint);
  return nullptr;
}

int imageOf(const Word& file, const std::string& folder, std::vector<Image>& images,
            Diagnostics& diagnostics) {
  const std::string path = (std::filesystem::path(folder) / file.text).lexically_normal().generic_string();
  const auto known =
      std::find_if(images.begin(), images.end(), [&](const Image& image) { return image.file == path; });
  if (known != images.end()) {
    return static_cast<int>(known - images.begin());
  }
  auto image = loadImage(path, file.where, diagnostics);
  if (!image) {
    return none;
  }
  images.push_back(std::move(*image));
  return static_cast<int>(images.size()) - 1;
}

// The colour may be given in one way.
bool isOneColour(const Settings& settings, Diagnostics& diagnostics) {
  const Setting* first = nullptr;
  bool isOne = true;
  for (const Setting& each : settings.all()) {
    if (each.name.text != "albedo" && each.name.text != "checker" && each.name.text != "image") {
      continue;
    }
    if (first != nullptr) {
      diagnostics.error(each.name.where, fmt::format("the colour is given by '{}' already", first->name.text),
                        "a material has one of albedo, checker and image");
      isOne = false;
    } else {
      first = &each;
    }
  }
  return isOne;
}

// Transparent and mirroring surfaces take nothing away unless they are told to.
Texture plainTexture(Surface surface) {
  Texture texture;
  if (surface == Surface::mirror || surface == Surface::glass) {
    texture.colour = {1, 1, 1};
  }
  return texture;
}

Texture readTexture(const Settings& settings, Surface surface, const std::string& folder,
                    std::vector<Image>& images, Diagnostics& diagnostics) {
  Texture texture = plainTexture(surface);
  isOneColour(settings, diagnostics);
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
                        "'scale' is of texture coordinates, for checker and image");
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
  if (form == nullptr) {
    return material;
  }
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
