#pragma once
// Keyframes at a moment. Between two keys numbers go in a line and rotations by slerp (Shoemake 1985); before
// the first and after the last they stand still.

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

Quaternion rotation(const Vec3& axis, double degrees);           // right-handed, of an axis that is not zero
Quaternion operator*(const Quaternion& a, const Quaternion& b);  // first b, then a

Pose poseAt(const Object& object, double frame);
Affine objectToWorld(const Pose& pose);
Affine worldToObject(const Pose& pose);  // the scale has no 0

// Rays of a picture: through (px, py) in pixels, from the top left, they leave `eye` in direction
// forward + (2 px / width - 1) right + (1 - 2 py / height) up. `forward` has unit length and is orthogonal to
// the others, so that depth, measured along it, is where along such a vector a point lies.
struct Lens {
  Vec3 eye, right, up, forward;
  double aperture = 0, focus = 1;
};
// A focus of 0 is the distance of the target, at every moment where both keys leave it to that.
Lens lensAt(const std::vector<CameraKey>& keys, double frame, int width, int height);

}  // namespace lacuna::pathtrace
