#include "opkit/model/file/aipp.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "opkit/model/file/codes.h"

namespace opkit::model {
namespace {

constexpr int64_t kLeastWidth = 2, kMostSize = 4096;

int64_t vertical_pad(const Aipp& aipp) { return aipp.pad ? aipp.top + aipp.bottom : 0; }
int64_t horizontal_pad(const Aipp& aipp) { return aipp.pad ? aipp.left + aipp.right : 0; }

// What is left of the image in front of the padding.
int64_t kept_height(const Aipp& aipp) { return aipp.crop ? aipp.crop_height : aipp.height; }
int64_t kept_width(const Aipp& aipp) { return aipp.crop ? aipp.crop_width : aipp.width; }

// Returns what a model can take of images that are made so: gray is the first channel of the
// conversion.
std::vector<int64_t> possible_channels(const Aipp& aipp) {
  const int64_t channels = channels_of(aipp.format);
  if (aipp.convert) return {3, 1};
  if (channels == 4) return {4, 3};
  return {channels};
}

bool crop_lies_inside(const Aipp& aipp) {
  return aipp.crop_height > 0 && aipp.crop_width > 0 &&
         aipp.crop_top + aipp.crop_height <= aipp.height &&
         aipp.crop_left + aipp.crop_width <= aipp.width;
}

std::optional<Misfit> size_misfit(const Aipp& aipp) {
  if (aipp.height == 0 || aipp.width == 0)
    return Misfit{"with crop or padding the size of the image must be stated",
                  "give src_image_size_w and src_image_size_h"};
  if (aipp.crop && aipp.pad && (aipp.crop_height == 0 || aipp.crop_width == 0))
    return Misfit{"with crop and padding the size of the crop must be stated",
                  "give crop_size_w and crop_size_h"};
  if (aipp.width < kLeastWidth || aipp.width > kMostSize || aipp.height > kMostSize)
    return Misfit{fmt::format("an image of {} x {}; {} x 1 to {} x {} are possible", aipp.width,
                              aipp.height, kLeastWidth, kMostSize, kMostSize),
                  "give images of another size"};
  if (aipp.format != Aipp::Format::kYuv420) return std::nullopt;
  if (aipp.height % 2 != 0 || aipp.width % 2 != 0)
    return Misfit{fmt::format("an image of {} x {} has no YUV420SP_U8", aipp.width, aipp.height),
                  "give an even width and height"};
  if (aipp.crop && (aipp.crop_left % 2 != 0 || aipp.crop_top % 2 != 0))
    return Misfit{
        fmt::format("the crop of YUV420SP_U8 begins at {}, {}", aipp.crop_left, aipp.crop_top),
        "give an even load_start_pos_w and load_start_pos_h"};
  return std::nullopt;
}

// Sums stay integers that float32 holds.
std::optional<Misfit> matrix_misfit(const Aipp& aipp) {
  if (!aipp.convert) return std::nullopt;
  if (aipp.format == Aipp::Format::kGray)
    return Misfit{"YUV400_U8 has no colours to convert", "csc_switch: false"};
  for (size_t row = 0; row < 3; ++row) {
    int64_t sum = 0;
    for (size_t c = 0; c < 3; ++c) sum += std::abs(aipp.matrix[3 * row + c]) * 255;
    if (sum >= int64_t{1} << 24)
      return Misfit{fmt::format("row {} of the matrix gives more than 24 bits", row),
                    "divide the matrix"};
  }
  return std::nullopt;
}

// Where channel c of the image lies. YUV420SP: rows of Y, then for every second row and column U
// and V in turn.
void place_channel(const Aipp& aipp, int64_t c, size_t to, AippRow& row) {
  const auto width = static_cast<double>(aipp.width);
  const auto channels = static_cast<double>(channels_of(aipp.format));
  if (aipp.format != Aipp::Format::kYuv420) {
    row.offset[to] = static_cast<double>(c);
    row.scale[to] = 1, row.row[to] = width * channels, row.column[to] = channels;
    return;
  }
  const double plane = width * static_cast<double>(aipp.height);
  row.offset[to] = c == 0 ? 0 : plane + static_cast<double>(c - 1);
  row.scale[to] = c == 0 ? 1 : 0.5;
  row.row[to] = width, row.column[to] = c == 0 ? 1 : 2;
}

void set_colors(const Aipp& aipp, AippRow& row) {
  const bool yuv = aipp.format == Aipp::Format::kYuv420;
  row.matrix = {256, 0, 0, 0, 256, 0, 0, 0, 256};
  if (!aipp.convert) return;
  std::copy(aipp.matrix.begin(), aipp.matrix.end(), row.matrix.begin());
  const auto& bias = yuv ? aipp.input_bias : aipp.output_bias;
  std::copy(bias.begin(), bias.end(), (yuv ? row.input_bias : row.output_bias).begin());
}

AippRow row_of(const Aipp& aipp, int64_t image, int64_t taken) {
  AippRow row{};
  const std::vector<int64_t> order = channel_order(aipp, taken);
  const int64_t begin = image * image_bytes(aipp.format, aipp.height, aipp.width);
  for (size_t c = 0; c < order.size(); ++c) {
    place_channel(aipp, order[c], c, row);
    row.offset[c] += static_cast<double>(begin);
  }
  if (aipp.pad) {
    row.top = static_cast<double>(aipp.top), row.left = static_cast<double>(aipp.left);
    row.pad_value = aipp.pad_value;
  }
  if (aipp.crop) {
    row.first_row = static_cast<double>(aipp.crop_top);
    row.first_column = static_cast<double>(aipp.crop_left);
  }
  row.last_row = static_cast<double>(kept_height(aipp) - 1);
  row.last_column = static_cast<double>(kept_width(aipp) - 1);
  set_colors(aipp, row);
  for (size_t c = 0; c < 4; ++c) row.least[c] = aipp.mean[c] + aipp.least[c];
  row.factor = aipp.factor;
  return row;
}

}  // namespace

int64_t channels_of(Aipp::Format format) {
  return format == Aipp::Format::kXrgb ? 4 : format == Aipp::Format::kGray ? 1 : 3;
}

int64_t image_bytes(Aipp::Format format, int64_t height, int64_t width) {
  if (format == Aipp::Format::kYuv420) return height * width / 2 * 3;
  return height * width * channels_of(format);
}

std::vector<int64_t> channel_order(const Aipp& aipp, int64_t taken) {
  std::vector<int64_t> order(static_cast<size_t>(channels_of(aipp.format)));
  std::iota(order.begin(), order.end(), 0);
  const bool four = order.size() == 4;
  if (aipp.alpha_behind && four) std::rotate(order.begin(), order.begin() + 1, order.end());
  if (aipp.swap_outer && order.size() > 1)
    std::swap(order[aipp.format == Aipp::Format::kYuv420 ? 1 : 0], order[2]);
  if (four && (aipp.convert || taken == 3)) order.pop_back();
  return order;
}

Aipp with_sizes(Aipp aipp, const Shape& dims) {
  if (aipp.pad) return aipp;
  int64_t& height = aipp.crop ? aipp.crop_height : aipp.height;
  int64_t& width = aipp.crop ? aipp.crop_width : aipp.width;
  if (height == 0) height = dims[2];
  if (width == 0) width = dims[3];
  return aipp;
}

std::optional<Misfit> misfit(const Aipp& aipp, const Shape& dims) {
  if (const auto found = size_misfit(aipp)) return found;
  if (aipp.crop && !crop_lies_inside(aipp))
    return Misfit{
        fmt::format("the crop of {} x {} at {}, {} leaves the image of {} x {}", aipp.crop_width,
                    aipp.crop_height, aipp.crop_left, aipp.crop_top, aipp.width, aipp.height),
        "correct load_start_pos and crop_size"};
  const std::vector<int64_t> possible = possible_channels(aipp);
  const bool taken = std::ranges::count(possible, dims[1]) > 0;
  const std::vector<int64_t> made = {dims[0], taken ? dims[1] : possible[0],
                                     kept_height(aipp) + vertical_pad(aipp),
                                     kept_width(aipp) + horizontal_pad(aipp)};
  if (made != dims.dims())
    return Misfit{fmt::format("the image becomes [{}], the model takes [{}]", fmt::join(made, ", "),
                              fmt::join(dims.dims(), ", ")),
                  "correct src_image_size, crop, padding or input_format"};
  return matrix_misfit(aipp);
}

Result<std::vector<AippRow>> aipp_rows(const std::vector<Aipp>& all, const Shape& dims,
                                       uint64_t most_bytes) {
  const auto wrong = [](std::string what, std::string action) {
    return Error(kBadInput, "AIPP: " + std::move(what), std::move(action));
  };
  if (static_cast<int64_t>(all.size()) != dims[0])
    return wrong(
        fmt::format("settings of {} images for a model that takes {}", all.size(), dims[0]),
        "give each image its settings");
  std::vector<AippRow> rows;
  for (const Aipp& aipp : all) {
    if (const auto found = misfit(aipp, dims)) return wrong(found->what, found->action);
    const int64_t bytes = image_bytes(aipp.format, aipp.height, aipp.width);
    if (static_cast<uint64_t>(bytes) * all.size() > most_bytes)
      return wrong(fmt::format("{} images of {} x {} take {} bytes, the model was made for {}",
                               all.size(), aipp.width, aipp.height,
                               static_cast<uint64_t>(bytes) * all.size(), most_bytes),
                   "atc: raise max_src_image_size");
    rows.push_back(row_of(aipp, static_cast<int64_t>(rows.size()), dims[1]));
  }
  return rows;
}

}  // namespace opkit::model
