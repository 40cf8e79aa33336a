#include "tools/bench/unet/study.h"

#include <algorithm>

namespace lacuna {
namespace {

struct StudyChannels {
  uint32_t inputs, outputs;
};
// Its figure 2, with normals and depth.
constexpr StudyChannels studyChannels[] = {{7, 32},    {32, 43},   {43, 57},  {57, 76}, {76, 101}, {101, 101},
                                           {202, 101}, {101, 101}, {177, 76}, {76, 76}, {133, 57}, {57, 57},
                                           {100, 43},  {43, 43},   {75, 32},  {32, 3}};

}  // namespace

const std::vector<UnetStudyLayer>& unetStudyLayers() {
  static const std::vector<UnetStudyLayer> all = {{0.93, 2.27}, {2.31, 1.41}, {0.99, 1.46}, {0.83, 0.77},
                                                  {0.99, 0.28}, {0.51, 0.18}, {0.84, 0.9},  {0.35, 2.17},
                                                  {1.17, 1.69}, {0.82, 2.08}, {2.82, 1.59}, {1.2, 3.18},
                                                  {3.87, 2.62}, {1.68, 5.2},  {8.16, 2.78}, {3.32, 0.55}};
  return all;
}

double unetStudyMs() {
  double sum = 0.0;
  for (const UnetStudyLayer& layer : unetStudyLayers())
    sum += layer.ms;
  return sum;
}

bool isStudyNetwork(const std::vector<UnetLayerCounts>& layers) {
  const auto isSame = [](const UnetLayerCounts& layer, const StudyChannels& study) {
    return layer.inputs == study.inputs && layer.outputs == study.outputs;
  };
  return std::equal(layers.begin(), layers.end(), std::begin(studyChannels), std::end(studyChannels),
                    isSame) &&
         layers.front().size.width == unetStudySide && layers.front().size.height == unetStudySide;
}

std::vector<size_t> unetStudyDoubled(const std::vector<UnetLayerCounts>& layers) {
  std::vector<size_t> doubled;
  for (size_t i = 0; i < layers.size() && i < unetStudyLayers().size(); ++i) {
    const UnetStudyLayer& study = unetStudyLayers()[i];
    const double teraMultiplyAdds = layers[i].operations / 2.0 / study.ms * 1e-9;
    if (study.printed > 1.5 * teraMultiplyAdds)
      doubled.push_back(i);
  }
  return doubled;
}

}  // namespace lacuna
