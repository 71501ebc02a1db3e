// AIPP as operators: swap of channels, crop, colours, mean and variance, padding, in this order.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "opkit/compile/aipp.h"
#include "opkit/reference/infer.h"

namespace opkit::compile {
namespace {

using graph::Graph;
using graph::Node;
using graph::RefTensor;
using Integers = std::vector<int64_t>;

int64_t channels_of(Aipp::Format format) {
  return format == Aipp::Format::kXrgb ? 4 : format == Aipp::Format::kGray ? 1 : 3;
}

class Insertion {
 public:
  Insertion(Graph& graph, const Aipp& aipp) : graph_(graph), aipp_(aipp) {}

  Status run() {
    OPKIT_CHECK(find_input());
    OPKIT_CHECK(check_sizes());
    value_ = name_;
    rest_ = std::move(graph_.nodes);
    graph_.nodes.clear();
    take_image();
    swap();
    crop();
    convert();
    scale();
    pad();
    hand_over();
    for (Node& node : rest_) graph_.nodes.push_back(std::move(node));
    return reference::infer(graph_);
  }

 private:
  Error wrong(std::string what, std::string action) const {
    return Error("E10001",
                 fmt::format("value [{}] for parameter [--insert_op_conf] is invalid. Reason: {}",
                             aipp_.where.file, what),
                 std::move(action))
        .at(aipp_.where);
  }

  Status find_input() {
    const auto named = std::find(graph_.inputs.begin(), graph_.inputs.end(), aipp_.input);
    if (!aipp_.input.empty() && named == graph_.inputs.end())
      return wrong(fmt::format("the model has no input '{}'", aipp_.input),
                   fmt::format("its inputs are {}", fmt::join(graph_.inputs, ", ")));
    if (aipp_.input.empty() && aipp_.rank >= static_cast<int64_t>(graph_.inputs.size()))
      return wrong(
          fmt::format("the model has {} inputs, none of rank {}", graph_.inputs.size(), aipp_.rank),
          "related_input_rank: 0");
    name_ = aipp_.input.empty() ? graph_.inputs[static_cast<size_t>(aipp_.rank)] : aipp_.input;
    const graph::Value& value = graph_.values.at(name_);
    const bool image = value.shape && value.shape->is_static() && value.shape->rank() == 4;
    if (!image || !is_float(value.dtype))
      return wrong(fmt::format("input '{}' is no batch of images of floats with known dims", name_),
                   "--input_shape=\"data:1,3,224,224\"");
    dims_ = value.shape->dims();
    dtype_ = value.dtype;
    return {};
  }

  // Of the image: stated, or what crop and padding leave.
  Status check_sizes() {
    channels_ = channels_of(aipp_.format);
    height_ = aipp_.height > 0 ? aipp_.height : wanted_height();
    width_ = aipp_.width > 0 ? aipp_.width : wanted_width();
    const bool even = height_ % 2 == 0 && width_ % 2 == 0;
    if (aipp_.format == Aipp::Format::kYuv420 && !even)
      return wrong(fmt::format("an image of {} x {} has no YUV420SP_U8", width_, height_),
                   "give an even width and height");
    const int64_t height = aipp_.crop ? cropped_height() : height_;
    const int64_t width = aipp_.crop ? cropped_width() : width_;
    const bool inside = !aipp_.crop || (aipp_.crop_top + height <= height_ &&
                                        aipp_.crop_left + width <= width_ && height > 0);
    if (!inside)
      return wrong(fmt::format("the crop of {} x {} at {}, {} leaves the image of {} x {}", width,
                               height, aipp_.crop_left, aipp_.crop_top, width_, height_),
                   "correct load_start_pos and crop_size");
    const Integers made = {dims_[0], channels_, height + vertical_pad(), width + horizontal_pad()};
    if (made != dims_)
      return wrong(fmt::format("the image becomes [{}], the model takes [{}] as '{}'",
                               fmt::join(made, ", "), fmt::join(dims_, ", "), name_),
                   "correct src_image_size, crop, padding or input_format");
    return check_matrix();
  }

