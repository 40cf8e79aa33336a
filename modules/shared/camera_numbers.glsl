// Number i of the connector `camera` (modules/i-raw/README.md), or else the parameter.
float camera(int i, float otherwise) { return count_camera > i ? array_camera.data[i] : otherwise; }
