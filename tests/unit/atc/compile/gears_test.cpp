#include "opkit/atc/compile/gears.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace opkit::compile {
namespace {

using model::GearKind;
using ::testing::HasSubstr;
using Values = std::vector<std::vector<int64_t>>;

Gears read(const GearFlags& flags) {
  auto gears = read_gears(flags);
  EXPECT_TRUE(gears.ok()) << gears.error().to_string();
  return gears.ok() ? std::move(gears).value() : Gears();
}

TEST(Gears, OneShapeIsOne) {
  const Gears gears = read({"data:1,3,224,224;ns:mask:0:8;one:", "", "", "", ""});
  EXPECT_EQ(gears.kind, GearKind::kNone);
  ASSERT_EQ(gears.shapes.size(), 1u);
  EXPECT_EQ(gears.shapes[0].at("data"), (Shape{1, 3, 224, 224}));
  EXPECT_EQ(gears.shapes[0].at("ns:mask:0"), (Shape{8}));
  EXPECT_EQ(gears.shapes[0].at("one"), Shape());
  EXPECT_TRUE(read({}).shapes.at(0).empty());
}

TEST(Gears, OfABatchFillEveryInput) {
  const Gears gears = read({"a:-1,3;b:-1,4;c:7", "", "1, 2,8", "", ""});
  EXPECT_EQ(gears.kind, GearKind::kBatch);
  EXPECT_EQ(gears.values, (Values{{1}, {2}, {8}}));
  EXPECT_EQ(gears.shapes[2].at("a"), (Shape{8, 3}));
  EXPECT_EQ(gears.shapes[2].at("b"), (Shape{8, 4}));
  EXPECT_EQ(gears.shapes[2].at("c"), (Shape{7}));
}

TEST(Gears, OfImagesFillHeightAndWidth) {
  const Gears gears = read({"data:8,3,-1,-1;info:8,4,-1,-1", "NCHW", "", "416,320;832,640", ""});
  EXPECT_EQ(gears.kind, GearKind::kImage);
  EXPECT_EQ(gears.shapes[1].at("data"), (Shape{8, 3, 832, 640}));
  EXPECT_EQ(gears.shapes[0].at("info"), (Shape{8, 4, 416, 320}));
}

// The example of the vendor's page.
TEST(Gears, OfDimsFillEveryPlaceInOrder) {
  const Gears gears =
      read({"data:1,1,40,-1;label:1,-1;mask:-1,-1", "ND", "", "", "20,20,1,1;40,40,2,2;80,60,4,4"});
  EXPECT_EQ(gears.kind, GearKind::kDims);
  EXPECT_EQ(gears.shapes[2].at("data"), (Shape{1, 1, 40, 80}));
  EXPECT_EQ(gears.shapes[2].at("label"), (Shape{1, 60}));
  EXPECT_EQ(gears.shapes[2].at("mask"), (Shape{4, 4}));
}

TEST(Gears, OfRangesAreAllTheirShapes) {
  const Gears gears = read({"x:1~3,5;y:2~3", "", "", "", ""});
  EXPECT_EQ(gears.kind, GearKind::kShapes);
  EXPECT_EQ(gears.values, (Values{{1, 2}, {1, 3}, {2, 2}, {2, 3}, {3, 2}, {3, 3}}));
  EXPECT_EQ(gears.shapes[3].at("x"), (Shape{2, 5}));
  EXPECT_EQ(gears.shapes[3].at("y"), (Shape{3}));
  EXPECT_EQ(read({"x:4~4", "", "", "", ""}).kind, GearKind::kNone);
  EXPECT_EQ(read({"x:1~10;y:1~10", "", "", "", ""}).values.size(), 100u);
}

TEST(Gears, ThatDoNotFitAreRefused) {
  const auto refused = [](const GearFlags& flags) {
    const auto gears = read_gears(flags);
    return gears.ok() ? std::string() : gears.error().to_string();
  };
  for (const char* text : {"1,3", "x:1,a", "x:1;x:2", "x:1,,2", "x:-2", "x:3~1", "x:0~1", "x:1~-1"})
    EXPECT_THAT(refused({text, "", "", "", ""}), HasSubstr("E10002")) << text;
  EXPECT_THAT(refused({"x:-1,3", "", "", "", ""}), HasSubstr("E10001: value [x:-1,3] for parameter "
                                                             "[--input_shape] is invalid. Reason: "
                                                             "no flag says"));
  EXPECT_THAT(refused({"x:1~11;y:1~10", "", "", "", ""}), HasSubstr("more than 100 shapes"));
  EXPECT_THAT(refused({"x:1~9223372036854775807", "", "", "", ""}), HasSubstr("more than 100"));
  EXPECT_THAT(refused({"x:-1,3", "", "1,2", "8,8;9,9", ""}),
              HasSubstr("may not be given together with --dynamic_batch_size"));
  EXPECT_THAT(refused({"x:-1,3", "", "4", "", ""}), HasSubstr("1 gears are given, 2 to 100"));
  std::string many = "1";
  for (int i = 2; i <= 101; ++i) many += "," + std::to_string(i);
  EXPECT_THAT(refused({"x:-1,3", "", many, "", ""}), HasSubstr("101 gears"));
  EXPECT_THAT(refused({"x:-1,3", "", "1,0", "", ""}), HasSubstr("'0' is no positive number"));
  EXPECT_THAT(refused({"x:-1,3", "", "1,two", "", ""}), HasSubstr("'two' is no positive"));
  EXPECT_THAT(refused({"x:-1,3", "", "2,2", "", ""}), HasSubstr("the gear 2 stands there twice"));
  EXPECT_THAT(refused({"x:1,3", "", "1,2", "", ""}), HasSubstr("no dim of --input_shape is -1"));
  EXPECT_THAT(refused({"", "", "1,2", "", ""}), HasSubstr("no dim of --input_shape is -1"));
  EXPECT_THAT(refused({"x:3,-1", "", "1,2", "", ""}), HasSubstr("the batch, the first dim"));
  EXPECT_THAT(refused({"x:-1,3,-1,8", "", "", "8,8;9,9", ""}), HasSubstr("H and W of NCHW"));
  EXPECT_THAT(refused({"x:3,-1,-1", "", "", "8,8;9,9", ""}), HasSubstr("H and W of NCHW"));
  EXPECT_THAT(refused({"x:1,3,-1,-1", "", "", "8;9", ""}), HasSubstr("the gear 8 has 1 values"));
  EXPECT_THAT(refused({"x:-1,-1", "", "", "", "1,2;3,4"}), HasSubstr("needs --input_format=ND"));
  EXPECT_THAT(refused({"x:-1,-1", "ND", "", "", "1,2;3"}), HasSubstr("the gear 3 has 1 values, 2"));
  EXPECT_THAT(refused({"x:-1,1~3", "ND", "", "", "1;3"}), HasSubstr("gears by themselves"));
}

}  // namespace
}  // namespace opkit::compile
