// AIPP whose settings come with every call (model::AippRow): each element of what the model takes
// is looked up in the bytes of the images.
#include <fmt/format.h>

#include <cstddef>

#include "opkit/atc/compile/aipp_nodes.h"

namespace opkit::compile {
namespace {

using model::AippRow;
using Integers = std::vector<int64_t>;

#define OPKIT_AIPP_FIELD(member) static_cast<int64_t>(offsetof(AippRow, member) / sizeof(double))

class DynamicAipp {
 public:
  DynamicAipp(AippNodes& nodes, std::string settings, int64_t most_bytes, const Shape& dims)
      : nodes_(nodes),
        settings_(std::move(settings)),
        most_bytes_(most_bytes),
        n_(dims[0]),
        c_(dims[1] == 1 ? 3 : dims[1]),
        taken_(dims[1]),
        h_(dims[2]),
        w_(dims[3]) {}

  // [N, C, H, W] of float32.
  std::string run(DType dtype) {
    nodes_.take_bytes({most_bytes_});
    const Axis y = axis({1, 1, h_, 1}, h_, OPKIT_AIPP_FIELD(top), OPKIT_AIPP_FIELD(last_row),
                        OPKIT_AIPP_FIELD(first_row), OPKIT_AIPP_FIELD(row),
                        channels(OPKIT_AIPP_FIELD(offset)));
    const Axis x = axis({1, 1, 1, w_}, w_, OPKIT_AIPP_FIELD(left), OPKIT_AIPP_FIELD(last_column),
                        OPKIT_AIPP_FIELD(first_column), OPKIT_AIPP_FIELD(column), {});
    std::string value = look_up(nodes_.add("Add", {y.bytes, x.bytes}));
    if (c_ == 3) value = convert(value);
    if (taken_ == 1) value = nodes_.slice(value, {0}, {1}, {1});
    if (dtype != DType::kUInt8) value = scale(value);
    const std::string inside = nodes_.add("And", {y.inside, x.inside});
    return nodes_.add("Where", {inside, value, narrow(one(OPKIT_AIPP_FIELD(pad_value)))});
  }

 private:
  using Field = int64_t;  // the number in a row where it begins
  // Holds what is said of rows, or of columns.
  struct Axis {
    std::string bytes;   // says for each channel what the image's row or column adds to the place
    std::string inside;  // whether it is no padding
  };

  // float64 [N, wanted] as [N, dims...].
  std::string field(Field from, int64_t wanted, Integers dims) {
    const std::string part = nodes_.slice(settings_, {from}, {from + wanted}, {1});
    dims.insert(dims.begin(), n_);
    return nodes_.reshape(part, dims);
  }
  std::string one(Field at) { return field(at, 1, {1, 1, 1}); }
  std::string channels(Field at) { return field(at, c_, {c_, 1, 1}); }
  std::string narrow(const std::string& value) { return nodes_.cast(value, DType::kFloat32); }

  // offset: what is added to all; empty: nothing.
  Axis axis(Shape shape, int64_t size, Field pad, Field last, Field first, Field stride,
            const std::string& offset) {
    std::vector<double> places;
    for (int64_t i = 0; i < size; ++i) places.push_back(static_cast<double>(i));
    const std::string all = nodes_.constant(DType::kFloat64, std::move(shape), places);
    const std::string in_crop = nodes_.add("Sub", {all, one(pad)});
    const std::string zero = nodes_.constant(DType::kFloat64, {}, {0});
    const std::string end = one(last);
    Axis axis;
    axis.inside = nodes_.add("And", {nodes_.add("GreaterOrEqual", {in_crop, zero}),
                                     nodes_.add("LessOrEqual", {in_crop, end})});
    const std::string legal = nodes_.add("Max", {nodes_.add("Min", {in_crop, end}), zero});
    const std::string in_image = nodes_.add("Add", {legal, one(first)});
    const std::string scaled = nodes_.add("Mul", {in_image, channels(OPKIT_AIPP_FIELD(scale))});
    const std::string bytes = nodes_.add("Mul", {nodes_.add("Floor", {scaled}), channels(stride)});
    axis.bytes = inside_memory(offset.empty() ? bytes : nodes_.add("Add", {bytes, offset}));
    return axis;
  }

