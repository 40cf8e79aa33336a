#pragma once
// The lines of a scene file that make one thing each. What is wrong is reported; what is returned then only
// serves to find more that is wrong.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "pathtrace/scene/scene.h"
#include "pathtrace/scene/scene_text.h"

namespace lacuna::pathtrace {

// What a name stands for: an index, and where it was given. The index of what could not be made is `none`.
struct Named {
  int index = none;
  Location where;
};
using Names = std::map<std::string, Named, std::less<>>;

// Enters a name; reports one that is no name or is there already. `kind`: "material".
void addName(Names& names, const std::string& kind, const Word& name, int index, Diagnostics& diagnostics);

// Null where there is no such name, which is reported with the nearest one.
const Named* findName(const Names& names, const std::string& kind, const Word& name,
                      Diagnostics& diagnostics);

// The frame of an `at` line, if it is one and later than the one before.
std::optional<double> readFrame(const std::vector<Word>& line, std::optional<double> before,
                                Diagnostics& diagnostics);

// Images that materials name go to `images`, each file once.
Material readMaterial(const SceneLine& line, const std::string& folder, std::vector<Image>& images,
                      Diagnostics& diagnostics);

// Adds the object, and the mesh of its shape unless the scene has that one already.
void readObject(const SceneLine& line, const Names& materials, const Names& meshes, Scene& scene,
                Diagnostics& diagnostics);

std::vector<CameraKey> readCamera(const SceneLine& line, Diagnostics& diagnostics);

}  // namespace lacuna::pathtrace
