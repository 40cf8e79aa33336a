#pragma once
// Keyframes at a moment. Between two keys numbers are interpolated linearly and rotations by slerp (Shoemake
// 1985); before the first and after the last they stand still.

#include "pathtrace/scene/scene.h"

namespace lacuna::pathtrace {

Quaternion rotation(const Vec3& axis, double degrees);           // right-handed, of an axis that is not zero
Quaternion operator*(const Quaternion& a, const Quaternion& b);  // first b, then a

Pose poseAt(const Object& object, double frame);
Affine objectToWorld(const Pose& pose);
Affine worldToObject(const Pose& pose);  // the scale has no 0

// Rays of a picture: through (px, py) in pixels, from the top left, they leave `eye` in direction forward +
// (2 px / width - 1) right + (1 - 2 py / height) up. `forward` has unit length and is orthogonal to the
// others, so a point's depth is its coordinate along `forward`.
struct Lens {
  Vec3 eye, right, up, forward;
  double aperture = 0, focus = 1;
};
// A focus of 0 means the distance of the target, at every moment where both keys omit it.
Lens lensAt(const std::vector<CameraKey>& keys, double frame, int width, int height);

}  // namespace lacuna::pathtrace
