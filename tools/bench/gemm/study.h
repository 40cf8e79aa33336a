#pragma once
// Vannson 2023, Real time denoising on GPU, section 4.3 and figure 12: products of 4096x4096 matrices. The
// study counts a multiply-add as one operation; everything else here counts two, 2 n p m a product.

#include <cstdint>
#include <string_view>
#include <vector>

namespace lacuna {

constexpr const char* gemmStudyTitle = "Vannson 2023, Real time denoising on GPU, figure 12";
constexpr const char* gemmStudyDevice = "GeForce RTX 3070 Ti";
constexpr uint32_t gemmStudySize = 4096;
constexpr double gemmStudyPeak = 47.0;  // 1e12 multiply-adds a second: what its tensor cores can do
constexpr double operationsOfMultiplyAdd = 2.0;

struct GemmStudyKernel {
  const char* variant;  // of the module coopmat-gemm
  double speed;         // 1e12 multiply-adds a second
  bool isByBlocks;      // the study tried several sizes of square blocks
};
const std::vector<GemmStudyKernel>& gemmStudyKernels();
// Null: the variant is not the study's.
const GemmStudyKernel* gemmStudyKernel(std::string_view variant);

}  // namespace lacuna
