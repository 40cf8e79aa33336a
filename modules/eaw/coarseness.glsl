// The noise of levels relative to white noise of the curve, from the quietest tiles (tiles.glsl), because
// texture only adds to it.

const int tiles = 256;
const int fewest = 32;       // usable tiles
const float leastSquare = 1e-3;
// standard deviations from the picture's least and greatest value, within which noise is clipped
const float cutOff = 0.7;
const float least = 0.05;
const float greatest = 8.0;
const float greatestFine = 1.7320508;  // noise of brightness, if all colours have the same noise
const float evenShare = 0.75;          // of quantiles, from which brightness has no texture
// The colours' noise is white from so much at the finest level on, with less than so many times that at coarse
// ones. That of demosaiced or JPEG pictures is 3 times as much, or more.
const float leastWhite = 0.2;
const float mostWhite = 1.6;
// The root of these quantiles of 256 squares, in white noise of 1: brightness in levels 0 and 1, colours in 0
// and 2.
const float lowShare = 0.05;
const float highShare = 0.2;
const vec4 lowOfWhite = vec4(0.9195, 0.8488, 0.9457, 0.7918);
const vec4 highOfWhite = vec4(0.9587, 0.9154, 0.9714, 0.8848);

// In the order of the tiles' squares, each different: positive floats are in the order of their bits, and the
// lowest 8 bits count tiles instead. Unused tiles come last.
shared uvec4 keys[tiles];
shared vec2 range[tiles];
shared uint used;
const uint unused = 0x7fffff00u;
shared float low[4];
shared float high[4];

vec2 widest(vec2 a, vec2 b) { return vec2(min(a.x, b.x), max(a.y, b.y)); }

// Over all tiles, by two rounds of sixteen.
vec2 wholeRange(int self, vec2 own) {
  range[self] = own;
  barrier();
  if (self < 16) {
    vec2 found = range[16 * self];
    for (int k = 1; k < 16; ++k) { found = widest(found, range[16 * self + k]); }
    range[16 * self] = found;
  }
  barrier();
  vec2 found = range[0];
  for (int k = 1; k < 16; ++k) { found = widest(found, range[16 * k]); }
  return found;
}

// The used tile whose rank is the quantile's.
void findQuantiles(int self, vec4 own) {
  uvec4 rank = uvec4(0u);
  uvec4 ownKey = keys[self];
  for (int k = 0; k < tiles; k += 4) {
    uvec4 a = keys[k], b = keys[k + 1], c = keys[k + 2], d = keys[k + 3];
    rank += uvec4(lessThan(a, ownKey)) + uvec4(lessThan(b, ownKey)) + uvec4(lessThan(c, ownKey)) +
            uvec4(lessThan(d, ownKey));
  }
  uint lowRank = uint(lowShare * float(used)), highRank = uint(highShare * float(used));
  for (int k = 0; k < 4; ++k) {
    if (rank[k] == lowRank) { low[k] = sqrt(own[k]); }
    if (rank[k] == highRank) { high[k] = sqrt(own[k]); }
  }
  barrier();
}

void store(float fine, float coarse, float colourFine, float colourCoarse) {
  array_fine.data[0] = fine;
  array_coarse.data[0] = coarse;
  array_colour_fine.data[0] = colourFine;
  array_colour_coarse.data[0] = colourCoarse;
  array_levels.data[0] = fine;
  array_levels.data[1] = coarse;
  array_levels.data[2] = colourFine;
  array_levels.data[3] = colourCoarse;
}

// If quantiles are farther apart than in white noise, both contain texture; noise without texture is assumed
// as far again below the low one, and the finest brightness's, which varies more, falls faster. Texture of
// brightness everywhere looks like noise, but noise would also have colours: where those have white noise,
// brightness has no more.
void storeFactors() {
  vec4 l = vec4(low[0], low[1], low[2], low[3]) / lowOfWhite;
  vec4 h = max(vec4(high[0], high[1], high[2], high[3]) / highOfWhite, vec4(1e-6));
  vec4 bare = l * l / h;
  float colourFine = clamp(0.97 * h.z, least, greatest);
  float colourCoarse = clamp(0.97 * bare.w, least, greatest);
  bool isWhite = l.z > leastWhite && l.w < mostWhite * l.z;
  float even = min(l.x / (evenShare * h.x), 1.0);
  float fine = clamp(0.97 * h.x * even * even * even, least, isWhite ? 1.03 * colourFine : greatestFine);
  float coarse = clamp(0.95 * bare.y, 0.8 * fine, isWhite ? fine : max(fine, colourCoarse));
  store(fine, coarse, colourFine, colourCoarse);
}

void run(Pixel p) {
  int self = int(gl_LocalInvocationIndex);
  vec4 own;
  for (int k = 0; k < 4; ++k) { own[k] = array_tiles.data[8 * self + k]; }
  float darkest = array_tiles.data[8 * self + 4];
  float brightest = array_tiles.data[8 * self + 5];
  if (self == 0) { used = 0u; }
  vec2 whole = wholeRange(self, vec2(array_tiles.data[8 * self + 6], array_tiles.data[8 * self + 7]));
  bool isUsed = own.x > leastSquare && own.x < 1e30 && darkest - cutOff > whole.x && brightest + cutOff < whole.y;
  if (isUsed) { atomicAdd(used, 1u); }
  keys[self] = (isUsed ? floatBitsToUint(own) & ~255u : uvec4(unused)) | uint(self);
  barrier();
  findQuantiles(self, own);
  if (self == 0 && used >= uint(fewest)) {
    storeFactors();
  } else if (self == 0) {
    store(1.0, 1.0, 1.0, 1.0);
  }
}
