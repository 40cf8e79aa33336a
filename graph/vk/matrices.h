#pragma once
// Cooperative matrices: which the device has, and what it must be opened with for them.

#include <volk.h>

#include <vector>

#include "graph/vk/device.h"
#include "graph/vk/matrix_structures.h"

namespace lacuna::vk {

// Sets `matrixShapes` and, of `limits`, all that is about matrices. Needs the other limits.
void readMatrices(VkPhysicalDevice physical, DeviceInfo& info);

// The best kind up to `most` that the shapes are enough for: 16x16x16 halves, subgroup scope, added up in
// half and in single precision.
MatrixKind bestMatrices(const std::vector<MatrixShape>& shapes, MatrixKind most);

// The extensions that shaders with matrices need, and their features, chained in front of `next`.
class MatrixFeatures {
 public:
  MatrixFeatures(VkPhysicalDevice physical, const Limits& limits, const void* next);
  MatrixFeatures(const MatrixFeatures&) = delete;
  MatrixFeatures& operator=(const MatrixFeatures&) = delete;

  const void* first() const { return first_; }
  const std::vector<const char*>& extensions() const { return extensions_; }

 private:
  template <class Structure>
  void add(Structure& structure);

  std::vector<const char*> extensions_;
  void* first_;
  VkPhysicalDeviceSubgroupSizeControlFeatures subgroups_{};
  KhrMatrixFeatures khr_{};
  VkPhysicalDeviceCooperativeMatrixFeaturesNV nv_{};
  Matrix2Features matrix2_{};
};

}  // namespace lacuna::vk
