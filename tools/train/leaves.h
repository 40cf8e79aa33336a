// A pixel of a dead-leaves picture (Lee, Mumford, Huang 2001): shapes that hide one another, front to back,
// by 16 samples under the pixel's point spread function. dead_leaves.py describes the pictures. For CUDA, and
// for C++ to do without a GPU.

const int samples = 16;

// in the order of dead_leaves.LEAF and PICTURE; lengths are in pixels
struct Leaf {
  float shape, x, y, cosine, sine, width, height, form, bend, bound, soft;
  float first[3], second[3];  // the texture's colours
  float texture, frequency, phase, duty, contrast, seed, grain, grainFrequency, grainGain;
  float shade, highlight, towardsX, towardsY, highlightSize, alpha, stretch, textureCosine, textureSine;
};
struct Picture {
  float blur, elongation, slope, slopeX, slopeY, clouds, cloudFrequency, seed, tint[3];
};

DEVICE unsigned hashed(int x, int y, int seed) {
  unsigned h = (unsigned)x * 374761393u + (unsigned)y * 668265263u + (unsigned)seed * 2246822519u;
  h = (h ^ (h >> 13)) * 1274126177u;
  h = (h ^ (h >> 15)) * 2246822519u;
  return h ^ (h >> 16);
}

DEVICE float randomAt(int x, int y, int seed) {
  return (hashed(x, y, seed) & 0xffffffu) / 16777216.0f;
}

DEVICE float valueNoise(float x, float y, int seed) {  // -.5 to .5
  float left = floorf(x), top = floorf(y);
  int column = (int)left, row = (int)top;
  float fx = x - left, fy = y - top;
  fx = fx * fx * (3 - 2 * fx);
  fy = fy * fy * (3 - 2 * fy);
  float a = randomAt(column, row, seed), b = randomAt(column + 1, row, seed);
  float c = randomAt(column, row + 1, seed), d = randomAt(column + 1, row + 1, seed);
  return a + (b - a) * fx + (c - a) * fy + (a - b - c + d) * fx * fy - .5f;
}

DEVICE float fractal(float x, float y, int seed, float gain, int octaves) {  // about -.5 to .5
  float sum = 0, amplitude = 1, power = 0;
  for (int i = 0; i < octaves; ++i) {
    sum += amplitude * valueNoise(x, y, seed + i);
    power += amplitude * amplitude;
    amplitude *= gain;
    float t = 1.64f * x - 1.22f * y + 7.1f;  // turned and twice as fine
    y = 1.22f * x + 1.64f * y - 3.7f;
    x = t;
  }
  return sum / sqrtf(power);
}

DEVICE float clamped(float x) {
  return fminf(fmaxf(x, 0.f), 1.f);
}
DEVICE float fraction(float x) {
  return x - floorf(x);
}

// below 0 inside
DEVICE float distanceTo(const Leaf& leaf, float u, float v) {
  float w = leaf.width, h = leaf.height;
  switch ((int)leaf.shape) {
    case 0:  // ellipse
      return (sqrtf(u * u / (w * w) + v * v / (h * h)) - 1) * fminf(w, h);
    case 1: {  // rounded rectangle
      float r = leaf.form * fminf(w, h), du = fabsf(u) - w + r, dv = fabsf(v) - h + r;
      float outU = fmaxf(du, 0.f), outV = fmaxf(dv, 0.f);
      return sqrtf(outU * outU + outV * outV) + fminf(fmaxf(du, dv), 0.f) - r;
    }
    case 2: {  // blob
      float angle = atan2f(v, u);
      return sqrtf(u * u + v * v) + 1e-6f -
             w * (1 - leaf.form +
                  leaf.form * (.6f * cosf(leaf.bend * angle) + .4f * cosf((leaf.bend + 3) * angle + 1.f)));
    }
    case 3: {  // bent stroke, which may end in a point
      v -= leaf.form * (u * u / (w * w) - .5f) * w;
      float beyond = fmaxf(fabsf(u) - w, 0.f);
      float taper = leaf.bend > 0 ? 1 - leaf.bend * clamped((u + w) / (2 * w)) : 1.f;
      return (sqrtf(beyond * beyond + v * v) - h * taper) / sqrtf(1 + 4 * leaf.form * leaf.form);
    }
    case 4:  // ring, cut
      return fmaxf(fabsf(sqrtf(u * u + v * v) - w) - h, -u - leaf.form * w);
    case 5: {  // polygon
      int sides = (int)leaf.form;
      float d = -1e9f;
      for (int i = 0; i < sides; ++i) {
        float a = 6.2832f * i / sides + .5f * sinf(leaf.bend * (i + 1));
        d = fmaxf(d, u * cosf(a) + v * sinf(a) - w * (.6f + .4f * cosf(leaf.bend * 3 * i)));
      }
      return d;
    }
  }
  return -1e9f;  // the ground
}