  // Sums stay integers that float32 holds.
  Status check_matrix() const {
    if (!aipp_.convert) return {};
    if (channels_ != 3)
      return wrong("csc_switch is for images of three channels", "csc_switch: false");
    for (size_t row = 0; row < 3; ++row) {
      int64_t sum = 0;
      for (size_t c = 0; c < 3; ++c) sum += std::abs(aipp_.matrix[3 * row + c]) * 255;
      if (sum >= int64_t{1} << 24)
        return wrong(fmt::format("row {} of the matrix gives more than 24 bits", row),
                     "divide the matrix");
    }
    return {};
  }

  int64_t vertical_pad() const { return aipp_.pad ? aipp_.top + aipp_.bottom : 0; }
  int64_t horizontal_pad() const { return aipp_.pad ? aipp_.left + aipp_.right : 0; }
  int64_t cropped_height() const {
    return aipp_.crop_height > 0 ? aipp_.crop_height : dims_[2] - vertical_pad();
  }
  int64_t cropped_width() const {
    return aipp_.crop_width > 0 ? aipp_.crop_width : dims_[3] - horizontal_pad();
  }
  int64_t wanted_height() const { return aipp_.crop ? 0 : dims_[2] - vertical_pad(); }
  int64_t wanted_width() const { return aipp_.crop ? 0 : dims_[3] - horizontal_pad(); }

  // --- operators
  std::string fresh() {
    std::string name;
    do {
      name = fmt::format("{}/aipp{}", name_, count_++);
    } while (graph_.values.count(name) > 0 || is_defined(name));
    return name;
  }
  bool is_defined(const std::string& name) const {
    return std::any_of(rest_.begin(), rest_.end(), [&](const Node& node) {
      return std::count(node.outputs.begin(), node.outputs.end(), name) > 0;
    });
  }

  std::string constant(DType dtype, const std::vector<double>& values, bool scalar = false) {
    const std::string name = fresh();
    const Shape shape = scalar ? Shape{} : Shape{static_cast<int64_t>(values.size())};
    graph_.add_constant(name, RefTensor{dtype, shape, values});
    return name;
  }
  std::string integers(const Integers& values) {
    return constant(DType::kInt64, {values.begin(), values.end()});
  }

  std::string add(const std::string& op, const std::vector<std::string>& inputs,
                  std::map<std::string, graph::Attribute> attributes = {}) {
    const std::string name = fresh();
    graph_.nodes.push_back({op, inputs, {name}, std::move(attributes), name, {}});
    return name;
  }

  std::string slice(const std::string& value, const Integers& begin, const Integers& end,
                    const Integers& axes) {
    return add("Slice", {value, integers(begin), integers(end), integers(axes)});
  }

  // [N, H, W, C] of float32.
  void take_image() {
    const bool yuv = aipp_.format == Aipp::Format::kYuv420;
    graph_.values[name_] = {};
    graph_.values[name_].dtype = DType::kUInt8;
    graph_.values[name_].shape =
        Shape{dims_[0], yuv ? height_ / 2 * 3 : height_, width_, yuv ? 1 : channels_};
    value_ = add("Cast", {value_}, {{"to", std::string("float32")}});
    if (yuv) join_planes();
  }

  // Rows of Y, then rows of U and V in turn for every second row and column.
  void join_planes() {
    const int64_t n = dims_[0], h = height_ / 2, w = width_ / 2;
    const std::string y = slice(value_, {0}, {height_}, {1});
    const std::string rows = slice(value_, {height_}, {height_ / 2 * 3}, {1});
    const std::string pairs = add("Reshape", {rows, integers({n, h, 1, w, 1, 2})});
    const std::string wide = add("Expand", {pairs, integers({n, h, 2, w, 2, 2})});
    const std::string uv = add("Reshape", {wide, integers({n, height_, width_, 2})});
    value_ = add("Concat", {y, uv}, {{"axis", int64_t{3}}});
  }

  void swap() {
    Integers order(static_cast<size_t>(channels_));
    for (size_t c = 0; c < order.size(); ++c) order[c] = static_cast<int64_t>(c);
    const bool yuv = aipp_.format == Aipp::Format::kYuv420;
    const size_t first = channels_ == 4 || yuv ? 1 : 0;
    if (aipp_.swap_outer && channels_ > 1) std::swap(order[first], order[yuv ? 2 : first + 2]);
    if (aipp_.alpha_behind && channels_ == 4)
      std::rotate(order.begin(), order.begin() + 1, order.end());
    if (!std::is_sorted(order.begin(), order.end()))
      value_ = add("Gather", {value_, integers(order)}, {{"axis", int64_t{3}}});
  }

