#pragma once
// A scene of `pathtrace` in Embree 3: all triangles in the world, spheres as instances of one. Frame 0.

#include <embree3/rtcore.h>

#include <map>
#include <memory>

#include "pathtrace/scene/pose.h"

namespace lacuna::pathtrace {

// A ray's hit.
struct Met {
  Vec3 point, normal;  // of unit length, on the side that the ray comes from
};

// An Embree object that is released at its end.
template <class Handle, void release(Handle)>
class Held {
 public:
  explicit Held(Handle handle) : handle_(handle) {}
  ~Held() { release(handle_); }
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  Handle operator*() const { return handle_; }

 private:
  Handle handle_;
};

class EmbreeScene {
 public:
  explicit EmbreeScene(const Scene& scene);  // throws std::runtime_error if Embree fails

  RTCScene handle() const { return *scene_; }
  Met met(const RTCRayHit& ray) const;  // after rtcIntersect1 has found something

 private:
  void addTriangles(const Scene& scene);
  void addSphere(const Pose& pose);
  void makeSphere();
  void check() const;

  Held<RTCDevice, rtcReleaseDevice> device_;
  Held<RTCScene, rtcReleaseScene> sphere_, scene_;
  std::map<unsigned, Affine> toSphere_;  // an instance's geometry -> from the world to the sphere of radius 1
};

}  // namespace lacuna::pathtrace