// from the first colour, 0, to the second, 1
DEVICE float textureAt(const Leaf& leaf, float u, float v) {
  float k = leaf.duty;
  int seed = (int)leaf.seed;
  float x = (leaf.textureCosine * u + leaf.textureSine * v) * leaf.frequency;
  float y = (-leaf.textureSine * u + leaf.textureCosine * v) * leaf.frequency * leaf.stretch;
  float across = fraction(x + leaf.phase), down = fraction(y + leaf.phase);
  switch ((int)leaf.texture) {
    case 1:
      return clamped(.5f + x);  // gradient
    case 2:
      return .5f + .5f * sinf(6.2832f * (x + leaf.phase));
    case 3:
      return across < k ? 1.f : 0.f;  // stripes
    case 4:
      return (across < k) != (down < k) ? 1.f : 0.f;  // checks
    case 5:
      return clamped(.5f +
                     1.3f * fractal(x, y, seed, .45f + .4f * k, 6));  // fur, grass, stone: by the spectrum
    case 6: {                                                         // wood
      float w = 3.f * valueNoise(x * .15f, y * .6f, seed + 50);
      return clamped(.5f + 1.3f * fractal(x * .2f + w * .3f, y * 2.f + w * 2.f, seed, .5f + .3f * k, 5));
    }
    case 7:
      return .5f + .5f * cosf((x * x + y * y) * k * 2.f);  // zone plate
    case 8: {                                              // dots
      float s = across - .5f, t = down - .5f;
      return s * s + t * t < k * k * .25f ? 1.f : 0.f;
    }
    case 9:
      return clamped(.5f + .5f * sinf(6.2832f * x) * sinf(6.2832f * y) * (1 + k));
    case 10:
      return .5f + .5f * sinf(6.2832f * (x + 2 * k * valueNoise(x * .3f, y * .3f, seed)));  // waves
    case 11:
      return randomAt((int)floorf(x), (int)floorf(y), seed);  // cells
    case 12:
      return clamped((fractal(x, y, seed, .55f, 5) - .15f * k) * 12 + .5f);  // patches with sharp edges
    case 13:
      return clamped(1.f - fabsf(fractal(x, y, seed, .5f, 4)) * (6 + 8 * k));  // veins
    case 14: {                                                                 // bricks
      float row = floorf(y), s = fraction(x + (((int)row & 1) ? .5f : 0.f));
      return s < .08f + .1f * k || y - row < .1f + .15f * k ? 1.f : 0.f;
    }
    case 15: {  // folds with grain
      float fold = across < .5f ? 2 * across : 2 - 2 * across;
      return clamped(.5f + .5f * fold + .6f * fractal(x * 2, y * .5f, seed, .6f, 3));
    }
    case 16: {  // fabric: warp above weft in turns
      int over = ((int)floorf(x) + (int)floorf(y)) & 1;
      float thread = sinf(3.1416f * fraction(over ? x : y)), along = sinf(3.1416f * fraction(over ? y : x));
      return clamped((over ? .2f + k : .8f - k * .6f) * thread * (.6f + .4f * along) +
                     .25f * valueNoise(x * 2, y * 2, seed));
    }
  }
  return 0;
}

DEVICE void pixelOf(const Leaf* leaves, const Picture& picture, int count, float px, float py, float size,
                    float* out) {
  float left[samples], offsetX[samples], offsetY[samples], sum[3] = {0, 0, 0};
  for (int i = 0; i < samples; ++i) {  // of a normal distribution, on a spiral: the same for all pixels
    float r = picture.blur * sqrtf(-2 * logf(1 - (i + .5f) / samples)), a = 2.39996f * i;
    offsetX[i] = r * cosf(a) * picture.elongation;
    offsetY[i] = r * sinf(a);
    left[i] = 1;
  }
  float reach = picture.blur * 2.7f * fmaxf(picture.elongation, 1.f) + 1;
  for (int n = 0; n < count; ++n) {
    const Leaf& leaf = leaves[n];
    float dx = px - leaf.x, dy = py - leaf.y, radius = leaf.bound + reach + leaf.soft;
    if (dx * dx + dy * dy > radius * radius)
      continue;
    float still = 0;
    for (int i = 0; i < samples; ++i) {
      if (left[i] < .004f)
        continue;
      float ax = dx + offsetX[i], ay = dy + offsetY[i];
      float u = leaf.cosine * ax + leaf.sine * ay, v = -leaf.sine * ax + leaf.cosine * ay;
      float d = distanceTo(leaf, u, v), alpha = leaf.soft > .01f ? clamped(.5f - d / leaf.soft)
                                                : d < 0          ? 1.f
                                                                 : 0.f;
      alpha = alpha * alpha * (3 - 2 * alpha) * leaf.alpha;
      if (alpha <= 0) {
        still += left[i];
        continue;
      }
      float t = leaf.texture > 0 ? textureAt(leaf, u, v) * leaf.contrast : 0.f, light = 1;
      if (leaf.grain > 0) {
        light = fmaxf(.05f, 1 + leaf.grain * 2 *
                                    fractal(u * leaf.grainFrequency, v * leaf.grainFrequency,
                                            (int)leaf.seed + 20, leaf.grainGain, 6));
      }
      float un = u / leaf.width, vn = v / leaf.width;
      light *= fmaxf(.05f, 1 + leaf.shade * (un * leaf.towardsX + vn * leaf.towardsY));
      float hx = un - .4f * leaf.towardsX, hy = vn - .4f * leaf.towardsY;
      float shine =
          leaf.highlight > 0
              ? leaf.highlight * expf(-(hx * hx + hy * hy) / (leaf.highlightSize * leaf.highlightSize))
              : 0.f;
      for (int c = 0; c < 3; ++c)
        sum[c] += left[i] * alpha * ((leaf.first[c] + (leaf.second[c] - leaf.first[c]) * t) * light + shine);
      left[i] *= 1 - alpha;
      still += left[i];
    }
    if (still < .02f)
      break;
  }
  float along = px / size - .5f, down = py / size - .5f;
  float clouds = picture.clouds * 2 *
                 fractal(px * picture.cloudFrequency / size, py * picture.cloudFrequency / size,
                         (int)picture.seed, .5f, 3);
  float light = fmaxf(.02f, 1 + picture.slope * (along * picture.slopeX + down * picture.slopeY) + clouds);
  for (int c = 0; c < 3; ++c)
    out[c] = fminf(fmaxf(sum[c] / samples * light * (1 + picture.tint[c] * along), 0.f), 60.f);
}
