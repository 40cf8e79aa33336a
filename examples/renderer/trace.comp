#version 450
// One path a pixel through spheres over a floor, which move; the planes that svgf takes, in a renderer's usual formats.

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba16f) uniform writeonly image2D noisyImage;
layout(binding = 1, rgba8) uniform writeonly image2D albedoImage;
layout(binding = 2, rgba8) uniform writeonly image2D normalImage;  // from [0, 1]
layout(binding = 3, r32f) uniform writeonly image2D depthImage;    // reversed: near / depth
layout(binding = 4, rg16f) uniform writeonly image2D motionImage;  // to the frame before, in parts of the image
layout(push_constant) uniform Push { int frame; int width; int height; float near; } push;

struct Hit { float t; vec3 normal; vec3 albedo; float light; int object; };

uint state;
float random() {  // PCG: Jarzynski, Olano 2020, Hash Functions for GPU Rendering
  state = state * 747796405u + 2891336453u;
  uint word = ((state >> ((state >> 28) + 4u)) ^ state) * 277803737u;
  return float((word >> 22) ^ word) * (1.0 / 4294967296.0);
}

vec3 centreOf(int sphere, int frame) {
  float angle = 1.6 * float(sphere) + 0.04 * float(frame);
  return sphere == 4 ? vec3(0.0, 4.0, 4.0) : vec3(1.7 * cos(angle), 0.5, 4.0 + 1.7 * sin(angle));
}

Hit hitOf(vec3 origin, vec3 direction) {
  Hit hit = Hit(1e9, vec3(0.0), vec3(0.0), 0.0, -1);
  for (int i = 0; i < 5; ++i) {
    vec3 to = centreOf(i, push.frame) - origin;
    float radius = i == 4 ? 1.2 : 0.5, along = dot(to, direction);
    float inside = radius * radius - dot(to, to) + along * along;
    float t = along - sqrt(max(inside, 0.0));
    if (inside > 0.0 && t > 1e-3 && t < hit.t) {
      vec3 colour = 0.5 + 0.4 * cos(vec3(0.0, 2.1, 4.2) + 1.9 * float(i));
      hit = Hit(t, (t * direction - to) / radius, i == 4 ? vec3(0.0) : colour, i == 4 ? 6.0 : 0.0, i);
    }
  }
  float floorAt = -origin.y / direction.y;
  if (floorAt > 1e-3 && floorAt < min(hit.t, 60.0)) {
    vec2 at = floor((origin + floorAt * direction).xz);
    hit = Hit(floorAt, vec3(0.0, 1.0, 0.0), vec3(mod(at.x + at.y, 2.0) < 0.5 ? 0.7 : 0.3), 0.0, 5);
  }
  return hit;
}

vec2 projected(vec3 point) {  // in pixels
  vec3 view = point - vec3(0.0, 1.2, -1.0);
  return (view.xy / view.z * vec2(1.0, -1.0) * float(push.height) + vec2(push.width, push.height)) * 0.5;
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  if (pixel.x >= push.width || pixel.y >= push.height)
    return;
  state = uint(pixel.x) + 9781u * uint(pixel.y) + 6271u * uint(push.frame) * 26699u;
  random();
  vec2 at = (2.0 * (vec2(pixel) + 0.5) - vec2(push.width, push.height)) / float(push.height);
  vec3 origin = vec3(0.0, 1.2, -1.0), direction = normalize(vec3(at.x, -at.y, 1.0)), weight = vec3(1.0), light = vec3(0.0);
  for (int bounce = 0; bounce < 3; ++bounce) {
    Hit hit = hitOf(origin, direction);
    vec3 point = origin + hit.t * direction;
    if (bounce == 0) {
      float depth = (point - origin).z;
      bool isHit = hit.object >= 0;
      vec3 before = point;
      if (isHit && hit.object < 5)
        before += centreOf(hit.object, push.frame - 1) - centreOf(hit.object, push.frame);
      vec2 motion = isHit ? (projected(before) - projected(point)) / vec2(push.width, push.height) : vec2(0.0);
      imageStore(albedoImage, pixel, vec4(hit.albedo, 1.0));
      imageStore(normalImage, pixel, vec4(0.5 + 0.5 * hit.normal, 1.0));
      imageStore(depthImage, pixel, vec4(isHit ? push.near / depth : 0.0));
      imageStore(motionImage, pixel, vec4(motion, 0.0, 0.0));
    }
    if (hit.object < 0) {
      light += weight * vec3(0.25, 0.3, 0.4);
      break;
    }
    light += weight * hit.light;
    weight *= hit.albedo;
    float turn = 6.2831853 * random(), up = 2.0 * random() - 1.0, out2 = sqrt(max(0.0, 1.0 - up * up));
    direction = normalize(hit.normal * 1.001 + vec3(out2 * cos(turn), out2 * sin(turn), up));
    origin = point + 1e-3 * hit.normal;
  }
  imageStore(noisyImage, pixel, vec4(light, 1.0));
}