  // Settings that no program gave, but zeros or random numbers, lead into the images all the same:
  // each summand, and their sum.
  std::string inside_memory(const std::string& bytes) {
    const auto last = static_cast<double>(most_bytes_ - 1);
    const std::string legal =
        nodes_.add("Clip", {bytes, nodes_.constant(DType::kFloat64, {}, {-last}),
                            nodes_.constant(DType::kFloat64, {}, {last})});
    return nodes_.cast(legal, DType::kInt32);
  }
  std::string look_up(const std::string& places) {
    const std::string last =
        nodes_.constant(DType::kInt32, {}, {static_cast<double>(most_bytes_ - 1)});
    const std::string zero = nodes_.constant(DType::kInt32, {}, {0});
    const std::string legal = nodes_.add("Max", {nodes_.add("Min", {places, last}), zero});
    return nodes_.add("Gather", {narrow(nodes_.input()), legal}, {{"axis", int64_t{0}}});
  }

  std::string scale(const std::string& value) {
    const auto row = [&](Field at) { return narrow(field(at, taken_, {taken_, 1, 1})); };
    const std::string moved = nodes_.add("Sub", {value, row(OPKIT_AIPP_FIELD(least))});
    return nodes_.add("Mul", {moved, row(OPKIT_AIPP_FIELD(factor))});
  }

  // Integers: floor(M * (x - input_bias) / 256) + output_bias, cut to a byte.
  std::string convert(std::string value) {
    value = nodes_.add("Sub", {value, narrow(channels(OPKIT_AIPP_FIELD(input_bias)))});
    const std::string matrix = narrow(field(OPKIT_AIPP_FIELD(matrix), 9, {3, 3}));
    value = nodes_.add("MatMul", {matrix, nodes_.reshape(value, {n_, 3, h_ * w_})});
    value = nodes_.reshape(value, {n_, 3, h_, w_});
    value = nodes_.add("Floor", {nodes_.add("Mul", {value, nodes_.number(1.0 / 256)})});
    value = nodes_.add("Add", {value, narrow(channels(OPKIT_AIPP_FIELD(output_bias)))});
    return nodes_.add("Clip", {value, nodes_.number(0), nodes_.number(255)});
  }

  AippNodes& nodes_;
  const std::string settings_;
  // c_: looked up in the images; gray may be the first of three that are converted.
  const int64_t most_bytes_, n_, c_, taken_, h_, w_;
};

#undef OPKIT_AIPP_FIELD

// Returns the vendor's name for the input with the settings; a second one and those behind it get a
// number.
std::string settings_name(const graph::Graph& graph) {
  std::string name = model::kAippSettings;
  for (int count = 1; graph.values.count(name) > 0; ++count)
    name = fmt::format("{}_{}", model::kAippSettings, count);
  return name;
}

}  // namespace

Result<std::string> insert_dynamic(AippNodes& nodes, const AippOp& op, const Shape& dims,
                                   DType dtype) {
  const bool known = dims[1] == 1 || dims[1] == 3 || dims[1] == 4;
  if (!known)
    return wrong_aipp(
        op,
        fmt::format("input '{}' has {} channels, images have 1, 3 or 4", nodes.input(), dims[1]),
        "leave the aipp_op out");
  std::string settings = settings_name(nodes.graph());
  nodes.graph().inputs.push_back(settings);
  graph::ValueInfo& value = nodes.graph().values[settings];
  value.dtype = DType::kFloat64;
  value.shape = Shape{dims[0], model::kAippNumbers};
  OPKIT_CHECK(nodes.hand_over(DynamicAipp(nodes, settings, op.most_bytes, dims).run(dtype), dtype));
  return settings;
}

}  // namespace opkit::compile
