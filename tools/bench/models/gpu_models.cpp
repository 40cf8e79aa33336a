#include "tools/bench/models/gpu_models.h"

namespace lacuna {
namespace {

// RTX 3070 (GA104), RTX 2070 (TU106): NVIDIA's Ampere GA102 and Turing white papers: multiprocessors, caches,
// boost clocks, 4 texture units a multiprocessor, memory. A Turing multiprocessor issues 64 instructions on
// floats beside 64 others: 96 of these filters' mixture. The bandwidth of their second caches is not
// published: 32 bytes a clock and slice of 128 KB here. H200: Hopper white paper and data sheet, 5120 bytes a
// clock (as A100's), its clock under load. RX 7900 XT (Navi 31): AMD's data sheet and RDNA 3 ISA guide, with
// dual issue; the second cache is that of 6 MB, memory the 80 MB of Infinity Cache behind it, which hold all
// images here. CPU: lavapipe on two cores with AVX-512, 16 invocations at a time; its instructions and
// fetches a clock are fitted to its baseline and rows4 of eaw.
constexpr GpuModel models[] = {
    {"RTX 3070", 46, 1536, 16, 32, {128 << 10, 4}, {4 << 20, 16}, true, 1.725, 128, 4, 128, 1766, 448},
    {"RTX 2070", 36, 1024, 16, 32, {96 << 10, 4}, {4 << 20, 16}, true, 1.62, 96, 4, 128, 1659, 448},
    {"RX 7900 XT", 84, 2048, 32, 32, {32 << 10, 4}, {6 << 20, 16}, false, 2.4, 128, 4, 128, 4915, 2900},
    {"H200", 132, 2048, 32, 32, {256 << 10, 4}, {50 << 20, 16}, true, 1.98, 128, 4, 128, 10137, 4800},
    {"CPU", 2, 16, 1, 16, {32 << 10, 8}, {1 << 20, 16}, false, 2.5, 8, 0.16, 64, 100, 15},
};

}  // namespace

std::span<const GpuModel> gpuModels() {
  return models;
}

}  // namespace lacuna
