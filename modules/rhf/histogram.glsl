// What kernels of a scale share. `bins` (of all colours), `width`, `height` and `isFinest` come from the module's native code.

#define PIXELS (width * height)
#define at_histogram(plane, i) array_histogram.data[(plane) * PIXELS + (i)]
#define at_distances(plane, i) array_distances.data[(plane) * PIXELS + (i)]
#define at_masks(plane, i) array_masks.data[(plane) * PIXELS + (i)]

// Pixels between this one and the border.
int roomAt(ivec2 p) { return min(min(p.x, p.y), min(width - 1 - p.x, height - 1 - p.y)); }

bool contains(ivec2 p) { return all(greaterThanEqual(p, ivec2(0))) && all(lessThan(p, ivec2(width, height))); }
