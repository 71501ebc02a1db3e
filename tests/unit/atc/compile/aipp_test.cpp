// AIPP configurations: read, refused, and what the operators make of images, beside scalar code.
#include "opkit/atc/compile/aipp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"
#include "tests/graph_text/parse_text.h"

namespace opkit::compile {
namespace {

using graph::RefTensor;
using ::testing::HasSubstr;

graph::Graph net(const std::string& dims, const char* dtype = "float32") {
  auto graph =
      graph::parse_text("input x: " + std::string(dtype) + dims + "\ny = Identity(x)\noutput y\n");
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(reference::infer(*graph).ok());
  return std::move(*graph);
}

Result<graph::Graph> inserted(const std::string& config, graph::Graph graph,
                              model::GearKind gears = model::GearKind::kNone) {
  OPKIT_TRY(const std::vector<AippOp> all, parse_aipp(config, "aipp.cfg"));
  OPKIT_CHECK(insert_aipp(graph, all, gears));
  return graph;
}

RefTensor bytes(const Shape& shape) {
  std::mt19937 random(3);
  RefTensor image{DType::kUInt8, shape, {}};
  for (int64_t i = 0; i < shape.elements(); ++i) image.values.push_back(random() % 256);
  return image;
}

RefTensor result(const std::string& config, const std::string& dims, const Shape& image,
                 const char* dtype = "float32") {
  const auto graph = inserted(config, net(dims, dtype));
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  if (!graph.ok()) return {};
  EXPECT_TRUE(graph::validate(*graph).ok());
  EXPECT_EQ(*graph->values.at("x").shape, image);
  const auto outputs = reference::evaluate(*graph, {{"x", bytes(image)}});
  EXPECT_TRUE(outputs.ok()) << outputs.error().to_string();
  return outputs.ok() ? outputs->at("y") : RefTensor();
}

const std::string kYuv = "aipp_op { aipp_mode: static input_format: YUV420SP_U8 ";
const std::string kRgb = "aipp_op {\n  aipp_mode: static\n  input_format: RGB888_U8\n";

// One of them decides what a program gives for the input.
TEST(Aipp, ExcludesFloat16ForTheSameInput) {
  const auto all =
      parse_aipp(kRgb + "  src_image_size_w: 4\n  src_image_size_h: 4\n}\n", "aipp.cfg");
  ASSERT_TRUE(all.ok()) << all.error().to_string();
  graph::Graph graph = net("[1, 3, 4, 4]");
  const auto refused = insert_aipp(graph, *all, model::GearKind::kNone, "mask;x");
  ASSERT_FALSE(refused.ok());
  EXPECT_THAT(refused.error().to_string(),
              testing::AllOf(HasSubstr("E10001"), HasSubstr("value [mask;x]"),
                             HasSubstr("AIPP takes input 'x' as an image")));
  EXPECT_TRUE(insert_aipp(graph, *all, model::GearKind::kNone, "mask").ok());
}

TEST(Aipp, CropsScalesAndPads) {
  const RefTensor y = result(kRgb +
                                 "  src_image_size_w: 8 src_image_size_h: 6\n  crop: true\n"
                                 "  load_start_pos_w: 2\n  load_start_pos_h: 1\n  crop_size_w: 4\n"
                                 "  crop_size_h: 3\n  padding: true\n  left_padding_size: 1\n"
                                 "  bottom_padding_size: 2  # below\n  padding_value: 7\n"
                                 "  mean_chn_0: 10\n  mean_chn_2: 30\n  min_chn_1: 0.5\n"
                                 "  var_reci_chn_2: 0.25\n}\n",
                             "[2, 3, 5, 5]", {2, 6, 8, 3});
  const RefTensor image = bytes({2, 6, 8, 3});
  ASSERT_EQ(y.shape, (Shape{2, 3, 5, 5}));
  const double offset[] = {10, 0.5, 30}, factor[] = {1, 1, 0.25};
  for (int64_t n = 0; n < 2; ++n) {
    for (int64_t c = 0; c < 3; ++c) {
      for (int64_t h = 0; h < 5; ++h) {
        for (int64_t w = 0; w < 5; ++w) {
          const bool inside = h < 3 && w >= 1;
          const double pixel = inside ? image[((n * 6 + h + 1) * 8 + w - 1 + 2) * 3 + c] : 0;
          const double wanted = inside ? (pixel - offset[c]) * factor[c] : 7;
          EXPECT_EQ(y[((n * 3 + c) * 5 + h) * 5 + w], wanted) << n << c << h << w;
        }
      }
    }
  }
}

TEST(Aipp, ConvertsYuvToRgb) {
  const RefTensor y = result(
      "aipp_op { aipp_mode: static input_format: YUV420SP_U8 csc_switch: true "
      "rbuv_swap_switch: true }",
      "[1, 3, 4, 6]", {1, 6, 6, 1});
  const RefTensor image = bytes({1, 6, 6, 1});
  const int matrix[3][3] = {{298, 516, 0}, {298, -100, -208}, {298, 0, 409}};
  for (int64_t h = 0; h < 4; ++h) {
    for (int64_t w = 0; w < 6; ++w) {
      const int64_t chroma = (4 + h / 2) * 6 + w / 2 * 2;
      // U and V are exchanged.
      const int in[] = {static_cast<int>(image[h * 6 + w]) - 16,
                        static_cast<int>(image[chroma + 1]) - 128,
                        static_cast<int>(image[chroma]) - 128};
      for (int64_t c = 0; c < 3; ++c) {
        const int sum = matrix[c][0] * in[0] + matrix[c][1] * in[1] + matrix[c][2] * in[2];
        EXPECT_EQ(y[(c * 4 + h) * 6 + w], std::clamp(sum >> 8, 0, 255)) << c << h << w;
      }
    }
  }
}

// The vendor's table of conversions, "CSC Configuration": what the bytes of a pixel are, the
// switches, and where R, G and B are behind them.
struct Layout {
  const char *name, *switches;
  int64_t red, green, blue;
};

class FourChannelsTest : public testing::TestWithParam<Layout> {};

TEST_P(FourChannelsTest, BecomeGrayAndColours) {
  const Layout& one = GetParam();
  const std::string config =
      std::string("aipp_op { aipp_mode: static input_format: XRGB8888_U8 ") + one.switches;
  const RefTensor image = bytes({1, 3, 5, 4});
  const RefTensor gray =
      result(config +
                 " csc_switch: true matrix_r0c0: 76 matrix_r0c1: 150 matrix_r0c2: 30 "
                 "matrix_r1c0: 0 matrix_r1c1: 0 matrix_r1c2: 0 matrix_r2c0: 0 matrix_r2c1: 0 "
                 "matrix_r2c2: 0 output_bias_0: 0 output_bias_1: 0 output_bias_2: 0 }",
             "[1, 1, 3, 5]", {1, 3, 5, 4});
  const RefTensor colours = result(config + " }", "[1, 3, 3, 5]", {1, 3, 5, 4});
  ASSERT_EQ(gray.shape, (Shape{1, 1, 3, 5}));
  ASSERT_EQ(colours.shape, (Shape{1, 3, 3, 5}));
  for (int64_t i = 0; i < 15; ++i) {
    const auto at = [&](int64_t channel) { return static_cast<int>(image[4 * i + channel]); };
    EXPECT_EQ(gray[i], (76 * at(one.red) + 150 * at(one.green) + 30 * at(one.blue)) >> 8);
    EXPECT_EQ(colours[i], at(one.red));
    EXPECT_EQ(colours[15 + i], at(one.green));
    EXPECT_EQ(colours[30 + i], at(one.blue));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Layouts, FourChannelsTest,
    testing::Values(Layout{"Xrgb", "ax_swap_switch: true", 1, 2, 3},
                    Layout{"Xbgr", "rbuv_swap_switch: true ax_swap_switch: true", 3, 2, 1},
                    Layout{"Rgbx", "", 0, 1, 2}, Layout{"Bgrx", "rbuv_swap_switch: true", 2, 1, 0}),
    [](const auto& info) { return info.param.name; });

TEST(Aipp, GrayIsTheFirstChannelOfTheConversion) {
  const std::string first =
      "csc_switch: true matrix_r0c1: 0 matrix_r0c2: 0 input_bias_0: 0 matrix_r0c0: ";
  const RefTensor luma = result(
      "aipp_op { aipp_mode: static input_format: YUV420SP_U8 " + first + "256 mean_chn_0: 3 }",
      "[1, 1, 4, 6]", {1, 6, 6, 1});
  const RefTensor image = bytes({1, 6, 6, 1});
  ASSERT_EQ(luma.shape, (Shape{1, 1, 4, 6}));
  for (int64_t i = 0; i < 24; ++i) EXPECT_EQ(luma[i], image[i] - 3) << i;
  const RefTensor red =
      result(kRgb + first + "128 output_bias_0: 0 }", "[1, 1, 3, 5]", {1, 3, 5, 3});
  const RefTensor rgb = bytes({1, 3, 5, 3});
  for (int64_t i = 0; i < 15; ++i) EXPECT_EQ(red[i], static_cast<int>(rgb[3 * i]) >> 1) << i;
}

// Shows that there is no mean and no factor where the model takes uint8.
TEST(Aipp, GivesBytesToModelsOfBytes) {
  const std::string config = kRgb +
                             "mean_chn_0: 9 min_chn_1: 9 var_reci_chn_2: 0.5 padding: true "
                             "src_image_size_w: 3 src_image_size_h: 2 left_padding_size: 1 "
                             "padding_value: ";
  const RefTensor y = result(config + "77 }", "[1, 3, 2, 4]", {1, 2, 3, 3}, "uint8");
  const RefTensor image = bytes({1, 2, 3, 3});
  EXPECT_EQ(y.dtype, DType::kUInt8);
  for (int64_t c = 0; c < 3; ++c) {
    for (int64_t i = 0; i < 8; ++i)
      EXPECT_EQ(y[c * 8 + i], i % 4 == 0 ? 77 : image[(i / 4 * 3 + i % 4 - 1) * 3 + c]);
  }
  const auto graph = inserted(config + "-1 }", net("[1, 3, 2, 4]", "uint8"));
  ASSERT_FALSE(graph.ok());
  EXPECT_THAT(graph.error().to_string(), HasSubstr("uint8, which has no padding_value -1"));
}

// As the vendor's template has it, with everything that is off.
TEST(Aipp, TakesTheTemplateAsItIs) {
  const RefTensor y =
      result(kRgb +
                 "src_image_size_w: 0 src_image_size_h: 0 cpadding_value: 0.0 crop: 0 "
                 "resize: false resize_output_w: 0 resize_output_h: 0 padding: 0 "
                 "rotation_angle: 0 csc_switch: false rbuv_swap_switch: 1 "
                 "single_line_mode: false raw_rgbir_to_f16_n: 8 support_rotation: false }",
             "[1, 3, 2, 2]", {1, 2, 2, 3});
  EXPECT_EQ(y[0], bytes({1, 2, 2, 3})[2]);
  EXPECT_TRUE(parse_aipp("aipp_op { aipp_mode: dynamic max_src_image_size: 9 support_rotation: "
                         "false }",
                         "aipp.cfg")
                  .ok());
}

TEST(Aipp, SwapsChannelsAndKeepsTheModelsType) {
  const RefTensor rgb = result(kRgb + "rbuv_swap_switch: true }", "[1, 3, 2, 2]", {1, 2, 2, 3});
  const RefTensor image = bytes({1, 2, 2, 3});
  EXPECT_EQ(rgb[0], image[2]);
  EXPECT_EQ(rgb[8], image[0]);
  const RefTensor alpha =
      result("aipp_op { aipp_mode: static input_format: XRGB8888_U8 ax_swap_switch: true }",
             "[1, 4, 1, 2]", {1, 1, 2, 4}, "float16");
  const RefTensor four = bytes({1, 1, 2, 4});
  EXPECT_EQ(alpha.dtype, DType::kFloat16);
  EXPECT_EQ(alpha[0], four[1]);
  EXPECT_EQ(alpha[6], four[0]);
  const RefTensor bgrx =
      result("aipp_op { aipp_mode: static input_format: XRGB8888_U8 rbuv_swap_switch: true }",
             "[1, 4, 1, 2]", {1, 1, 2, 4});
  EXPECT_EQ(bgrx.values, (std::vector<double>{four[2], four[6], four[1], four[5], four[0], four[4],
                                              four[3], four[7]}));
  const RefTensor gray =
      result("aipp_op { aipp_mode: static input_format: YUV400_U8 }", "[1, 1, 2, 2]", {1, 2, 2, 1});
  EXPECT_EQ(gray.values, bytes({1, 2, 2, 1}).values);
}

std::string refused(const std::string& config, const std::string& dims = "[1, 3, 4, 4]") {
  const auto graph = inserted(config, net(dims));
  return graph.ok() ? "accepted" : graph.error().to_string();
}

TEST(Aipp, RefusesWhatItCannotRead) {
  EXPECT_THAT(refused(""), HasSubstr("there is no aipp_op"));
  EXPECT_THAT(refused("aipp { }"), HasSubstr("aipp.cfg:1:1: error E10001"));
  EXPECT_THAT(refused("aipp_op {\n  crop true\n}"), HasSubstr("aipp.cfg:2:8"));
  EXPECT_THAT(refused("aipp_op { input_formt: RGB888_U8 }"),
              HasSubstr("did you mean 'input_format'?"));
  EXPECT_THAT(refused("aipp_op { resize: true }"), HasSubstr("AIPP does not resize"));
  EXPECT_THAT(refused("aipp_op { rotation_angle: 1 }"), HasSubstr("'1' has no meaning here"));
  EXPECT_THAT(refused("aipp_op { mean_chn_0: 103.5 }"), HasSubstr("is no integer"));
  EXPECT_THAT(refused("aipp_op { min_chn_0: -1 }"), HasSubstr("from 0 to 255"));
  EXPECT_THAT(refused("aipp_op { input_format: RGB888_U8 }"), HasSubstr("has no aipp_mode"));
  EXPECT_THAT(refused("aipp_op { aipp_mode: static }"), HasSubstr("wants the format"));
  EXPECT_THAT(refused("aipp_op { aipp_mode: fast }"), HasSubstr("aipp_mode 'fast' is not there"));
  EXPECT_THAT(refused("aipp_op { input_format: RGB565 }"), HasSubstr("'RGB565' is no format"));
  EXPECT_THAT(refused("aipp_op { left_padding_size: 33 }"), HasSubstr("from 0 to 32"));
  EXPECT_THAT(refused("aipp_op { crop_size_w: 1.5 }"), HasSubstr("is no integer"));
  EXPECT_THAT(refused("aipp_op { mean_chn_0: nan }"), HasSubstr("is no number"));
  EXPECT_THAT(refused("aipp_op { crop: yes }"), HasSubstr("neither true nor false"));
  EXPECT_THAT(refused("aipp_op { crop:"), HasSubstr("E10001"));
  EXPECT_THAT(refused("aipp_op {"), HasSubstr("there is no ''"));
}

TEST(Aipp, RefusesWhatDoesNotFitTheModel) {
  EXPECT_THAT(refused(kRgb + "related_input_name: \"z\" }"), HasSubstr("no input 'z'"));
  EXPECT_THAT(refused(kRgb + "related_input_rank: 1 }"), HasSubstr("none of rank 1"));
  EXPECT_THAT(refused(kRgb + "}", "[1, 3, 4]"), HasSubstr("is no batch of images"));
  EXPECT_THAT(refused(kRgb + "src_image_size_w: 8 src_image_size_h: 8 }"),
              HasSubstr("input 'x': the image becomes [1, 3, 8, 8], the model takes [1, 3, 4, 4]"));
  EXPECT_THAT(refused(kRgb + "crop: true src_image_size_w: 4 src_image_size_h: 4 "
                             "load_start_pos_w: 2 }"),
              HasSubstr("leaves the image"));
  EXPECT_THAT(refused(kYuv + "}", "[1, 3, 5, 4]"), HasSubstr("has no YUV420SP_U8"));
  EXPECT_THAT(refused(kYuv + "}", "[1, 1, 4, 4]"), HasSubstr("the image becomes [1, 3, 4, 4]"));
  EXPECT_THAT(refused(kYuv + "crop: true src_image_size_w: 8 src_image_size_h: 8 "
                             "load_start_pos_w: 3 }"),
              HasSubstr("give an even load_start_pos_w"));
  EXPECT_THAT(refused(kRgb + "padding: true left_padding_size: 1 }"),
              HasSubstr("the size of the image must be stated"));
  EXPECT_THAT(refused(kRgb + "padding: true crop: true src_image_size_w: 8 src_image_size_h: 8 }"),
              HasSubstr("the size of the crop must be stated"));
  EXPECT_THAT(refused(kRgb + "}", "[1, 3, 4, 1]"), HasSubstr("2 x 1 to 4096 x 4096"));
  EXPECT_THAT(refused(kRgb + "csc_switch: true matrix_r0c0: 32767 matrix_r0c1: 32767 "
                             "matrix_r0c2: 32767 }"),
              HasSubstr("more than 24 bits"));
  EXPECT_THAT(refused("aipp_op { aipp_mode: static input_format: YUV400_U8 csc_switch: true }",
                      "[1, 1, 4, 4]"),
              HasSubstr("no colours to convert"));
  EXPECT_THAT(refused(kRgb + "} " + kRgb + "}"), HasSubstr("two aipp_op are for one input"));
}

// --- Dynamic: the same settings, once known to atc and once given with a call.
constexpr int64_t kMostBytes = 600;
const std::string kDynamic = "aipp_op { aipp_mode: dynamic max_src_image_size: 600 }";

RefTensor rows_of(const std::vector<model::Aipp>& all, const Shape& dims) {
  std::vector<model::Aipp> sized;
  for (const model::Aipp& aipp : all) sized.push_back(with_sizes(aipp, dims));
  const auto rows = aipp_rows(sized, dims, kMostBytes);
  EXPECT_TRUE(rows.ok()) << rows.error().to_string();
  RefTensor tensor{DType::kFloat64, {dims[0], model::kAippNumbers}, {}};
  const auto* first = reinterpret_cast<const double*>(rows->data());
  tensor.values.assign(first, first + tensor.shape.elements());
  return tensor;
}

// y for images that lie at the front of the input's memory.
RefTensor dynamic_result(const std::string& dims, const RefTensor& image, const RefTensor& rows,
                         const char* dtype = "float32") {
  const auto graph = inserted(kDynamic, net(dims, dtype));
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(graph::validate(*graph).ok());
  RefTensor memory{DType::kUInt8, {kMostBytes}, std::vector<double>(kMostBytes, 99)};
  std::copy(image.values.begin(), image.values.end(), memory.values.begin());
  const auto outputs = reference::evaluate(*graph, {{"x", memory}, {model::kAippSettings, rows}});
  EXPECT_TRUE(outputs.ok()) << outputs.error().to_string();
  return outputs.ok() ? outputs->at("y") : RefTensor();
}

struct Case {
  const char* name;
  std::string settings, dims;
  Shape image;
};

class DynamicAippTest : public testing::TestWithParam<Case> {};

TEST_P(DynamicAippTest, GivesWhatStaticAippGives) {
  const Case& one = GetParam();
  const std::string config = "aipp_op { aipp_mode: static " + one.settings + " }";
  const RefTensor wanted = result(config, one.dims, one.image);
  const std::vector<AippOp> ops = parse_aipp(config, "aipp.cfg").value();
  const Shape dims = wanted.shape;
  const std::vector<model::Aipp> all(static_cast<size_t>(dims[0]), ops[0].aipp);
  EXPECT_EQ(dynamic_result(one.dims, bytes(one.image), rows_of(all, dims)).values, wanted.values);
}

INSTANTIATE_TEST_SUITE_P(
    Settings, DynamicAippTest,
    testing::Values(
        Case{"Plain", "input_format: RGB888_U8", "[2, 3, 6, 8]", {2, 6, 8, 3}},
        Case{"Swapped",
             "input_format: RGB888_U8 rbuv_swap_switch: true",
             "[1, 3, 3, 5]",
             {1, 3, 5, 3}},
        Case{"Alpha",
             "input_format: XRGB8888_U8 ax_swap_switch: true rbuv_swap_switch: true",
             "[2, 4, 3, 5]",
             {2, 3, 5, 4}},
        Case{"Gray",
             "input_format: YUV400_U8 mean_chn_0: 12 var_reci_chn_0: 0.5",
             "[3, 1, 4, 4]",
             {3, 4, 4, 1}},
        Case{"Yuv", "input_format: YUV420SP_U8", "[2, 3, 4, 6]", {2, 6, 6, 1}},
        Case{"YuvToRgb",
             "input_format: YUV420SP_U8 csc_switch: true rbuv_swap_switch: true",
             "[2, 3, 4, 6]",
             {2, 6, 6, 1}},
        Case{"RgbToYuv",
             "input_format: RGB888_U8 csc_switch: true matrix_r0c0: 25 matrix_r0c1: 129 "
             "matrix_r0c2: 66 matrix_r1c0: 112 matrix_r1c1: -74 matrix_r1c2: -38 "
             "matrix_r2c0: -18 matrix_r2c1: -94 matrix_r2c2: 112",
             "[1, 3, 4, 5]",
             {1, 4, 5, 3}},
        Case{"FourToThree",
             "input_format: XRGB8888_U8 ax_swap_switch: true mean_chn_2: 9",
             "[2, 3, 3, 5]",
             {2, 3, 5, 4}},
        Case{"FourToGray",
             "input_format: XRGB8888_U8 rbuv_swap_switch: true csc_switch: true matrix_r0c0: 76 "
             "matrix_r0c1: 150 matrix_r0c2: 30 output_bias_0: 0 min_chn_0: 0.5",
             "[2, 1, 3, 5]",
             {2, 3, 5, 4}},
        Case{"YuvToGray",
             "input_format: YUV420SP_U8 csc_switch: true matrix_r0c0: 256 matrix_r0c1: 0 "
             "matrix_r0c2: 0 input_bias_0: 0",
             "[2, 1, 4, 6]",
             {2, 6, 6, 1}},
        Case{"All",
             "input_format: YUV420SP_U8 src_image_size_w: 12 src_image_size_h: 10 crop: true "
             "load_start_pos_w: 4 load_start_pos_h: 2 crop_size_w: 5 crop_size_h: 6 padding: true "
             "left_padding_size: 2 top_padding_size: 1 bottom_padding_size: 3 padding_value: 7 "
             "csc_switch: true mean_chn_1: 4 min_chn_2: 0.5 var_reci_chn_0: 0.25",
             "[2, 3, 10, 7]",
             {2, 15, 12, 1}}),
    [](const auto& info) { return info.param.name; });

TEST(DynamicAipp, EachImageHasItsSettings) {
  model::Aipp left, right;
  left.width = right.width = 6, left.height = right.height = 4;
  left.crop = right.crop = true;
  left.crop_width = right.crop_width = 3, left.crop_height = right.crop_height = 2;
  right.crop_left = 3, right.crop_top = 2, right.mean[1] = 10;
  const Shape dims{2, 3, 2, 3};
  const RefTensor image = bytes({2, 4, 6, 3});
  const RefTensor y =
      dynamic_result("[2, 3, 2, 3]", image, rows_of({left, right}, dims), "float16");
  EXPECT_EQ(y.dtype, DType::kFloat16);
  for (int64_t c = 0; c < 3; ++c) {
    for (int64_t h = 0; h < 2; ++h) {
      for (int64_t w = 0; w < 3; ++w) {
        EXPECT_EQ(y[(c * 2 + h) * 3 + w], image[(h * 6 + w) * 3 + c]);
        EXPECT_EQ(y[((3 + c) * 2 + h) * 3 + w],
                  image[((4 + h + 2) * 6 + w + 3) * 3 + c] - (c == 1 ? 10 : 0));
      }
    }
  }
}

// Nobody's settings lead out of the images.
TEST(DynamicAipp, StaysInItsMemoryWhateverItIsTold) {
  std::mt19937 random(5);
  for (const double size : {0.0, 1.0, 1e3, 1e12}) {
    RefTensor rows{DType::kFloat64, {1, model::kAippNumbers}, {}};
    for (int64_t i = 0; i < model::kAippNumbers; ++i)
      rows.values.push_back(std::uniform_real_distribution<double>(-size, size)(random));
    EXPECT_EQ(dynamic_result("[1, 3, 4, 4]", bytes({1, 4, 4, 3}), rows).values.size(), 48u);
  }
}

TEST(DynamicAipp, SaysWhatItCannotTake) {
  const auto told = [](const std::string& config, const std::string& dims = "[1, 3, 4, 4]",
                       model::GearKind gears = model::GearKind::kNone) {
    const auto graph = inserted(config, net(dims), gears);
    return graph.ok() ? "accepted" : graph.error().to_string();
  };
  EXPECT_THAT(told("aipp_op { aipp_mode: dynamic }"), HasSubstr("wants the bytes of its images"));
  EXPECT_THAT(
      told("aipp_op {\n crop: true\n max_src_image_size: 9 aipp_mode: dynamic }"),
      testing::AllOf(HasSubstr("aipp.cfg:2:2"), HasSubstr("'crop' is no key of dynamic AIPP")));
  EXPECT_THAT(told(kRgb + "max_src_image_size: 9 }"), HasSubstr("a key of dynamic AIPP"));
  EXPECT_THAT(told(kDynamic, "[1, 2, 4, 4]"), HasSubstr("2 channels, images have 1, 3 or 4"));
  EXPECT_THAT(told(kDynamic, "[1, 3, 4, 4]", model::GearKind::kImage),
              HasSubstr("makes images of one size"));
  EXPECT_THAT(told(kDynamic + kDynamic), HasSubstr("two aipp_op are for one input"));
  const auto rows = [](const model::Aipp& aipp, size_t images, uint64_t most) {
    return model::aipp_rows(std::vector<model::Aipp>(images, aipp), {2, 3, 4, 4}, most)
        .error()
        .to_string();
  };
  model::Aipp aipp;
  aipp.width = aipp.height = 4;
  EXPECT_THAT(rows(aipp, 1, 600), HasSubstr("settings of 1 images for a model that takes 2"));
  EXPECT_THAT(rows(aipp, 2, 95), HasSubstr("2 images of 4 x 4 take 96 bytes, the model was made "
                                           "for 95"));
  aipp.width = 6;
  EXPECT_THAT(rows(aipp, 2, 600), HasSubstr("OPK-OM-007: AIPP: the image becomes [2, 3, 4, 6]"));
}

TEST(Aipp, OfGearsOfImageSizesHasNoSizesOfItsOwn) {
  const auto told = [](const std::string& keys) {
    const auto graph = inserted(kRgb + keys + " }", net("[1, 3, 4, 4]"), model::GearKind::kImage);
    return graph.ok() ? "accepted" : graph.error().to_string();
  };
  EXPECT_EQ(told("mean_chn_0: 3"), "accepted");
  EXPECT_THAT(told("crop: true src_image_size_w: 8 src_image_size_h: 8"),
              HasSubstr("no crop and no padding"));
  EXPECT_THAT(told("padding: true"), HasSubstr("no crop and no padding"));
  EXPECT_THAT(told("src_image_size_w: 4 src_image_size_h: 4"), HasSubstr("the sizes of the gears"));
}

TEST(DynamicAipp, OfTwoInputsHasTwoInputsForSettings) {
  auto graph = graph::parse_text(
      "input a: float32[1, 3, 4, 4]\ninput b: float32[2, 1, 4, 4]\nc = Identity(a)\n"
      "d = Identity(b)\noutput c\noutput d\n");
  ASSERT_TRUE(graph.ok()) << graph.error().to_string();
  ASSERT_TRUE(reference::infer(*graph).ok());
  const auto all = parse_aipp(
      kDynamic + "aipp_op { aipp_mode: dynamic related_input_rank: 1 max_src_image_size: 40 }",
      "aipp.cfg");
  ASSERT_TRUE(all.ok());
  const auto done = insert_aipp(*graph, *all, model::GearKind::kNone);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  EXPECT_THAT(graph->inputs, testing::ElementsAre("a", "b", "ascend_dynamic_aipp_data",
                                                  "ascend_dynamic_aipp_data_1"));
  EXPECT_EQ(done->at(1).settings, "ascend_dynamic_aipp_data_1");
  EXPECT_EQ(*graph->values.at("b").shape, (Shape{40}));
}

}  // namespace
}  // namespace opkit::compile
