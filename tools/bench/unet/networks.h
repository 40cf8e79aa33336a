#pragma once
// The networks that `lacuna bench unet` knows by name.

#include <random>
#include <string>
#include <vector>

#include "cnn-unet/network/network.h"

namespace lacuna {

// Weights so that values are neither lost nor overflow; biases.
void drawWeights(std::mt19937_64& random, unet::Layer& layer);
// The last layer's, whose results go through an exponential curve: what rounding adds to a result is a factor
// of the colour, `scale`'s logarithm (3.9) times it. Inputs of about 1, each rounded to half (2^-12), add
// `deviation` times 2^-12 to a result. With the deviation of other layers, 1.4, and inputs up to 3 that alone
// is 0.4%, and the brightest colours are fifty times the others, so they alone decide how far off the picture
// is.
void drawLastWeights(std::mt19937_64& random, unet::Layer& last, double deviation);

// "study" (Vannson 2023, figure 2: 861093 parameters), "oidn-base", "oidn-small": those that come without
// weights.
const std::vector<std::string>& drawnNetworks();
// One of them, with drawn weights.
unet::Network drawnNetwork(std::mt19937_64& random, const std::string& name);

}  // namespace lacuna
