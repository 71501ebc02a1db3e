// AIPP: what --insert_op_conf puts in front of a model's inputs, so that they take images as
// cameras give them: crop, conversion of colours, mean and variance, padding.
#ifndef OPKIT_COMPILE_AIPP_H_
#define OPKIT_COMPILE_AIPP_H_

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/graph/graph.h"

namespace opkit::compile {

// One aipp_op, with the vendor's defaults.
struct Aipp {
  enum class Format { kYuv420, kXrgb, kRgb, kGray };
  Format format = Format::kRgb;
  int64_t rank = 0;               // of the input
  std::string input;              // its name, in place of its rank
  int64_t width = 0, height = 0;  // of the image; 0: what crop and padding leave for it
  bool crop = false;
  int64_t crop_left = 0, crop_top = 0, crop_width = 0, crop_height = 0;
  bool pad = false;
  int64_t left = 0, right = 0, top = 0, bottom = 0;
  double pad_value = 0;
  bool convert = false;       // colours, by the matrix
  bool swap_outer = false;    // R with B, U with V
  bool alpha_behind = false;  // ARGB to RGBA
  std::array<int64_t, 9> matrix = {298, 516, 0, 298, -100, -208, 298, 0, 409};
  std::array<int64_t, 3> input_bias = {16, 128, 128}, output_bias = {16, 128, 128};
  std::array<double, 4> mean = {}, least = {}, factor = {1, 1, 1, 1};
  Location where;  // in the configuration
};

// `aipp_op { key: value ... }`, repeated; # begins a comment. Errors: E10001 with line and column,
// a key or value that does not exist, or what is not there: dynamic AIPP, resize, rotation.
Result<std::vector<Aipp>> parse_aipp(std::string_view text, const std::string& file);

// The input becomes an image of uint8, [N, H, W, C] or, of YUV420SP_U8, [N, H * 3 / 2, W, 1];
// operators in front of the model's make of it what the model takes. Errors: E10001, an input that
// is no image, or an image that does not become one of its dims.
Status insert_aipp(graph::Graph& graph, const std::vector<Aipp>& all);

}  // namespace opkit::compile

#endif  // OPKIT_COMPILE_AIPP_H_
