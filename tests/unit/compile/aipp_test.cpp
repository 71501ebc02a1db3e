// AIPP configurations: read, refused, and what the operators make of images, beside scalar code.
#include "opkit/compile/aipp.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "opkit/graph/text.h"
#include "opkit/reference/evaluate.h"
#include "opkit/reference/infer.h"

namespace opkit::compile {
namespace {

using graph::RefTensor;
using ::testing::HasSubstr;

graph::Graph model(const std::string& dims, const char* dtype = "float32") {
  auto graph =
      graph::parse_text("input x: " + std::string(dtype) + dims + "\ny = Identity(x)\noutput y\n");
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  EXPECT_TRUE(reference::infer(*graph).ok());
  return std::move(*graph);
}

Result<graph::Graph> inserted(const std::string& config, graph::Graph graph) {
  OPKIT_TRY(const std::vector<Aipp> all, parse_aipp(config, "aipp.cfg"));
  OPKIT_CHECK(insert_aipp(graph, all));
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
  const auto graph = inserted(config, model(dims, dtype));
  EXPECT_TRUE(graph.ok()) << graph.error().to_string();
  if (!graph.ok()) return {};
  EXPECT_TRUE(graph::validate(*graph).ok());
  EXPECT_EQ(*graph->values.at("x").shape, image);
  const auto outputs = reference::evaluate(*graph, {{"x", bytes(image)}});
  EXPECT_TRUE(outputs.ok()) << outputs.error().to_string();
  return outputs.ok() ? outputs->at("y") : RefTensor();
}

const std::string kRgb = "aipp_op {\n  aipp_mode: static\n  input_format: RGB888_U8\n";

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
  const RefTensor gray =
      result("aipp_op { aipp_mode: static input_format: YUV400_U8 }", "[1, 1, 2, 2]", {1, 2, 2, 1});
  EXPECT_EQ(gray.values, bytes({1, 2, 2, 1}).values);
}

std::string refused(const std::string& config, const std::string& dims = "[1, 3, 4, 4]") {
  const auto graph = inserted(config, model(dims));
  return graph.ok() ? "accepted" : graph.error().to_string();
}

TEST(Aipp, RefusesWhatItCannotRead) {
  EXPECT_THAT(refused(""), HasSubstr("there is no aipp_op"));
  EXPECT_THAT(refused("aipp { }"), HasSubstr("aipp.cfg:1:1: error E10001"));
  EXPECT_THAT(refused("aipp_op {\n  crop true\n}"), HasSubstr("aipp.cfg:2:8"));
  EXPECT_THAT(refused("aipp_op { input_formt: RGB888_U8 }"),
              HasSubstr("did you mean 'input_format'?"));
  EXPECT_THAT(refused("aipp_op { resize: true }"), HasSubstr("there is no 'resize'"));
  EXPECT_THAT(refused("aipp_op { aipp_mode: dynamic }"), HasSubstr("only static is"));
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
              HasSubstr("the image becomes [1, 3, 8, 8], the model takes [1, 3, 4, 4] as 'x'"));
  EXPECT_THAT(refused(kRgb + "crop: true src_image_size_w: 4 src_image_size_h: 4 "
                             "load_start_pos_w: 2 }"),
              HasSubstr("leaves the image"));
  EXPECT_THAT(refused("aipp_op { input_format: YUV420SP_U8 }", "[1, 3, 5, 4]"),
              HasSubstr("has no YUV420SP_U8"));
  EXPECT_THAT(refused(kRgb + "csc_switch: true matrix_r0c0: 32767 matrix_r0c1: 32767 "
                             "matrix_r0c2: 32767 }"),
              HasSubstr("more than 24 bits"));
  EXPECT_THAT(refused("aipp_op { input_format: YUV400_U8 csc_switch: true }", "[1, 1, 4, 4]"),
              HasSubstr("three channels"));
  EXPECT_THAT(refused(kRgb + "} " + kRgb + "}"), HasSubstr("two aipp_op are for one input"));
}

}  // namespace
}  // namespace opkit::compile
