#pragma once
// --frames, as graph/load/frame_list.h reads it; prints what is wrong.

#include "graph/load/frame_list.h"

namespace lacuna {

std::optional<FrameSet> framesOption(const std::string& text);
std::optional<FrameList> frameListOption(const std::string& text);

}  // namespace lacuna
