#pragma once
// Pixels of programs and of the graph's memory.

#include <cstddef>
#include <span>
#include <string>

#include "graph/door/lacuna/lacuna.h"
#include "graph/values/image_type.h"

namespace lacuna::door {

ValueType valueTypeOf(const ImageType& type, const std::string& name);  // throws Error: a size without pixels
// Throws Error for what is not an image: arrays, planes, packed words.
ImageType imageTypeOf(const ValueType& type, const std::string& name);

// An image in a frame's memory. Three components are stored as four.
ImageView viewOf(const ImageType& type, std::span<std::byte> memory);

// Throws Error where the pixels of `view` can't be those of an image, `name`, of this type.
void checkView(const ConstImageView& view, const ImageType& type, const std::string& name);

}  // namespace lacuna::door
