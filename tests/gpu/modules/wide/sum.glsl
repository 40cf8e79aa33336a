// Depends on all properties of a tap, and on the order of taps. No place is 0: drivers may take 0 times
// infinity as 0 where they know the 0.
struct Centre { float value; };
struct Acc { float sum; };
Centre centre(Tap t, Pixel p) { return Centre(t.value); }
Acc start(Centre c) { return Acc(0.0); }
void gather(inout Acc a, Centre c, Tap t, Offset o) {
  float place = float(o.steps.x - 2 * o.steps.y) + 0.125 * float(o.pixels.x + o.pixels.y) + 0.3;
  a.sum = 0.75 * a.sum + o.weight * (t.value * place);
}
State finish(Acc a, Centre c, Pixel p) { return a.sum + c.value; }
