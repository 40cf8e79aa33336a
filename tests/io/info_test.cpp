// `lacuna info`'s data of files.

#include "modules/codecs/image_info.h"
#include "tests/io/exr_parts.h"
#include "tests/io/tagged_files.h"
#include "tools/metrics/motion_guess.h"

namespace lacuna::test {
namespace {

std::string metadataOf(const ImageInfo& info, const std::string& name) {
  for (const auto& [key, value] : info.metadata)
    if (key == name)
      return value;
  return "none";
}

TEST(Info, OfOpenExr) {
  Folder folder;
  writeParts(folder.file("a.exr"),
             {{"", {"R", "G", "B", "Z", "Vector.X", "Vector.Y", "Vector.Z", "Vector.W", "extra.Q"}}});
  const ImageInfo info = imageInfo(folder.file("a.exr"));
  EXPECT_EQ(info.format, "OpenEXR");
  EXPECT_EQ(info.extent, (Extent{7, 5}));
  EXPECT_EQ(info.bits, 16);
  EXPECT_EQ(info.channels.size(), 9U);
  EXPECT_TRUE(info.has("output") && info.has("depth") && info.has("motion"));
  EXPECT_FALSE(info.has("albedo"));
  EXPECT_EQ(info.motion, MotionConvention::blender);
  EXPECT_EQ(metadataOf(info, "displayWindow"), "0 0 to 6 4");
}

TEST(Info, OfPngAndJpegRandom) {
  Folder folder;
  const Picture picture = randomPicture(Format::u8, {9, 4});
  Tags tags;
  tags.exif = exifData(6, false);
  tags.profile = rgbProfile(io::rec709WhiteAndPrimaries, 2.2);
  writeTaggedJpeg(folder.file("a.jpg"), picture, tags);
  writeTaggedPng(folder.file("a.png"), picture, tags);
  for (const char* name : {"a.jpg", "a.png"}) {
    const ImageInfo info = imageInfo(folder.file(name));
    EXPECT_EQ(info.extent, (Extent{4, 9})) << name;  // as shown
    EXPECT_EQ(info.bits, 8);
    EXPECT_EQ(metadataOf(info, "Orientation"), "Right-top") << name;
    EXPECT_NE(info.colour.find("kept unchanged"), std::string::npos) << info.colour;
  }
  Picture deep = randomPicture(Format::u16, {3, 3});
  deep.grey = true;
  Tags plain;
  plain.gamma = 1.8;
  writeTaggedPng(folder.file("g.png"), deep, plain);
  const ImageInfo info = imageInfo(folder.file("g.png"));
  EXPECT_EQ(info.pixels, "grey, 16 bit");
}

TEST(Info, OfNoImageIsAnError) {
  Folder folder;
  spill(folder.file("a.png"), "no image at all");
  EXPECT_THROW(imageInfo(folder.file("a.png")), FileError);
  EXPECT_THROW(imageInfo(folder.file("none.png")), FileError);
}

}  // namespace
}  // namespace lacuna::test
