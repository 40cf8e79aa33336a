// Million rays a second of Embree, one ray a call, for comparison with `lacuna bench pathtrace`: rays through
// pixels' centres, from their hits on by the cosine, and from there to points on lights. Rays are made
// beforehand; only rtcIntersect1 and rtcOccluded1 are timed, on all cores, each kind several times, by the
// median.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <numbers>
#include <random>

#include "graph/config/diagnostics.h"
#include "graph/parallel.h"
#include "pathtrace/scene/scene.h"
#include "tools/bench/embree/embree_scene.h"

namespace lacuna::pathtrace {
namespace {

constexpr size_t chunk = 4096;  // rays that a thread takes at a time

RTCRayHit rayOf(const Vec3& origin, const Vec3& direction, double near, double far) {
  RTCRayHit r{};
  r.ray.org_x = static_cast<float>(origin.x);
  r.ray.org_y = static_cast<float>(origin.y);
  r.ray.org_z = static_cast<float>(origin.z);
  r.ray.dir_x = static_cast<float>(direction.x);
  r.ray.dir_y = static_cast<float>(direction.y);
  r.ray.dir_z = static_cast<float>(direction.z);
  r.ray.tnear = static_cast<float>(near);
  r.ray.tfar = static_cast<float>(far);
  r.ray.mask = ~0U;
  r.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  r.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  return r;
}

void intersect(RTCScene scene, RTCRayHit& ray) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &ray);
}

void occlude(RTCScene scene, RTCRayHit& ray) {
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcOccluded1(scene, &context, &ray.ray);
}

using Trace = void (*)(RTCScene, RTCRayHit&);

// Calls work(first, last) over all of `count`.
template <class Work>
void inChunks(size_t count, const Work& work) {
  inParallel((count + chunk - 1) / chunk,
             [&](size_t i) { work(i * chunk, std::min(count, (i + 1) * chunk)); });
}

// Millions a second, the median of `rounds`; the rays remain as traced.
double speedOf(RTCScene scene, std::vector<RTCRayHit>& rays, Trace trace, int rounds) {
  std::vector<double> speeds;
  const std::vector<RTCRayHit> fresh = rays;
  for (int i = 0; i < rounds; ++i) {
    rays = fresh;
    const auto start = std::chrono::steady_clock::now();
    inChunks(rays.size(), [&](size_t first, size_t last) {
      for (size_t r = first; r < last; ++r)
        trace(scene, rays[r]);
    });
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    speeds.push_back(static_cast<double>(rays.size()) / taken.count() / 1e6);
  }
  std::sort(speeds.begin(), speeds.end());
  return speeds[speeds.size() / 2];
}

std::vector<RTCRayHit> primaryRays(const Lens& lens, int width, int height) {
  std::vector<RTCRayHit> rays;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const Vec3 direction =
          lens.forward + lens.right * (2 * (x + 0.5) / width - 1) + lens.up * (1 - 2 * (y + 0.5) / height);
      rays.push_back(rayOf(lens.eye, normalised(direction), 0, std::numeric_limits<double>::infinity()));
    }
  }
  return rays;
}

class Random {
 public:
  double uniform() { return static_cast<double>(engine_() >> 11U) * 0x1p-53; }

 private:
  std::mt19937_64 engine_{1};
};

Vec3 onSphere(Random& random) {
  const double z = 1 - 2 * random.uniform();
  const double angle = 2 * std::numbers::pi * random.uniform();
  const double r = std::sqrt(std::max(0.0, 1 - z * z));
  return {r * std::cos(angle), r * std::sin(angle), z};
}

// Starts a little off the surface, by the rounding of floats.
Vec3 offSurface(const Met& met) {
  const Vec3& p = met.point;
  return p + met.normal * (1e-5 * std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z), 1e-6}));
}

// A normal plus a point of the unit sphere: the density is the cosine over pi.
std::vector<RTCRayHit> bounceRays(const std::vector<Met>& places) {
  Random random;
  std::vector<RTCRayHit> rays;
  for (const Met& met : places) {
    const Vec3 direction = met.normal + onSphere(random) * 0.999999;
    rays.push_back(rayOf(offSurface(met), normalised(direction), 0, std::numeric_limits<double>::infinity()));
  }
  return rays;
}

