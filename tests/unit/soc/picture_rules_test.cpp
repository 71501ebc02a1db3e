#include "opkit/soc/picture_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/soc/embedded.h"
#include "opkit/soc/soc_spec.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

struct PictureFigures {
  const char* soc;
  uint32_t width_alignment, most_out_height, decoded_alignment, most_decoded, most_growth;
  uint32_t most_reflected, channels;
  bool even_regions, converts, pyramids, level_zero;
};

// The vendor's pages, typed a second time.
TEST(PictureRules, AreTheVendors) {
  const PictureFigures kFigures[] = {
      {"Ascend910A", 16, 4096, 128, 8192, 16, 0, 256, true, false, false, true},
      {"Ascend310P3", 16, 4096, 64, 8192, 512, 2, 256, false, true, true, false},
      {"Ascend910B1", 1, 8192, 64, 16384, 0, 8192, 256, false, true, false, false},
      {"Ascend310B4", 1, 8192, 64, 16384, 0, 0, 128, false, true, false, false},
  };
  for (const PictureFigures& f : kFigures) {
    const auto rules = find_picture_rules(f.soc);
    ASSERT_TRUE(rules.ok()) << rules.error().to_string();
    const PictureRules& r = **rules;
    EXPECT_EQ(r.width_alignment, f.width_alignment) << f.soc;
    EXPECT_EQ(r.most_out_height, f.most_out_height) << f.soc;
    EXPECT_EQ(r.decoded_alignment, f.decoded_alignment) << f.soc;
    EXPECT_EQ(r.most_decoded, f.most_decoded) << f.soc;
    EXPECT_EQ(r.most_growth, f.most_growth) << f.soc;
    EXPECT_EQ(r.most_reflected, f.most_reflected) << f.soc;
    EXPECT_EQ(r.channels, f.channels) << f.soc;
    EXPECT_EQ(r.even_regions, f.even_regions) << f.soc;
    EXPECT_EQ(r.converts, f.converts) << f.soc;
    EXPECT_EQ(r.pyramids, f.pyramids) << f.soc;
    EXPECT_EQ(r.level_zero, f.level_zero) << f.soc;
    EXPECT_EQ(r.least_width, 10u);
    EXPECT_EQ(r.most_stride, 16384u);
    EXPECT_EQ(find_picture_rules(f.soc).value(), &r);
  }
}

TEST(PictureRules, EveryChipHasThem) {
  for (const std::string& name : soc_names()) EXPECT_TRUE(find_picture_rules(name).ok()) << name;
}

Result<PictureRules> read_edited(std::string_view from, std::string_view to) {
  for (const EmbeddedSpec& file : embedded_archs()) {
    if (file.file.find("2002") == std::string_view::npos) continue;
    std::string text(file.text);
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    const auto document = Document::parse(text.replace(at, from.size(), to), "arch.yaml");
    EXPECT_TRUE(document.ok());
    return read_picture_rules(*document->root().find("pictures"));
  }
  return PictureRules();
}

TEST(PictureRules, RefuseFilesThatTheyDoNotUnderstand) {
  struct Case {
    const char *from, *to, *message;
  };
  const Case kCases[] = {
      {"  most_in: 8192", "  most_inn: 8192", "most_inn"},
      {"  most_in: 8192", "", "'pictures.most_in' is missing"},
      {"  most_in: 8192", "  most_in: -1", "pictures.most_in is -1"},
      {"  width_alignment: 16", "  width_alignment: 0", "pictures.width_alignment is 0"},
      {"  most_stride: 16384", "  most_stride: 70000", "pictures.most_stride is 70000"},
      {"  converts: true", "  converts: 1", "pictures.converts"},
  };
  for (const Case& c : kCases) {
    const auto rules = read_edited(c.from, c.to);
    ASSERT_FALSE(rules.ok()) << c.to;
    EXPECT_THAT(rules.error().to_string(), HasSubstr(c.message));
  }
  EXPECT_TRUE(read_edited("  most_growth: 512", "  most_growth: 0").ok());
}

}  // namespace
}  // namespace opkit
