// Share of a colour's largest value from which it counts as full: sensors aren't full at the same value
// everywhere.
const float nearlyFull = 0.985;

const int cellSide = 12;  // of pixels whose light is one
