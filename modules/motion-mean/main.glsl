#include "shared/finite.glsl"
#include "svgf/demodulate.glsl"

// Which the surface's code expects.
const bool has_id = false;
uint load_id(ivec2 p) { return 0u; }
#include "shared/surface_at.glsl"

// What is kept of a pixel, in halves: `light` is radiance over albedo.
//   x, y, z: light.rg; light.b, albedo.r; albedo.gb
//   w: motion
const uint noLight = 0x7e007e00u;   // x where a component isn't finite
const uint noMotion = 0x7e007e00u;  // w of the first frame and of cuts
const uint noSurface = 0u;          // surface.x of zeros, before the first frame; no normal has this code

vec3 albedoAt(ivec2 p) { return has_albedo ? toUnit(load_albedo(p).rgb) : vec3(1.0); }
vec3 normalAt(ivec2 p) { return has_albedo ? normalOf(load_normal(p), albedoAt(p)) : load_normal(p); }
vec2 gradientAt(ivec2 p, float depth, ivec2 extent) { return gradientOfDepths(p, depth, extent); }

struct Path {
  ivec2 position;   // of the own pixel
  ivec2 extent;
  vec2 place;       // in the frame reached
  ivec2 at;         // its nearest pixel
  Surface surface;  // of the last pixel that was on the way
  vec3 albedo;      // of the own pixel
  bool goesOn;
  vec3 sum;         // of light of earlier pixels that count
  float count;
};

void advance(inout Path path, vec2 motion) {
  path.place += motion;
  // A comparison with NaN is false.
  path.goesOn = path.goesOn && all(greaterThanEqual(path.place, vec2(-0.5))) &&
                all(lessThan(path.place, vec2(path.extent) - 0.5));
  path.at = path.goesOn ? ivec2(floor(path.place + 0.5)) : path.position;
}

void take(inout Path path, uvec4 kept, uvec2 words) {
  Surface surface = unpackSurface(words);
  path.goesOn = path.goesOn && words.x != noSurface &&
                isSameSurface(path.surface, surface, Tolerance(param.depth_tolerance, param.normal_tolerance));
  if (!path.goesOn) { return; }
  path.surface = surface;
  vec2 middle = unpackHalf2x16(kept.y), last = unpackHalf2x16(kept.z);
  vec3 difference = abs(vec3(middle.y, last) - path.albedo);
  if (kept.x != noLight && max(difference.r, max(difference.g, difference.b)) <= param.albedo_tolerance) {
    path.sum += vec3(unpackHalf2x16(kept.x), middle.x);
    path.count += 1.0;
  }
  path.goesOn = kept.w != noMotion;
  if (path.goesOn) { advance(path, unpackHalf2x16(kept.w)); }
}

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  vec4 own = asColour(load_input(p.position));
  vec3 albedo = albedoAt(p.position);
  vec3 divisor = divisorOf(albedo, own.rgb, largestHalf);
  bool there = isFinite(own.rgb);
  vec3 light = there ? own.rgb / divisor : vec3(0.0);
  vec2 motion = load_motion(p.position);
  bool moves = !frame.first && !param.cut && isFinite(motion);
  uvec2 surface = packedSurface(p.position, p.extent);

  Path path = Path(p.position, p.extent, vec2(p.position), p.position, unpackSurface(surface), albedo, moves,
                   vec3(0.0), 0.0);
  advance(path, motion);
#if channels_sample1
  if (path.goesOn) { take(path, load_sample1(path.at), load_surface1(path.at)); }
#endif
#if channels_sample2
  if (path.goesOn) { take(path, load_sample2(path.at), load_surface2(path.at)); }
#endif
#if channels_sample3
  if (path.goesOn) { take(path, load_sample3(path.at), load_surface3(path.at)); }
#endif
#if channels_sample4
  if (path.goesOn) { take(path, load_sample4(path.at), load_surface4(path.at)); }
#endif
#if channels_sample5
  if (path.goesOn) { take(path, load_sample5(path.at), load_surface5(path.at)); }
#endif
#if channels_sample6
  if (path.goesOn) { take(path, load_sample6(path.at), load_surface6(path.at)); }
#endif
#if channels_sample7
  if (path.goesOn) { take(path, load_sample7(path.at), load_surface7(path.at)); }
#endif

  float earlier = path.count;
  vec3 past = path.sum / max(earlier, 1.0);
  store_past(p.position, vec4(past * divisor, earlier));
  store_lights(p.position, vec4(luminanceOf(light, colour_input), luminanceOf(past, colour_input),
                                there ? earlier : 0.0, 0.0));
  vec2 steps = clamp(motion, -largestHalf, largestHalf);
  store_sample(p.position, uvec4(there ? packHalf2x16(light.rg) : noLight, packHalf2x16(vec2(light.b, albedo.r)),
                                 packHalf2x16(albedo.gb), moves ? packHalf2x16(steps) : noMotion));
  store_surface(p.position, surface);
}
