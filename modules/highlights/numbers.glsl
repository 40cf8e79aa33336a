#include "shared/camera_numbers.glsl"

void run(Pixel p) {
  array_red.data[0] = camera(5, param.red);
  array_green.data[0] = camera(6, param.green);
  array_blue.data[0] = camera(7, param.blue);
}
