#include "tests/pathtrace/reference_surface.h"

#include <algorithm>

namespace lacuna::pathtrace::reference {
namespace {

int wrapped(int i, int size) {
  return (i % size + size) % size;
}

Vec3 bilinear(const Image& image, double u, double v) {
  const double x = (u - std::floor(u)) * image.width - 0.5;
  const double y = (1 - (v - std::floor(v))) * image.height - 0.5;
  const int left = static_cast<int>(std::floor(x));
  const int top = static_cast<int>(std::floor(y));
  Vec3 sum;
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) {
      const int row = wrapped(top + j, image.height);
      const int column = wrapped(left + i, image.width);
      const auto& pixel = image.pixels[static_cast<size_t>(row) * static_cast<size_t>(image.width) +
                                       static_cast<size_t>(column)];
      const double weight = (i == 0 ? 1 - (x - left) : x - left) * (j == 0 ? 1 - (y - top) : y - top);
      sum = sum + Vec3{pixel[0], pixel[1], pixel[2]} * weight;
    }
  }
  return sum;
}

// Axes around a normal.
struct Frame {
  Vec3 x, y, z;
  explicit Frame(const Vec3& normal) : z(normal) {
    x = normalised(cross(std::abs(z.x) < 0.5 ? Vec3{1, 0, 0} : Vec3{0, 1, 0}, z));
    y = cross(z, x);
  }
  Vec3 local(const Vec3& v) const { return {dot(v, x), dot(v, y), dot(v, z)}; }
  Vec3 world(const Vec3& v) const { return x * v.x + y * v.y + z * v.z; }
};

Vec3 cosineDirection(Random& random) {
  const double r2 = random.uniform();
  const double angle = 2 * pi * random.uniform();
  const double r = std::sqrt(r2);
  return {r * std::cos(angle), r * std::sin(angle), std::sqrt(1 - r2)};
}

// Share of scattered directions that follows the lobe.
double lobeShare(const Place& place, double cosine) {
  return place.surface == Surface::glossy ? std::clamp(place.ggx->energy(cosine), 0.1, 1.0) : 0.0;
}

// Reflected share of unpolarised light at a smooth dielectric: Fresnel's equations.
double fresnel(double cosine, double ior) {
  const double sine2 = (1 - cosine * cosine) / (ior * ior);
  if (sine2 >= 1)
    return 1;
  const double behind = std::sqrt(1 - sine2);
  const double parallel = (ior * cosine - behind) / (ior * cosine + behind);
  const double perpendicular = (cosine - ior * behind) / (cosine + ior * behind);
  return (parallel * parallel + perpendicular * perpendicular) / 2;
}

Scattered throughGlass(const Place& place, const Vec3& out, Random& random) {
  const Vec3& n = place.shading;
  const double cosine = std::min(dot(out, n), 1.0);
  const bool reflects = random.uniform() < fresnel(cosine, place.ior);
  Scattered s;
  if (reflects) {
    s.direction = mirrored(out, n);
  } else {
    const double behind = std::sqrt(std::max(0.0, 1 - (1 - cosine * cosine) / (place.ior * place.ior)));
    s.direction = normalised(out * (-1 / place.ior) + n * (cosine / place.ior - behind));
  }
  const bool isBefore = dot(s.direction, place.geometric) > 0;
  s.weight = isBefore == reflects ? place.albedo : Vec3{};
  return s;
}

}  // namespace

Surfaces::Surfaces(const Scene& scene) : scene_(scene) {
  for (const Material& m : scene.materials)
    ggx_.push_back(m.surface == Surface::glossy ? sharedGgx(m.roughness) : nullptr);
}

Vec3 Surfaces::albedo(const Material& material, const Vec2& uv) const {
  const Texture& t = material.albedo;
  const double u = uv.x * t.scale.x;
  const double v = uv.y * t.scale.y;
  switch (t.kind) {
    case Texture::Kind::constant:
      return t.colour;
    case Texture::Kind::checker:
      return std::fmod(std::floor(u) + std::floor(v), 2.0) == 0 ? t.colour : t.other;
    case Texture::Kind::image:
      break;
  }
  return bilinear(scene_.images[static_cast<size_t>(t.image)], u, v);
}

Vec3 Surfaces::shown(const Hit& hit) const {
  const Material& material = scene_.materials[static_cast<size_t>(hit.material)];
  return material.surface == Surface::emissive ? material.radiance : albedo(material, hit.uv);
}

const Texture* Surfaces::textureOf(const Hit& hit) const {
  const Material& material = scene_.materials[static_cast<size_t>(hit.material)];
  const bool isOne = material.surface == Surface::emissive || material.albedo.kind == Texture::Kind::constant;
  return isOne ? nullptr : &material.albedo;
}

Place Surfaces::placeOf(const Hit& hit, const Vec3& direction) const {
  const Material& material = scene_.materials[static_cast<size_t>(hit.material)];
  const bool isFront = dot(hit.geometric, direction) < 0;
  Place p;
  p.point = hit.point;
  p.primitive = hit.primitive;
  p.geometric = isFront ? hit.geometric : hit.geometric * -1;
  p.shading = dot(hit.shading, p.geometric) > 0 ? hit.shading : hit.shading * -1;
  if (dot(p.shading, direction) >= 0)
    p.shading = p.geometric;
  p.surface = material.surface;
  if (material.surface == Surface::emissive)
    p.radiance = isFront ? material.radiance : Vec3{};
  else
    p.albedo = albedo(material, hit.uv);
  p.ior = isFront ? material.ior : 1 / material.ior;
  p.ggx = ggx_[static_cast<size_t>(hit.material)].get();
  return p;
}

Vec3 Surfaces::answer(const Place& place, const Vec3& out, const Vec3& in) {
  const double cosine = dot(in, place.shading);
  if (dot(in, place.geometric) <= 0 || cosine <= 0)
    return {};
  if (place.surface == Surface::diffuse)
    return place.albedo * (cosine / pi);
  const Frame frame(place.shading);
  return place.albedo * (place.ggx->value(frame.local(out), frame.local(in)) * cosine);
}

double Surfaces::density(const Place& place, const Vec3& out, const Vec3& in) {
  const Frame frame(place.shading);
  const Vec3 o = frame.local(out);
  const Vec3 i = frame.local(in);
  const double share = lobeShare(place, o.z);
  const double lobe = share > 0 ? share * place.ggx->density(o, i) : 0;
  return lobe + (1 - share) * std::max(i.z, 0.0) / pi;
}

Scattered Surfaces::scatter(const Place& place, const Vec3& out, Random& random) {
  if (place.surface == Surface::glass)
    return throughGlass(place, out, random);
  Scattered s;
  if (place.surface == Surface::mirror) {
    s.direction = mirrored(out, place.shading);
    s.weight = dot(s.direction, place.geometric) > 0 ? place.albedo : Vec3{};
    return s;
  }
  const Frame frame(place.shading);
  const Vec3 o = frame.local(out);
  if (random.uniform() < lobeShare(place, o.z))
    s.direction = frame.world(mirrored(o, place.ggx->visibleNormal(o, random.uniform(), random.uniform())));
  else
    s.direction = frame.world(cosineDirection(random));
  s.density = density(place, out, s.direction);
  s.weight = s.density > 0 ? answer(place, out, s.direction) * (1 / s.density) : Vec3{};
  return s;
}

}  // namespace lacuna::pathtrace::reference
