// Blocks of 8x8 pixels: which pixels count in them, and their values, interpolated between their centres.

const int blockSide = 8;

bool isLight(vec3 v) { return all(greaterThanEqual(v, vec3(0.0))) && all(lessThan(v, vec3(1e30))); }

struct Between { ivec2 first; vec2 share; };

Between betweenBlocks(ivec2 pixel) {
  vec2 place = (vec2(pixel) + 0.5) / float(blockSide) - 0.5;
  ivec2 first = ivec2(floor(place));
  return Between(first, place - vec2(first));
}

// VALUE(block) is a vec4.
#define BETWEEN_BLOCKS(VALUE, b) \
  mix(mix(VALUE((b).first), VALUE((b).first + ivec2(1, 0)), (b).share.x), \
      mix(VALUE((b).first + ivec2(0, 1)), VALUE((b).first + 1), (b).share.x), (b).share.y)