// Points on lights, evenly over the total area.
class LightPoints {
 public:
  explicit LightPoints(const Scene& scene) {
    for (const Object& object : scene.objects) {
      const Affine map = objectToWorld(poseAt(object, 0));
      if (object.mesh == none) {
        if (isEmissive(scene, object.material)) {
          const double radius = length(mapVector(map, {1, 0, 0}));
          add({mapPoint(map, {}), {}, {}, radius}, 4 * std::numbers::pi * radius * radius);
        }
        continue;
      }
      addMesh(scene, object, map);
    }
  }
  bool areThere() const { return !lights_.empty(); }
  Vec3 choose(Random& random) const {
    const auto at = std::upper_bound(sums_.begin(), sums_.end(), random.uniform() * sums_.back());
    const Light& light =
        lights_[std::min<size_t>(static_cast<size_t>(at - sums_.begin()), lights_.size() - 1)];
    if (light.radius > 0)
      return light.corner + onSphere(random) * light.radius;
    const double root = std::sqrt(random.uniform());
    const double v = random.uniform();
    return light.corner + light.edge1 * (root * (1 - v)) + light.edge2 * (root * v);
  }

 private:
  struct Light {
    Vec3 corner, edge1, edge2;  // a sphere: its centre
    double radius = 0;
  };
  static bool isEmissive(const Scene& scene, int material) {
    return scene.materials[static_cast<size_t>(material)].surface == Surface::emissive;
  }
  void add(const Light& light, double area) {
    lights_.push_back(light);
    sums_.push_back((sums_.empty() ? 0 : sums_.back()) + area);
  }
  void addMesh(const Scene& scene, const Object& object, const Affine& map) {
    const Mesh& mesh = scene.meshes[static_cast<size_t>(object.mesh)];
    for (const Triangle& t : mesh.triangles) {
      if (isEmissive(scene, t.material == none ? object.material : t.material)) {
        const auto corner = [&](size_t i) {
          return mapPoint(map, mesh.positions[static_cast<size_t>(t.positions[i])]);
        };
        const Light light{corner(0), corner(1) - corner(0), corner(2) - corner(0)};
        add(light, length(cross(light.edge1, light.edge2)) / 2);
      }
    }
  }
  std::vector<Light> lights_;
  std::vector<double> sums_;
};

std::vector<RTCRayHit> shadowRays(const std::vector<Met>& places, const LightPoints& lights) {
  Random random;
  std::vector<RTCRayHit> rays;
  for (const Met& met : places) {
    const Vec3 origin = offSurface(met);
    rays.push_back(rayOf(origin, lights.choose(random) - origin, 0, 1 - 1e-4));
  }
  return rays;
}

struct Options {
  std::string scene;
  int width = 1920, height = 1080;
  int rounds = 5;
};

nlohmann::ordered_json measure(const Scene& scene, const Options& options) {
  using Json = nlohmann::ordered_json;
  const EmbreeScene embree(scene);
  const Lens lens = lensAt(scene.camera, 0, options.width, options.height);
  Json kinds = Json::object();
  const auto add = [&](const char* kind, std::vector<RTCRayHit>& rays, Trace trace) {
    const double speed = rays.empty() ? 0 : speedOf(embree.handle(), rays, trace, options.rounds);
    kinds[kind] = {{"rays", rays.size()}, {"millionPerSecond", speed}};
  };
  std::vector<RTCRayHit> primary = primaryRays(lens, options.width, options.height);
  add("primary", primary, intersect);
  std::vector<Met> places;
  for (const RTCRayHit& ray : primary)
    if (ray.hit.geomID != RTC_INVALID_GEOMETRY_ID)
      places.push_back(embree.met(ray));
  std::vector<RTCRayHit> bounces = bounceRays(places);
  add("bounce", bounces, intersect);
  const LightPoints lights(scene);
  std::vector<RTCRayHit> shadows = lights.areThere() ? shadowRays(places, lights) : std::vector<RTCRayHit>();
  add("shadow", shadows, occlude);
  return {{"scene", options.scene},       {"width", options.width},
          {"height", options.height},     {"threads", std::thread::hardware_concurrency()},
          {"embree", RTC_VERSION_STRING}, {"kinds", kinds}};
}

int run(int argc, char** argv) {
  Options options;
  CLI::App app("million rays a second of Embree over a scene of pathtrace, as JSON");
  app.add_option("SCENE", options.scene, "scene file")->required();
  app.add_option("--width", options.width, "pixels")->check(CLI::Range(1, 16384));
  app.add_option("--height", options.height, "pixels")->check(CLI::Range(1, 16384));
  app.add_option("--rounds", options.rounds, "times that each kind is traced")->check(CLI::Range(1, 1000));
  CLI11_PARSE(app, argc, argv);
  Diagnostics diagnostics;
  const Scene scene = readScene(options.scene, diagnostics);
  fmt::print(stderr, "{}", diagnostics.render());
  if (diagnostics.hasErrors())
    return 2;
  fmt::print("{}\n", measure(scene, options).dump(2));
  return 0;
}

}  // namespace
}  // namespace lacuna::pathtrace

int main(int argc, char** argv) {
  try {
    return lacuna::pathtrace::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "embree_rays: {}\n", error.what());
    return 1;
  }
}
