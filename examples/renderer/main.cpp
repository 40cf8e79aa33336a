// Renders without a window. It ends with an error if the result has hardly less noise.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "renderer.h"

constexpr int frames = 8;

using Bytes = std::span<const unsigned char>;

// FOLDER/7.pam: in sRGB the denoised picture, and below it the noisy one.
void write(const Renderer& renderer, const std::string& folder, int frame) {
  const std::string name = folder + "/" + std::to_string(frame) + ".pam";
  const Bytes pixels = renderer.pixels(frame);
  std::ofstream file(name, std::ios::binary);
  file << "P7\nWIDTH " << renderer.extent.width << "\nHEIGHT " << 2 * renderer.extent.height
       << "\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
       << std::string(pixels.begin(), pixels.end());
  if (!file.flush())
    throw std::runtime_error(name + ": this frame can't be written; expected a folder");
}

// The mean difference of neighbours in a row, in steps of 8 bits.
double roughness(Bytes pixels) {
  double sum = 0.0;
  for (size_t i = 4; i < pixels.size(); ++i)
    sum += std::abs(pixels[i] - pixels[i - 4]);
  return sum / static_cast<double>(pixels.size());
}

int main(int count, char** words) try {
  if (count < 2 || count > 3)
    throw std::runtime_error("usage: renderer BUNDLE [FOLDER]; frames are written to the folder");
  Renderer renderer(words[1]);
  std::vector<double> times;
  for (int frame = 0; frame < frames; ++frame) {
    renderer.render(frame);
    times.push_back(renderer.recordTime.count());
    if (count > 2 && frame > 0)
      write(renderer, words[2], frame - 1);  // while this one runs
  }
  if (count > 2)
    write(renderer, words[2], frames - 1);
  std::ranges::sort(times);
  const Bytes last = renderer.pixels(frames - 1);
  const size_t half = last.size() / 2;
  const double denoised = roughness(last.first(half)), noisy = roughness(last.last(half));
  std::printf("record(): %.0f us\nmean difference of neighbours: %.1f noisy, %.1f denoised\n",
              times[frames / 2], noisy, denoised);
  return denoised < 0.5 * noisy ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
