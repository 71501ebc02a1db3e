// AIPP whose settings are known: swap of channels, crop, colours, mean and variance, padding, in
// this order. Models of uint8 have no mean and variance.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/atc/compile/aipp_nodes.h"

namespace opkit::compile {
namespace {

using model::Aipp;
using Integers = std::vector<int64_t>;

class StaticAipp {
 public:
  StaticAipp(AippNodes& nodes, const Aipp& aipp, const Shape& dims)
      : nodes_(nodes), aipp_(aipp), dims_(dims.dims()) {}

  // [N, C, H, W] of float32.
  std::string run(DType dtype) {
    take_image();
    swap();
    crop();
    convert();
    if (dtype != DType::kUInt8) scale();
    pad();
    return nodes_.add("Transpose", {value_}, {{"perm", Integers{0, 3, 1, 2}}});
  }

 private:
  bool yuv() const { return aipp_.format == Aipp::Format::kYuv420; }

  std::string row(const std::vector<double>& values) {
    return nodes_.constant(DType::kFloat32, Shape{static_cast<int64_t>(values.size())}, values);
  }
  std::string row(const std::array<int64_t, 3>& values) {
    return row(std::vector<double>(values.begin(), values.end()));
  }

  // [N, H, W, C] of float32.
  void take_image() {
    const int64_t height = aipp_.height;
    nodes_.take_bytes({dims_[0], yuv() ? height / 2 * 3 : height, aipp_.width,
                       yuv() ? 1 : channels_of(aipp_.format)});
    value_ = nodes_.cast(nodes_.input(), DType::kFloat32);
    if (yuv()) join_planes();
  }

  // Rows of Y, then rows of U and V in turn for every second row and column.
  void join_planes() {
    const int64_t n = dims_[0], h = aipp_.height / 2, w = aipp_.width / 2;
    const std::string y = nodes_.slice(value_, {0}, {2 * h}, {1});
    const std::string rows = nodes_.slice(value_, {2 * h}, {3 * h}, {1});
    const std::string pairs = nodes_.reshape(rows, {n, h, 1, w, 1, 2});
    const std::string wide = nodes_.add("Expand", {pairs, nodes_.integers({n, h, 2, w, 2, 2})});
    const std::string uv = nodes_.reshape(wide, {n, 2 * h, 2 * w, 2});
    value_ = nodes_.add("Concat", {y, uv}, {{"axis", int64_t{3}}});
  }

  void swap() {
    const Integers order = channel_order(aipp_, dims_[1]);
    const bool all = order.size() == static_cast<size_t>(channels_of(aipp_.format));
    if (!all || !std::is_sorted(order.begin(), order.end()))
      value_ = nodes_.add("Gather", {value_, nodes_.integers(order)}, {{"axis", int64_t{3}}});
  }

  void crop() {
    if (!aipp_.crop) return;
    const int64_t top = aipp_.crop_top, left = aipp_.crop_left;
    value_ = nodes_.slice(value_, {top, left}, {top + aipp_.crop_height, left + aipp_.crop_width},
                          {1, 2});
  }

  // Integers: floor(M * x / 256), cut to a byte. A model of one channel takes the first.
  void convert() {
    if (!aipp_.convert) return;
    if (yuv()) value_ = nodes_.add("Sub", {value_, row(aipp_.input_bias)});
    std::vector<double> turned;
    for (size_t i = 0; i < 9; ++i)
      turned.push_back(static_cast<double>(aipp_.matrix[3 * (i % 3) + i / 3]));
    value_ = nodes_.add("MatMul", {value_, nodes_.constant(DType::kFloat32, {3, 3}, turned)});
    value_ = nodes_.add("Floor", {nodes_.add("Mul", {value_, nodes_.number(1.0 / 256)})});
    if (!yuv()) value_ = nodes_.add("Add", {value_, row(aipp_.output_bias)});
    value_ = nodes_.add("Clip", {value_, nodes_.number(0), nodes_.number(255)});
    if (dims_[1] == 1) value_ = nodes_.slice(value_, {0}, {1}, {3});
  }

  // (x - mean - min) * factor
  void scale() {
    std::vector<double> offset, factor;
    for (size_t c = 0; c < static_cast<size_t>(dims_[1]); ++c) {
      offset.push_back(aipp_.mean[c] + aipp_.least[c]);
      factor.push_back(aipp_.factor[c]);
    }
    const auto all = [](const std::vector<double>& values, double value) {
      return std::all_of(values.begin(), values.end(), [&](double v) { return v == value; });
    };
    if (!all(offset, 0)) value_ = nodes_.add("Sub", {value_, row(offset)});
    if (!all(factor, 1)) value_ = nodes_.add("Mul", {value_, row(factor)});
  }

  void pad() {
    if (!aipp_.pad) return;
    const std::string pads =
        nodes_.integers({0, aipp_.top, aipp_.left, 0, 0, aipp_.bottom, aipp_.right, 0});
    value_ = nodes_.add("Pad", {value_, pads, nodes_.number(aipp_.pad_value)});
  }

  AippNodes& nodes_;
  const Aipp& aipp_;
  const Integers dims_;  // that the model takes
  std::string value_;
};

}  // namespace

Status insert_static(AippNodes& nodes, const AippOp& op, const Shape& dims, DType dtype,
                     model::AippInput& kept) {
  kept.aipp = with_sizes(op.aipp, dims);
  if (const auto found = misfit(kept.aipp, dims))
    return wrong_aipp(op, fmt::format("input '{}': {}", nodes.input(), found->what), found->action);
  const double pad = kept.aipp.pad ? kept.aipp.pad_value : 0;
  if (dtype == DType::kUInt8 && (pad < 0 || pad > 255 || pad != std::floor(pad)))
    return wrong_aipp(
        op, fmt::format("input '{}' is uint8, which has no padding_value {}", nodes.input(), pad),
        "an integer from 0 to 255");
  return nodes.hand_over(StaticAipp(nodes, kept.aipp, dims).run(dtype), dtype);
}

}  // namespace opkit::compile
