// The levels' noise, where it is given.
void run(Pixel p) {
  if (p.position.x == 0) {
    array_levels.data[0] = param.fine;
    array_levels.data[1] = param.coarse;
    array_levels.data[2] = param.colour_fine;
    array_levels.data[3] = param.colour_coarse;
  }
}
