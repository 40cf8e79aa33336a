#include "tests/pathtrace/reference_tracer.h"

#include <algorithm>

#include "graph/parallel.h"

namespace lacuna::pathtrace::reference {
namespace {

double tent(double u) {
  return u < 0.5 ? std::sqrt(2 * u) - 1 : 1 - std::sqrt(2 - 2 * u);
}

// Standard deviation 0.5, within 1.5 of the centre along each axis.
double gaussian(Random& random) {
  for (;;) {
    const double radius = std::sqrt(-2 * std::log(1 - random.uniform()));
    const double value = 0.5 * radius * std::cos(2 * pi * random.uniform());
    if (std::abs(value) <= 1.5)
      return value;
  }
}

// A random distance from the pixel's centre, in pixels.
double filterOffset(PixelFilter filter, Random& random) {
  switch (filter) {
    case PixelFilter::centre:
      return 0;
    case PixelFilter::box:
      return random.uniform() - 0.5;
    case PixelFilter::tent:
      return tent(random.uniform());
    case PixelFilter::gaussian:
      break;
  }
  return gaussian(random);
}

// Power heuristic, beta 2 (Veach 1997, 9.2.4).
double heuristic(double chosen, double other) {
  return chosen * chosen / (chosen * chosen + other * other);
}

}  // namespace

Tracer::Tracer(const Scene& scene, double frame, const Settings& settings)
    : settings_(settings),
      world_(scene, frame),
      surfaces_(scene),
      lights_(world_),
      lens_(lensAt(scene.camera, frame, settings.width, settings.height)) {}

Ray Tracer::cameraRay(double x, double y, Random& random) const {
  const Vec3 direction =
      lens_.forward + lens_.right * (2 * x / settings_.width - 1) + lens_.up * (1 - 2 * y / settings_.height);
  if (lens_.aperture == 0)
    return {lens_.eye, normalised(direction)};
  const double radius = lens_.aperture * std::sqrt(random.uniform());
  const double angle = 2 * pi * random.uniform();
  const Vec3 origin = lens_.eye + normalised(lens_.right) * (radius * std::cos(angle)) +
                      normalised(lens_.up) * (radius * std::sin(angle));
  return {origin, normalised(lens_.eye + direction * lens_.focus - origin)};
}

// One point on a light, weighted against the other way to find it.
Vec3 Tracer::fromLights(const Place& place, const Vec3& out, Random& random) const {
  const LightPoint light = lights_.choose(random);
  const Vec3 way = light.point - place.point;
  const Vec3 in = normalised(way);
  if (dot(in, light.normal) >= 0)
    return {};
  const Vec3 answer = Surfaces::answer(place, out, in);
  if (largest(answer) <= 0 || world_.isBlocked(place.point, light.point, place.primitive, light.primitive))
    return {};
  const double density = bySolidAngle(light.density, place.point, light.point, light.normal);
  const double weight = heuristic(density, Surfaces::density(place, out, in));
  return answer * light.radiance * (weight / density);
}

// Weight of a light that a scattered ray has found; `density` is that of its direction (0: not random).
double Tracer::weightOfFound(const Vec3& from, const Hit& hit, double density) const {
  if (!settings_.nextEvent || density == 0)
    return 1;
  return heuristic(density, bySolidAngle(lights_.density(hit.primitive), from, hit.point, hit.geometric));
}

Sample Tracer::trace(Ray ray, Random& random) const {
  Sample sample;
  Vec3 throughput{1, 1, 1};
  double density = 0;  // of the last scattered direction
  int leaving = none;
  const auto add = [&](int scatterings, const Vec3& radiance) {
    Vec3& sum = scatterings <= 1 ? sample.direct : sample.indirect;
    sum = sum + throughput * radiance;
  };
  for (int k = 0;; ++k) {
    const std::optional<Hit> hit = world_.hit(ray, leaving);
    if (!hit) {
      add(k, world_.scene().background);
      sample.albedo = k == 0 ? atMostOne(world_.scene().background) : sample.albedo;
      return sample;
    }
    const Place place = surfaces_.placeOf(*hit, ray.direction);
    if (k == 0) {
      sample.albedo = atMostOne(surfaces_.shown(*hit));
      sample.normal = place.shading;
    }
    add(k, place.radiance * weightOfFound(ray.origin, *hit, density));
    if (place.surface == Surface::emissive || k == settings_.bounces)
      return sample;
    const Vec3 out = ray.direction * -1;
    if (settings_.nextEvent && lights_.areThere() && !place.isSpecular())
      add(k + 1, fromLights(place, out, random));
    const Scattered scattered = Surfaces::scatter(place, out, random);
    throughput = throughput * scattered.weight;
    const double survival = k + 1 > settings_.roulette ? std::min(largest(throughput), 0.95) : 1;
    if (largest(throughput) <= 0 || random.uniform() >= survival)
      return sample;
    throughput = throughput * (1 / survival);
    density = scattered.density;
    leaving = place.primitive;
    ray = {place.point, scattered.direction};
  }
}

Sample Tracer::pixelSample(int x, int y, Random& random) const {
  const double px = x + 0.5 + filterOffset(settings_.filter, random);
  const double py = y + 0.5 + filterOffset(settings_.filter, random);
  return trace(cameraRay(px, py, random), random);
}

Film Tracer::render() const {
  Film film;
  film.width = settings_.width;
  film.height = settings_.height;
  const size_t pixels = static_cast<size_t>(film.width) * static_cast<size_t>(film.height);
  film.means.resize(pixels);
  film.variances.resize(pixels);
  inParallel(pixels, [&](size_t i) {
    Random random(settings_.seed * 0x9e3779b97f4a7c15U + i);
    Sample& mean = film.means[i];
    Vec3 squares;  // sum of squared distances from the mean, updated with each sample (Welford 1962)
    for (int s = 1; s <= settings_.samples; ++s) {
      const int width = film.width;
      const Sample one = pixelSample(static_cast<int>(i) % width, static_cast<int>(i) / width, random);
      const double share = 1.0 / s;
      const Vec3 before = one.direct + one.indirect - mean.direct - mean.indirect;
      mean.direct = mean.direct + (one.direct - mean.direct) * share;
      mean.indirect = mean.indirect + (one.indirect - mean.indirect) * share;
      mean.albedo = mean.albedo + (one.albedo - mean.albedo) * share;
      mean.normal = mean.normal + (one.normal - mean.normal) * share;
      squares = squares + before * (one.direct + one.indirect - mean.direct - mean.indirect);
    }
    const double n = settings_.samples;
    film.variances[i] = squares * (1.0 / (n * std::max(1.0, n - 1)));
  });
  return film;
}

}  // namespace lacuna::pathtrace::reference
