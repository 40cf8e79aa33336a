#include "tools/bench/embree/embree_scene.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace lacuna::pathtrace {
namespace {

using Geometry = Held<RTCGeometry, rtcReleaseGeometry>;

float* newVertices(const Geometry& geometry, RTCFormat format, size_t components, size_t count) {
  return static_cast<float*>(rtcSetNewGeometryBuffer(*geometry, RTC_BUFFER_TYPE_VERTEX, 0, format,
                                                     components * sizeof(float), count));
}

unsigned attach(RTCScene scene, const Geometry& geometry) {
  rtcCommitGeometry(*geometry);
  return rtcAttachGeometry(scene, *geometry);
}

// Corners of all triangles in the world, three each.
std::vector<Vec3> worldCorners(const Scene& scene) {
  std::vector<Vec3> corners;
  for (const Object& object : scene.objects) {
    if (object.mesh == none)
      continue;
    const Affine map = objectToWorld(poseAt(object, 0));
    const Mesh& mesh = scene.meshes[static_cast<size_t>(object.mesh)];
    for (const Triangle& triangle : mesh.triangles)
      for (const int position : triangle.positions)
        corners.push_back(mapPoint(map, mesh.positions[static_cast<size_t>(position)]));
  }
  return corners;
}

}  // namespace

EmbreeScene::EmbreeScene(const Scene& scene)
    : device_(rtcNewDevice(nullptr)), sphere_(rtcNewScene(*device_)), scene_(rtcNewScene(*device_)) {
  addTriangles(scene);
  makeSphere();
  for (const Object& object : scene.objects)
    if (object.mesh == none)
      addSphere(poseAt(object, 0));
  rtcSetSceneBuildQuality(*scene_, RTC_BUILD_QUALITY_HIGH);
  rtcCommitScene(*scene_);
  check();
}

void EmbreeScene::addTriangles(const Scene& scene) {
  const std::vector<Vec3> corners = worldCorners(scene);
  if (corners.empty())
    return;
  const Geometry geometry(rtcNewGeometry(*device_, RTC_GEOMETRY_TYPE_TRIANGLE));
  float* vertices = newVertices(geometry, RTC_FORMAT_FLOAT3, 3, corners.size());
  auto* indices = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
      *geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), corners.size() / 3));
  check();
  for (size_t i = 0; i < corners.size(); ++i) {
    vertices[3 * i] = static_cast<float>(corners[i].x);
    vertices[3 * i + 1] = static_cast<float>(corners[i].y);
    vertices[3 * i + 2] = static_cast<float>(corners[i].z);
    indices[i] = static_cast<unsigned>(i);
  }
  attach(*scene_, geometry);
}

void EmbreeScene::makeSphere() {
  const Geometry geometry(rtcNewGeometry(*device_, RTC_GEOMETRY_TYPE_SPHERE_POINT));
  float* vertices = newVertices(geometry, RTC_FORMAT_FLOAT4, 4, 1);
  check();
  std::fill(vertices, vertices + 3, 0.0F);
  vertices[3] = 1;
  attach(*sphere_, geometry);
  rtcCommitScene(*sphere_);
}

void EmbreeScene::addSphere(const Pose& pose) {
  const Affine map = objectToWorld(pose);
  const Geometry geometry(rtcNewGeometry(*device_, RTC_GEOMETRY_TYPE_INSTANCE));
  rtcSetGeometryInstancedScene(*geometry, *sphere_);
  float rows[12];
  for (size_t i = 0; i < 12; ++i)
    rows[i] = static_cast<float>(map.rows[i / 4][i % 4]);
  rtcSetGeometryTransform(*geometry, 0, RTC_FORMAT_FLOAT3X4_ROW_MAJOR, rows);
  toSphere_[attach(*scene_, geometry)] = worldToObject(pose);
}

Met EmbreeScene::met(const RTCRayHit& ray) const {
  const RTCRay& r = ray.ray;
  const Vec3 direction{r.dir_x, r.dir_y, r.dir_z};
  Vec3 normal{ray.hit.Ng_x, ray.hit.Ng_y, ray.hit.Ng_z};
  const auto instance = toSphere_.find(ray.hit.instID[0]);
  if (instance != toSphere_.end())
    normal = mapNormal(instance->second, normal);
  normal = normalised(normal) * (dot(normal, direction) > 0 ? -1.0 : 1.0);
  return {Vec3{r.org_x, r.org_y, r.org_z} + direction * double{r.tfar}, normal};
}

void EmbreeScene::check() const {
  const RTCError error = rtcGetDeviceError(*device_);
  if (error != RTC_ERROR_NONE)
    throw std::runtime_error("Embree's error " + std::to_string(error));
}

}  // namespace lacuna::pathtrace
