#pragma once
// Common parts of the tests of lacuna.h; they see no other header of the runtime.

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "lacuna/lacuna.h"
#include "tests/support/places.h"

namespace lacuna::test {

// The device of all tests, with validation on.
Device& sharedDevice();

// A graph with modules of the tree, a source i-memory:in and a sink o-memory:out around one module.
std::string aroundModule(const std::string& module);
GraphOptions treeModules();
GraphOptions optionsFor(const ImageType& type);  // of i-memory:in

size_t numbersIn(int width, int height, int components);

// rgba pixels that differ from each other, from .1 to .9.
std::vector<float> variedPixels(int width, int height, int seed = 0);
ConstImageView viewed(const std::vector<float>& pixels, int width, int height);
ImageView viewed(std::vector<float>& pixels, int width, int height);

// The error that the work throws; fails the test where it throws none.
Error errorOf(const std::function<void()>& work);

// Fails the test over messages of the validation layers.
class Validated : public testing::Test {
 protected:
  void TearDown() override;
};

}  // namespace lacuna::test
