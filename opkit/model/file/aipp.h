// AIPP: how an input of a model becomes what the model takes, when it is an image as cameras give
// it: channels exchanged, cropped, colours converted, mean and variance, padded, in this order.
// (Vendor's pages "Configuration File Template" and "CSC Configuration" of the ATC guide, and
// "aclmdlSetInputAIPP".)
#ifndef OPKIT_MODEL_FILE_AIPP_H_
#define OPKIT_MODEL_FILE_AIPP_H_

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/base/tensor.h"

namespace opkit::model {

// What is done to an image, with the vendor's defaults.
struct Aipp {
  enum class Format : uint8_t { kYuv420, kXrgb, kRgb, kGray };
  Format format = Format::kRgb;
  int64_t width = 0, height = 0;  // measure the image; 0: what crop and padding leave for it
  bool crop = false;
  int64_t crop_left = 0, crop_top = 0, crop_width = 0, crop_height = 0;
  bool pad = false;
  int64_t left = 0, right = 0, top = 0, bottom = 0;
  double pad_value = 0;
  bool convert = false;       // colours, by the matrix
  bool alpha_behind = false;  // ARGB to RGBA
  bool swap_outer = false;    // behind that: the first channel with the third, or U with V
  std::array<int64_t, 9> matrix = {298, 516, 0, 298, -100, -208, 298, 0, 409};
  std::array<int64_t, 3> input_bias = {16, 128, 128}, output_bias = {16, 128, 128};
  std::array<double, 4> mean = {}, least = {}, factor = {1, 1, 1, 1};
};

int64_t channels_of(Aipp::Format format);
// Counts the bytes of one image in the format: N images lie one behind the other.
int64_t image_bytes(Aipp::Format format, int64_t height, int64_t width);
// For each channel behind the exchange, which one of the image it is. Of four channels the fourth
// is left out where colours are converted, or the model takes three.
std::vector<int64_t> channel_order(const Aipp& aipp, int64_t taken);

// Returns the settings with the sizes that were left to the model's dims: those of the crop without
// padding, those of the image without crop and padding. `dims`: N, C, H, W behind AIPP.
Aipp with_sizes(Aipp aipp, const Shape& dims);

// Why images do not become `dims`, and what to do; nothing when they do. REQUIRES: the sizes are
// there (with_sizes).
struct Misfit {
  std::string what, action;
};
std::optional<Misfit> misfit(const Aipp& aipp, const Shape& dims);

// An input in front of which AIPP stands.
struct AippInput {
  uint32_t input = 0;  // its number in the model
  bool dynamic = false;
  uint32_t settings = 0;  // dynamic: the input that takes the settings, AippRow by AippRow
  Aipp aipp;              // static: the settings
  DType dtype = DType::kUndefined;         // that the model takes behind AIPP
  std::vector<std::vector<int64_t>> dims;  // holds the dims of each gear behind AIPP: N, C, H, W
};

// Holds the settings of one image for dynamic AIPP, as the model's operators read them.
struct AippRow {
  // Where channel c of the pixel (y, x) lies: offset + floor(y * scale) * row + floor(x * scale) *
  // column.
  std::array<double, 4> offset, scale, row, column;
  double top, left, last_row, last_column;  // bound the crop where it lies in the result
  double first_row, first_column;           // begin the crop in the image
  std::array<double, 9> matrix;
  std::array<double, 3> input_bias, output_bias;
  std::array<double, 4> least, factor;  // (x - least) * factor
  double pad_value;
};
inline constexpr int64_t kAippNumbers = sizeof(AippRow) / sizeof(double);
// The vendor's name of that input; of further ones with a number behind it.
inline constexpr const char* kAippSettings = "ascend_dynamic_aipp_data";

// Row n for the images of an input whose memory has `most_bytes`. `all`: settings of each image,
// as many as `dims` has. Error: OPK-OM-007, an image does not become `dims`, or they are too many.
Result<std::vector<AippRow>> aipp_rows(const std::vector<Aipp>& all, const Shape& dims,
                                       uint64_t most_bytes);

}  // namespace opkit::model

#endif  // OPKIT_MODEL_FILE_AIPP_H_
