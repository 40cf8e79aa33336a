// A camera's numbers in `like` (modules/i-raw/README.md), or else the parameters.
float of(int i, float otherwise) { return count_like > i ? array_like.data[i] : otherwise; }
