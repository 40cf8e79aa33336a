#if pattern_input == 6
const float repeats = 60.0;
#else
const float repeats = 10.0 * float(pattern_input);
#endif

void run(Pixel p) {
  if (any(greaterThanEqual(p.position, p.extent))) { return; }
  store_output(p.position, repeats + float(colourAt_input(p.position - ivec2(7, 9))));
}
