// What comes with a picture and can't be kept: said, and no XMP speaks of it. And segments of JPEG files
// without end.

#include <fmt/format.h>

#include "modules/codecs/codec.h"
#include "modules/codecs/exif.h"
#include "modules/codecs/image_info.h"
#include "tests/io/tagged_files.h"

namespace lacuna::test {
namespace {

class Lost : public testing::Test {
 protected:
  // Writes the picture of a.png or a.jpg as `to`, and returns its warnings.
  std::string pass(const std::string& from, const std::string& to) const {
    const auto codecOf = [](const std::string& name) { return name.ends_with("png") ? "png" : "jpg"; };
    const Delivered delivered = deliver(codecOf(from), path(from));
    std::string warnings;
    WriteOptions options{.origin = Origin{path(from)}};
    options.warn = [&](const std::string& text) { warnings += text + "\n"; };
    writeImage(codecOf(to), path(to), {{"x", delivered.type, delivered.pixels}}, options);
    return warnings;
  }
  std::string path(const std::string& name) const { return folder_.file(name); }
  static std::string xmpSegment(const std::string& xmp) {
    return std::string("http://ns.adobe.com/xap/1.0/\0", 29) + xmp;
  }

  const Folder folder_;
  const Picture picture_ = randomPicture(Format::u8, {13, 9});
};

// As Android's cameras write them; the title stays.
TEST_F(Lost, RandomGainMapsAndVideosLeaveNoTraceInXmp) {
  const std::string title = "<rdf:Description dc:title=\"a walk\"";
  const std::string packets[] = {
      title +
          " xmlns:Container=\"http://ns.google.com/photos/1.0/container/\" "
          "xmlns:Item=\"http://ns.google.com/photos/1.0/container/item/\" "
          "xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" hdrgm:Version=\"1.0\">"
          "<Container:Directory><rdf:Seq><rdf:li><Container:Item Item:Semantic=\"GainMap\" "
          "Item:Length=\"1234\"/></rdf:li></rdf:Seq></Container:Directory></rdf:Description>",
      title +
          " xmlns:GCamera='http://ns.google.com/photos/1.0/camera/' GCamera:MotionPhoto=\"1\" "
          "GCamera:MicroVideoOffset='1234' GCamera:SpecialType=\"2\"/>"};
  for (const std::string& xmp : packets)
    for (const char* to : {"b.jpg", "b.png"}) {
      writeTaggedJpeg(path("a.jpg"), picture_, {});
      insertSegment(path("a.jpg"), 0xe1, xmpSegment(xmp));
      const std::string warnings = pass("a.jpg", to);
      EXPECT_NE(warnings.find(xmp.find("hdrgm") == std::string::npos ? "its video" : "its gain map"),
                std::string::npos)
          << warnings;
      const std::string written = slurp(path(to));
      for (const char* gone : {"MotionPhoto", "MicroVideo", "Directory", "1234", "hdrgm:Version"})
        EXPECT_EQ(written.find(gone), std::string::npos) << gone;
      EXPECT_NE(written.find(title), std::string::npos);
      EXPECT_EQ(written.find("SpecialType") == std::string::npos,
                xmp.find("SpecialType") == std::string::npos);
    }
}

TEST_F(Lost, RandomOtherPicturesAndAnimationsAreNamed) {
  writeTaggedJpeg(path("a.jpg"), picture_, {});
  EXPECT_EQ(pass("a.jpg", "b.jpg"), "");
  insertSegment(path("a.jpg"), 0xe2, std::string("MPF\0II*\0", 8));
  EXPECT_EQ(pass("a.jpg", "b.jpg"),
            path("a.jpg") + ": not kept: other pictures in it (MPF), such as a gain map or a preview\n");
  writeTaggedPng(path("a.png"), picture_, {});
  insertChunk(path("a.png"), "acTL", std::string("\0\0\0\2\0\0\0\0", 8), "IDAT");
  EXPECT_EQ(pass("a.png", "b.png"), path("a.png") +
                                        ": not kept: its animation, of which only the first picture is read "
                                        "(APNG)\n");
}

TEST_F(Lost, RandomThermalDataStayWithTheirPixels) {
  const std::string thermal("FLIR\0\1\0\0temperatures", 20);
  for (const int orientation : {1, 6}) {
    writeTaggedJpeg(path("a.jpg"), picture_, {.exif = exifData(orientation, false)});
    insertSegment(path("a.jpg"), 0xe1, thermal);
    const std::string warnings = pass("a.jpg", "b.jpg");
    EXPECT_EQ(warnings.empty(), orientation == 1) << warnings;
    EXPECT_EQ(slurp(path("b.jpg")).find(thermal) != std::string::npos, orientation == 1);
    EXPECT_NE(pass("a.jpg", "b.png").find("thermal data (FLIR)"), std::string::npos);
  }
}

// As phones of another maker write a video, without XMP.
TEST_F(Lost, RandomDataBehindAPictureAreNamed) {
  const std::string behind = ": not kept: data behind the picture's end, such as a video\n";
  for (const int quality : {30, 100}) {
    writeTaggedJpeg(path("a.jpg"), picture_, {});
    const Delivered delivered = deliver("jpg", path("a.jpg"));
    WriteOptions options;
    options.quality = quality;
    writeImage("jpg", path("a.jpg"), {{"x", delivered.type, delivered.pixels}}, options);
    const std::string whole = slurp(path("a.jpg"));
    spill(path("a.jpg"), whole + std::string(64, '\0'));
    EXPECT_EQ(pass("a.jpg", "b.jpg"), "");
    spill(path("a.jpg"), whole + std::string(200, 'v'));
    for (const char* to : {"b.jpg", "b.png"})
      EXPECT_EQ(pass("a.jpg", to), path("a.jpg") + behind);
  }
  writeTaggedJpeg(path("a.jpg"), picture_, {});
  insertSegment(path("a.jpg"), 0xeb, std::string("JP\0\1\0\0\0\1jumb", 12));
  EXPECT_EQ(pass("a.jpg", "b.jpg"),
            path("a.jpg") + ": not kept: its JUMBF boxes, such as content credentials\n");
}

TEST_F(Lost, RandomSecondPartsOfXmpStayInJpegAndLeaveNoTraceElsewhere) {
  const std::string note = "HasExtendedXMP=\"0123456789ABCDEF0123456789ABCDEF\"";
  writeTaggedJpeg(path("a.jpg"), picture_, {});
  insertSegment(path("a.jpg"), 0xe1, std::string("http://ns.adobe.com/xmp/extension/\0", 35) + "<rest>");
  insertSegment(path("a.jpg"), 0xe1,
                xmpSegment("<a xmlns:n=\"http://ns.adobe.com/xmp/note/\" n:" + note + " dc:title=\"b\"/>"));
  EXPECT_EQ(pass("a.jpg", "b.jpg"), "");
  EXPECT_NE(slurp(path("b.jpg")).find(note), std::string::npos);
  EXPECT_NE(slurp(path("b.jpg")).find("<rest>"), std::string::npos);
  EXPECT_EQ(pass("a.jpg", "b.png"),
            path("b.png") + ": not kept: a second part of its XMP, which only JPEG files hold\n");
  EXPECT_EQ(slurp(path("b.png")).find(note), std::string::npos);
  EXPECT_NE(slurp(path("b.png")).find("dc:title"), std::string::npos);
}

TEST_F(Lost, RandomXmpThatIsTooLongForJpegIsNamed) {
  writeTaggedPng(path("a.png"), picture_, {});
  insertChunk(path("a.png"), "iTXt", xmpChunkData("<x>" + std::string(70000, ' ') + "</x>"), "IDAT");
  EXPECT_EQ(pass("a.png", "b.jpg"),
            path("b.jpg") + ": not kept: 70007 bytes of XMP, since a JPEG file holds 65504\n");
}

// As OpenImageIO 2.4 writes a photograph.
TEST_F(Lost, RandomExifBecomesAttributesOfOpenExr) {
  writeTaggedJpeg(path("a.jpg"), picture_, {.exif = cameraExif(1)});
  const ValueType type{Channels::rgba, Format::f16, ColourTag::rec709, picture_.type.extent};
  const std::vector<std::byte> pixels = randomPixels(type);
  writeImage("exr", path("a.exr"), {{"output", type, pixels}}, {.origin = Origin{path("a.jpg")}});
  std::map<std::string, std::string> entries;
  for (const auto& [name, value] : imageInfo(path("a.exr")).metadata)
    entries[name] = value;
  EXPECT_EQ(entries["Make"], "Foo");
  EXPECT_EQ(entries["Model"], "Bar 7");
  EXPECT_EQ(entries["expTime"], "0.004");
  EXPECT_EQ(entries["aperture"], "2.8");
  EXPECT_EQ(entries["Exif:FocalLength"], "20");
  EXPECT_EQ(entries["Exif:LensModel"], "Foo 20mm");
  EXPECT_EQ(entries["Exif:PhotographicSensitivity"], "1600");
}

// In linear time: libjpeg's own list takes minutes for this. The order stays.
TEST_F(Lost, RandomJpegFilesOfManySegments) {
  writeTaggedJpeg(path("a.jpg"), picture_, {});
  const std::string whole = slurp(path("a.jpg"));
  for (const char marker : {'\xfe', '\xe1', '\xe2', '\xed', '\xe5'}) {
    std::string segments;
    for (int i = 0; i < 200000; ++i)
      segments += std::string{'\xff', marker, 0, 9} + fmt::format("c{:06}", i);
    spill(path("b.jpg"), whole.substr(0, 2) + segments + whole.substr(2));
    const io::Metadata metadata = io::codecOfWord("jpg")->metadata(path("b.jpg"), {});
    if (marker == '\xfe') {
      ASSERT_EQ(metadata.comments.size(), 200000U);
      EXPECT_EQ(metadata.comments[0], "c000000");
      EXPECT_EQ(metadata.comments[199999], "c199999");
    }
    EXPECT_EQ(deliver("jpg", path("b.jpg")).pixels, deliver("jpg", path("a.jpg")).pixels);
  }
}

TEST_F(Lost, RandomXmpOfManyValuesIsEditedInLinearTime) {
  std::string xmp = "xmlns:hdrgm=\"http://ns.adobe.com/hdr-gain-map/1.0/\" ";
  for (int i = 0; i < 100000; ++i)
    xmp += " tiff:ImageWidth=\"4\" hdrgm:Gamma=\"1\" <hdrgm:a>";
  io::editXmp(xmp, {1234, 5}, true);
  EXPECT_NE(xmp.find("tiff:ImageWidth=\"1234\""), std::string::npos);
}

}  // namespace
}  // namespace lacuna::test
