#pragma once
// What a lens does to a picture, from lensfun's profiles.

#include <array>
#include <optional>
#include <string>

namespace lacuna::lens {

struct Shot {
  std::string maker, camera, lens;  // in Exif's words; empty if not known
  double focal = 0.0;               // mm
  double aperture = 0.0;            // f-number
  double distance = 0.0;            // m; each is 0 if not known
};

// r is the distance from the middle of the picture, in halves of its diagonal. A point that a perfect lens
// shows at r lies at r * distortion(r) = d in green, and at d * red(d) and d * blue(d). A pixel at r is
// vignetting(r) times as bright as it should be.
struct Profile {
  std::string lens;                       // its name in the profiles
  std::array<double, 5> distortion{1.0};  // of r^0 to r^4
  std::array<double, 3> red{1.0}, blue{1.0};
  std::array<double, 4> vignetting{1.0};  // of r^0, r^2, r^4, r^6

  bool bends() const { return distortion != std::array<double, 5>{1.0}; }
  bool separates() const { return red != std::array<double, 3>{1.0} || blue != red; }
  bool darkens() const { return vignetting != std::array<double, 4>{1.0}; }
};

// None if the profiles don't know the camera or the lens. `database`: a file of profiles; if "", those that
// are installed, or else the folder `own`. Throws std::runtime_error where profiles can't be read.
std::optional<Profile> profileOf(const Shot& shot, const std::string& database, const std::string& own);

// The largest part of a perfect picture, as a share of these sides, whose corners are all in the input.
double largestShare(const Profile& profile, double width, double height);

}  // namespace lacuna::lens
