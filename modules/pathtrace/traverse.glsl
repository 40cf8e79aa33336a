// The surface that a ray hits. Two levels, objects in the world and triangles in objects, in one loop with
// one stack, the nearer child first (Aila, Laine 2009, Understanding the Efficiency of Ray Traversal on
// GPUs). It ends for every ray, because each node is reached in only one way. A ray without a direction, or
// with NaN, hits nothing.

struct Hit {
  float t;
  vec2 weights;    // of the second and third corner of a triangle
  uint primitive;  // triangle in its array
  uint object;
};

const uint doneMark = 0xffffffffu;
const uint leaveMark = 0xfffffffeu;  // below it the stack is that of the objects' hierarchy

struct Node { uvec4 a; uvec4 b; uvec4 z; uvec4 children; };

Node meshNode(uint i) {
  uint at = i * nodeElements;
  return Node(vectors_nodes.data[at], vectors_nodes.data[at + 1u], vectors_nodes.data[at + 2u],
              vectors_nodes.data[at + 3u]);
}
Node topNode(uint i) {
  uint at = i * nodeElements;
  return Node(vectors_toplevel.data[at], vectors_toplevel.data[at + 1u], vectors_toplevel.data[at + 2u],
              vectors_toplevel.data[at + 3u]);
}
Node nodeAt(uint i, bool inMesh) {
  if (!hasObjects) { return meshNode(i); }
  if (!hasMeshes) { return topNode(i); }
  if (inMesh) { return meshNode(i); }
  return topNode(i);
}

// Tests the triangles of a leaf. With `any`, the first hit does.
bool meetLeaf(uint leaf, Axes axes, vec3 origin, uint object, bool any, inout Hit hit) {
  uint first = (leaf & ~leafBit) >> 4u;
  uint end = first + (leaf & 15u);
  bool met = false;
  for (uint i = first; i < end && !(any && met); ++i) {
    uint at = 3u * i;
    vec3 v0 = uintBitsToFloat(vectors_triangles.data[at].xyz);
    vec3 v1 = uintBitsToFloat(vectors_triangles.data[at + 1u].xyz);
    vec3 v2 = uintBitsToFloat(vectors_triangles.data[at + 2u].xyz);
    vec3 found = meetTriangle(axes, origin, v0, v1, v2, hit.t);
    if (found.z > 0.0) {
      hit = Hit(found.z, found.xy, i, object);
      met = true;
    }
  }
  return met;
}

// The nearest hit, or with `any` some hit. False if there is none; `hit.t` is then the ray's limit.
bool traverse(Ray ray, bool any, out Hit hit) {
  hit = Hit(ray.limit, vec2(0.0), 0u, 0u);
  vec3 origin = ray.origin;
  Slabs slabs = slabsOf(origin, ray.direction);
  Axes axes = axesOf(ray.direction);
  uint stack[stackSize];
  stack[0] = doneMark;
  int top = 1;
  uint current = along(ray.direction, ray.direction) > 0.0 ? 0u : doneMark;
  uint object = 0u;
  bool inMesh = !hasObjects;
  bool met = false;
  while (current != doneMark) {
    if ((current & leafBit) == 0u) {
      Node node = nodeAt(current, inMesh);
      vec4 a = uintBitsToFloat(node.a);
      vec4 b = uintBitsToFloat(node.b);
      vec4 z = uintBitsToFloat(node.z);
      float t0 = enterBox(slabs, vec3(a.xz, z.x), vec3(a.yw, z.y), hit.t);
      float t1 = enterBox(slabs, vec3(b.xz, z.z), vec3(b.yw, z.w), hit.t);
      bool swapped = t1 < t0;
      if (max(t0, t1) < missed) { stack[top++] = swapped ? node.children.x : node.children.y; }
      uint nearer = swapped ? node.children.y : node.children.x;
      current = min(t0, t1) < missed ? nearer : stack[--top];
    } else if (hasObjects && current == leaveMark) {
      inMesh = false;
      origin = ray.origin;
      slabs = slabsOf(origin, ray.direction);
      current = stack[--top];
    } else if (inMesh) {
      met = meetLeaf(current, axes, origin, object, any, hit) || met;
      current = any && met ? doneMark : stack[--top];
    } else {
      object = (current & ~leafBit) >> 4u;
      Map map = toObject(object);
      vec3 inside = mapPoint(map, ray.origin);
      vec3 towards = mapVector(map, ray.direction);
      uvec4 kind = objectElement(object, 9u);
      if (hasSpheres && kind.x == 1u) {
        float t = meetSphere(inside, towards, hit.t);
        if (t > 0.0) {
          hit = Hit(t, vec2(0.0), 0u, object);
          met = true;
        }
        current = any && met ? doneMark : stack[--top];
      } else {
        stack[top++] = leaveMark;
        inMesh = true;
        origin = inside;
        slabs = slabsOf(inside, towards);
        axes = axesOf(towards);
        current = kind.y;
      }
    }
  }
  return met;
}

bool closestHit(Ray ray, out Hit hit) { return traverse(ray, false, hit); }
bool isBlocked(Ray ray) {
  Hit hit;
  return traverse(ray, true, hit);
}
