// Thin lines of one colour on another become strings of dots if green changes as red and blue do. A block of 2x2
// pixels is made with that assumption (`joint`) and without it (`plain`), by means of the pixels around. State:
// green less the pixel's colour, the share of the row in it, the colour, the value. Results: the contrasts of joint and
// plain; plain green of the block's two other pixels, the upper one first.

const float colourWeight = 0.5;     // of contrasts in colour, beside those in brightness
const float excessOfColour = 0.18;  // counts as contrast of plain: what looks grey is more likely grey

// Of a 2x2: the pixel with the colour, that beside it, that above or below it, and the one across, as means of the
// colour's pixels around.
vec4 spread(float own, float beside, float along, float across) {
  return vec4(own, 0.5 * (own + beside), 0.5 * (own + along), 0.25 * (own + beside + along + across));
}

// Mirrored at the border.
vec4 stateAt(ivec2 p) {
  ivec2 last = extent_state - 1;
  return load_state(clamp(last - abs(last - abs(p)), ivec2(0), last));
}

// Green from the pixels beside.
float plainGreen(ivec2 p, float shareOfRow) {
  float row = stateAt(p - ivec2(1, 0)).w + stateAt(p + ivec2(1, 0)).w;
  float column = stateAt(p - ivec2(0, 1)).w + stateAt(p + ivec2(0, 1)).w;
  return 0.5 * fma(shareOfRow, row - column, column);
}

float contrast(vec4 v) { return abs(v.x - v.y) + abs(v.z - v.w) + abs(v.x - v.z) + abs(v.y - v.w); }

struct Lattice { vec4 value; vec4 difference; float green; };

// Of the colour at `p`, whose nearest in the 2x2's rows and columns are two pixels away in the direction `away`.
Lattice latticeAt(ivec2 p, ivec2 away) {
  vec4 own = stateAt(p), beside = stateAt(p + ivec2(away.x, 0)), along = stateAt(p + ivec2(0, away.y)), across = stateAt(p + away);
  return Lattice(spread(own.w, beside.w, along.w, across.w), spread(own.x, beside.x, along.x, across.x), plainGreen(p, own.y));
}

float sumOf(vec4 v) { return abs(v.x) + abs(v.y) + abs(v.z) + abs(v.w); }

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, extent_contrasts))) return;
  ivec2 first = 2 * p.position;
  bool isGreenFirst = int(load_state(first).z) == 1;
  // Two colours on a diagonal; seen from the first, the second is across.
  ivec2 toOther = ivec2(isGreenFirst ? -1 : 1, 1);
  ivec2 start = first + ivec2(isGreenFirst ? 1 : 0, 0);
  Lattice a = latticeAt(start, 2 * toOther);
  Lattice b = latticeAt(start + toOther, -2 * toOther);
  b.value = b.value.wzyx;
  b.difference = b.difference.wzyx;
  float beside = stateAt(start + ivec2(toOther.x, 0)).w, along = stateAt(start + ivec2(0, 1)).w;
  vec4 jointGreen = vec4(a.value.x + a.difference.x, beside, along, b.value.w + b.difference.w);
  vec4 plain = vec4(a.green, beside, along, b.green);
  vec4 plainA = plain - a.value, plainB = plain - b.value;
  float joint = contrast(jointGreen - 0.25 * (a.difference + b.difference)) +
                colourWeight * (contrast(a.difference) + contrast(b.difference));
  float apart = contrast(plain - 0.25 * (plainA + plainB)) + colourWeight * (contrast(plainA) + contrast(plainB));
  float excess = sumOf(plainA) + sumOf(plainB) - sumOf(a.difference) - sumOf(b.difference);
  store_contrasts(p.position, vec2(joint, fma(excessOfColour, max(excess, 0.0), apart)));
  store_greens(p.position, vec2(a.green, b.green));
}
