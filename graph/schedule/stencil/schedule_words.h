#pragma once
// The words after a family's name: tiled-local/buffer. Words go together, and only `mirrored` changes the
// result (Dolp, Hanika, Dachsbacher 2024).
//
// local: subimages in local subdivision order instead of ascending (section 3.2). permuted, tiled.
// mirrored: taps beyond a subimage, or beyond the image, read mirrored pixels with full weight, and no bounds
// are checked (section 3.4). So near a border taps of other subimages replace those outside the image, which
// the exact schedules leave out; elsewhere the taps are the same, but added in another order. Only for
// kernels that are symmetric, or whose weights come from the pixels:
//   directions in Offset may be flipped. permuted, tiled.
// reread: features stay in the original layout and are read there, instead of being carried along. permuted,
//   tiled, without mirrored.
// reshaped: subgroups take bank pattern tiles instead of rows (section 3.5). tiled.
// padded: rows of a tile are padded, so that rows of invocations continue in the banks. tiled, without
// reshaped.
// unstaged: pixels lie in the tile as they are stored, and every tap decodes them (the opposite of section
// 4.2's staged decompression). tiled.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "graph/schedule/stencil/schedule_names.h"

namespace lacuna {

// The message about a name that means no schedule: the word that its family doesn't have, and those that it
// has.
// "" if something else is wrong with it.
std::string wrongWord(std::string_view name);
// The word itself, else the family that may have been meant, else all.
std::string scheduleHint(std::string_view name);

// "-local-reread", in the order above; "" for plain schedules.
std::string wordsOf(const StencilSchedule& schedule);

// False if there is no such word, the family has no use for it, or it is already set.
bool addWord(StencilSchedule& schedule, std::string_view word);

// The sizes of "16x8", as it follows a name's '@'; nullopt for other words.
std::optional<std::array<uint32_t, 2>> workgroupNamed(const std::string& word);

}  // namespace lacuna