  void crop() {
    if (!aipp_.crop) return;
    const int64_t top = aipp_.crop_top, left = aipp_.crop_left;
    value_ = slice(value_, {top, left}, {top + cropped_height(), left + cropped_width()}, {1, 2});
  }

  // Integers: floor(M * x / 256), cut to a byte.
  void convert() {
    if (!aipp_.convert) return;
    const bool yuv = aipp_.format == Aipp::Format::kYuv420;
    const auto row = [&](const std::array<int64_t, 3>& bias) {
      return constant(DType::kFloat32, {bias.begin(), bias.end()});
    };
    if (yuv) value_ = add("Sub", {value_, row(aipp_.input_bias)});
    const std::string matrix = fresh();
    RefTensor turned{DType::kFloat32, Shape{3, 3}, {}};
    for (size_t i = 0; i < 9; ++i)
      turned.values.push_back(static_cast<double>(aipp_.matrix[3 * (i % 3) + i / 3]));
    graph_.add_constant(matrix, std::move(turned));
    value_ = add("MatMul", {value_, matrix});
    value_ = add("Floor", {add("Mul", {value_, constant(DType::kFloat32, {1.0 / 256}, true)})});
    if (!yuv) value_ = add("Add", {value_, row(aipp_.output_bias)});
    value_ = add("Clip", {value_, constant(DType::kFloat32, {0}, true),
                          constant(DType::kFloat32, {255}, true)});
  }

  // (x - mean - min) * factor
  void scale() {
    std::vector<double> offset, factor;
    for (size_t c = 0; c < static_cast<size_t>(channels_); ++c) {
      offset.push_back(aipp_.mean[c] + aipp_.least[c]);
      factor.push_back(aipp_.factor[c]);
    }
    const auto all = [](const std::vector<double>& values, double value) {
      return std::all_of(values.begin(), values.end(), [&](double v) { return v == value; });
    };
    if (!all(offset, 0)) value_ = add("Sub", {value_, constant(DType::kFloat32, offset)});
    if (!all(factor, 1)) value_ = add("Mul", {value_, constant(DType::kFloat32, factor)});
  }

  void pad() {
    if (!aipp_.pad) return;
    const std::string pads =
        integers({0, aipp_.top, aipp_.left, 0, 0, aipp_.bottom, aipp_.right, 0});
    value_ = add("Pad", {value_, pads, constant(DType::kFloat32, {aipp_.pad_value}, true)});
  }

  // To what the model's nodes read.
  void hand_over() {
    value_ = add("Transpose", {value_}, {{"perm", Integers{0, 3, 1, 2}}});
    if (dtype_ != DType::kFloat32)
      value_ = add("Cast", {value_}, {{"to", std::string(name_of(dtype_))}});
    for (Node& node : rest_) std::replace(node.inputs.begin(), node.inputs.end(), name_, value_);
    std::replace(graph_.outputs.begin(), graph_.outputs.end(), name_, value_);
  }

  Graph& graph_;
  const Aipp& aipp_;
  std::string name_, value_;
  Integers dims_;
  DType dtype_ = DType::kUndefined;
  int64_t channels_ = 0, height_ = 0, width_ = 0;
  std::vector<Node> rest_;
  size_t count_ = 0;
};

}  // namespace

Status insert_aipp(Graph& graph, const std::vector<Aipp>& all) {
  for (const Aipp& aipp : all) {
    for (const Aipp& other : all) {
      if (&other == &aipp) break;
      if (other.input == aipp.input && other.rank == aipp.rank)
        return Error("E10001",
                     "value [" + aipp.where.file +
                         "] for parameter [--insert_op_conf] is invalid. Reason: two aipp_op are "
                         "for one input",
                     "state related_input_rank")
            .at(aipp.where);
    }
    OPKIT_CHECK(Insertion(graph, aipp).run());
  }
  return {};
}

}  // namespace opkit::compile
