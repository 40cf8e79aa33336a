// Pictures of leaves.h, planes of half floats, by CUDA (nvcc) or by the CPU (g++ -x c++), with the same interface.
#ifdef __CUDACC__
#include <cuda_fp16.h>
#define DEVICE static __device__ __forceinline__
#include "leaves.h"

__global__ void drawPixel(const Leaf *leaves, const Picture *pictures, const int *counts, int most, int size, __half *out) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, b = blockIdx.z;
  if (x >= size || y >= size) return;
  float colour[3];
  pixelOf(leaves + (size_t)b * most, pictures[b], counts[b], x + .5f, y + .5f, size, colour);
  for (int c = 0; c < 3; ++c) out[((size_t)(b * 3 + c) * size + y) * size + x] = __float2half(colour[c]);
}

extern "C" int draw(const Leaf *leaves, const Picture *pictures, const int *counts, int number, int most, int size, void *out) {
  drawPixel<<<dim3((size + 15) / 16, (size + 7) / 8, number), dim3(16, 8)>>>(leaves, pictures, counts, most, size, (__half *)out);
  return (int)cudaGetLastError();
}
#else
#include <math.h>
#include <stddef.h>
#define DEVICE static
#include "leaves.h"

extern "C" int draw(const Leaf *leaves, const Picture *pictures, const int *counts, int number, int most, int size, void *out) {
  for (int b = 0; b < number; ++b) {
    for (int y = 0; y < size; ++y) {
      for (int x = 0; x < size; ++x) {
        float colour[3];
        pixelOf(leaves + (size_t)b * most, pictures[b], counts[b], x + .5f, y + .5f, size, colour);
        for (int c = 0; c < 3; ++c) ((_Float16 *)out)[((size_t)(b * 3 + c) * size + y) * size + x] = (_Float16)colour[c];
      }
    }
  }
  return 0;
}
#endif
