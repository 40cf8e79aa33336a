#pragma once
// Inside modules/codecs: tiled parts of OpenEXR files, and the smaller levels of their pictures.

#include <ImathBox.h>
#include <ImfChannelList.h>
#include <ImfFrameBuffer.h>
#include <ImfHeader.h>

#include <string>
#include <vector>

namespace lacuna::io {

bool isTiled(const Imf::Header& header);
bool hasLevels(const Imf::Header& header);  // mipmaps or ripmaps

// The pixels of some channels in a window.
struct ExrPixels {
  Imath::Box2i window;
  Imf::FrameBuffer frame;
  std::vector<std::vector<char>> memory = {};  // of one channel each
};

ExrPixels exrPixels(const Imf::ChannelList& channels, const std::vector<std::string>& names,
                    const Imath::Box2i& window);

// A level from a larger one: each pixel is the mean of those that it covers (a box filter), of which the
// outer ones count by their covered part. Of ids (uint), it is the one in the middle.
ExrPixels smallerLevel(const ExrPixels& larger, const Imf::ChannelList& channels, const Imath::Box2i& window);

}  // namespace lacuna::io
