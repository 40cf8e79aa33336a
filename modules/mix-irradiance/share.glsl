// Of the other picture around a block, and the luminance that is dark there. Little noise is of many samples,
// whose albedo hardly has any: then its textures are those of the picture.

const int radius = 2;
const float most = 0.9, littleNoise = 0.04, dark = 0.05;

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec3 rough = vec3(0.0);
  vec3 light = vec3(0.0);
  ivec2 first = max(p.position - radius, ivec2(0)), last = min(p.position + radius, p.extent - 1);
  for (int y = first.y; y <= last.y; ++y) {
    for (int x = first.x; x <= last.x; ++x) {
      vec2 step_ = vec2(ivec2(x, y) - p.position);
      float w = exp(-0.5 * dot(step_, step_));
      rough = fma(vec3(w), load_rough(ivec2(x, y)).rgb, rough);
      light = fma(vec3(w), load_light(ivec2(x, y)).gba, light);
    }
  }
  float count = max(light.b, 1e-6), mean = light.r / count;
  float noise = light.g / count / max(mean * mean, 1e-30) / littleNoise;
  float limit = param.share + (most - param.share) / fma(noise, noise, 1.0);
  float floor_ = 1e-6 * max(rough.b, 1e-6);
  float smoother = (rough.r + floor_) / (rough.g + floor_);
  float share = smoother / (smoother + 1.0 / param.share - 1.0);
  store_share(p.position, vec2(min(share, limit), dark * mean));
}
