// Input of a bilateral filter. The includer defines CHANNELS, the number that is filtered, and DISTANCE, 0 if
// each channel has its own weight.

// The filtered components, without alpha.
#if CHANNELS == 1
#define COLOUR float
#elif CHANNELS == 2
#define COLOUR vec2
#else
#define COLOUR vec3
#endif

// The components in which edges are found.
#if channels_guide == 0
#define GUIDE COLOUR
#define format_edges format_values
#elif channels_guide == 1
#define GUIDE float
#define format_edges format_guide
#elif channels_guide == 2
#define GUIDE vec2
#define format_edges format_guide
#else
#define GUIDE vec3
#define format_edges format_guide
#endif

// If each channel is compared with itself, each has its own weight; otherwise all share one.
#define SAME_CHANNELS \
  (channels_guide == 0 || channels_guide == CHANNELS || (channels_guide >= 3 && CHANNELS >= 3))
#if DISTANCE == 0 && SAME_CHANNELS
#define WEIGHT COLOUR
#else
#define WEIGHT float
#endif

// Pixels are in 8-bit levels if they are integers, else unchanged.
#if format_values <= format_u16
const float unit = 255.0;
#else
const float unit = 1.0;
#endif

void take(vec4 v, out vec3 colour) { colour = v.rgb; }
void take(vec3 v, out vec3 colour) { colour = v; }
void take(vec2 v, out vec2 colour) { colour = v; }
void take(float v, out float colour) { colour = v; }

// Alpha comes from the pixel itself.
void place(vec3 v, vec4 old, out vec4 pixel) { pixel = vec4(v, old.a); }
void place(vec3 v, vec3 old, out vec3 pixel) { pixel = v; }
void place(vec2 v, vec2 old, out vec2 pixel) { pixel = v; }
void place(float v, float old, out float pixel) { pixel = v; }

// sigma_range is in 8-bit levels (white is 255), or in Lab's units if edges are found in Lab.
#if format_edges <= format_u16 || DISTANCE == 2
const float edgeUnit = 1.0;
#else
const float edgeUnit = 1.0 / 255.0;
#endif

float squared(float d) { return d * d; }
float squared(vec2 d) { return fma(d.x, d.x, d.y * d.y); }
float squared(vec3 d) { return fma(d.x, d.x, fma(d.y, d.y, d.z * d.z)); }
float summed(float d) { return abs(d); }
float summed(vec2 d) { return abs(d.x) + abs(d.y); }
float summed(vec3 d) { return abs(d.x) + abs(d.y) + abs(d.z); }

// The squared difference for the range Gaussian. DISTANCE is 0 for per-channel, each alone; 1 for rgb,
// Euclidean; 2 for lab, likewise; 3 for opencv, the sum of absolute differences
WEIGHT squaredDistance(GUIDE d) {
#if DISTANCE == 0 && SAME_CHANNELS
  return d * d;
#elif DISTANCE == 3
  return WEIGHT(squared(summed(d)));
#else
  return WEIGHT(squared(d));
#endif
}
