// Renders without a window. It ends with an error if the result has hardly less noise.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "renderer.h"

constexpr int frames = 8;

using Bytes = std::span<const unsigned char>;

// The planes that are shown, 8 bits in sRGB: the denoised picture, and below it the noisy one.
Bytes shown(const Renderer& renderer, int frame) {
  return renderer.pixels(frame).last(size_t{8} * renderer.extent.width * renderer.extent.height);
}

// FOLDER/7.pam, what is shown, and FOLDER/7.planes, all planes in their formats.
void write(const Renderer& renderer, const std::string& folder, int frame) {
  const std::string name = folder + "/" + std::to_string(frame);
  const auto text = [](Bytes bytes) { return std::string(bytes.begin(), bytes.end()); };
  std::ofstream planes(name + ".planes", std::ios::binary), picture(name + ".pam", std::ios::binary);
  planes << text(renderer.pixels(frame));
  picture << "P7\nWIDTH " << renderer.extent.width << "\nHEIGHT " << 2 * renderer.extent.height
          << "\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
          << text(shown(renderer, frame));
  if (!planes.flush() || !picture.flush())
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
  const Bytes last = shown(renderer, frames - 1);
  const double denoised = roughness(last.first(last.size() / 2)),
               noisy = roughness(last.last(last.size() / 2));
  std::printf("record(): %.0f us\nmean difference of neighbours: %.1f noisy, %.1f denoised\n",
              times[frames / 2], noisy, denoised);
  return denoised < 0.5 * noisy ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
