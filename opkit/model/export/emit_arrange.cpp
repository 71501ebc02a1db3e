// Operators that move elements.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/model/export/emit.h"
#include "opkit/model/export/strides.h"

namespace opkit::model_export {
namespace {

// Copies `dims` elements from a place of one tensor to a place of another.
struct Copying {
  Strides dims, from_steps, to_steps;
  int64_t from = 0, to = 0;
};

std::string copy_code(const Copying& copying, const std::string& from, const std::string& to) {
  const WalkOver walk = shortest({copying.dims, {copying.from_steps, copying.to_steps}});
  return fmt::format("copy({}, {}, {}, {} + {}, {} + {});\n", dims_code(walk.dims),
                     dims_code(walk.steps[0]), dims_code(walk.steps[1]), from, copying.from, to,
                     copying.to);
}

Status check_moved(const NodeSource& node) {
  if (c_type(node.in().dtype).empty())
    return node.refused("it has an element type that the source has not");
  return {};
}

Result<std::string> emit_transpose(const NodeSource& node) {
  OPKIT_CHECK(check_moved(node));
  const Shape& shape = node.in().shape;
  Strides turned(shape.rank());
  for (size_t d = 0; d < turned.size(); ++d) turned[d] = static_cast<int64_t>(shape.rank() - 1 - d);
  turned = node.integers("perm", turned);
  const Strides own = dense_steps(shape.dims());
  Copying copying{node.out().shape.dims(), {}, dense_steps(node.out().shape.dims())};
  for (const int64_t d : turned) copying.from_steps.push_back(own[static_cast<size_t>(d)]);
  return copy_code(copying, node.in().name, node.out().name);
}

Result<std::string> emit_expand(const NodeSource& node) {
  OPKIT_CHECK(check_moved(node));
  const Strides& dims = node.out().shape.dims();
  return copy_code({dims, broadcast_steps(node.in().shape, dims), dense_steps(dims)},
                   node.in().name, node.out().name);
}

Result<std::string> emit_concat(const NodeSource& node) {
  OPKIT_CHECK(check_moved(node));
  const Strides to = dense_steps(node.out().shape.dims());
  const size_t axis = node.axis(0, node.out().shape.rank());
  std::string code;
  int64_t at = 0;
  for (size_t i = 0; i < node.inputs(); ++i) {
    const Strides& dims = node.in(i).shape.dims();
    if (node.in(i).shape.elements() > 0)
      code += copy_code({dims, dense_steps(dims), to, 0, at * to[axis]}, node.in(i).name,
                        node.out().name);
    at += dims[axis];
  }
  return code;
}

Result<std::string> emit_split(const NodeSource& node) {
  OPKIT_CHECK(check_moved(node));
  const Strides from = dense_steps(node.in().shape.dims());
  const size_t axis = node.axis(0, node.in().shape.rank());
  std::string code;
  int64_t at = 0;
  for (size_t i = 0; i < node.outputs(); ++i) {
    if (!node.wants(i)) return node.refused("one of its results is not wanted");
    const Strides& dims = node.out(i).shape.dims();
    code += copy_code({dims, from, dense_steps(dims), at * from[axis], 0}, node.in().name,
                      node.out(i).name);
    at += dims[axis];
  }
  return code;
}

// Starts, axes and steps are operands since opset 10, attributes before.
Result<std::vector<int64_t>> slice_part(const NodeSource& node, size_t i, const char* attribute,
                                        std::vector<int64_t> otherwise) {
  if (node.has(i)) return node.constant_integers(i);
  return node.integers(attribute, std::move(otherwise));
}

Result<std::string> emit_slice(const NodeSource& node) {
  OPKIT_CHECK(check_moved(node));
  const Shape& shape = node.in().shape;
  OPKIT_TRY(const std::vector<int64_t> starts, slice_part(node, 1, "starts", {}));
  std::vector<int64_t> all(starts.size());
  for (size_t i = 0; i < all.size(); ++i) all[i] = static_cast<int64_t>(i);
  OPKIT_TRY(const std::vector<int64_t> axes, slice_part(node, 3, "axes", all));
  OPKIT_TRY(const std::vector<int64_t> steps,
            slice_part(node, 4, "steps", std::vector<int64_t>(starts.size(), 1)));
  Copying copying{node.out().shape.dims(), dense_steps(shape.dims()),
                  dense_steps(node.out().shape.dims())};
  for (size_t i = 0; i < starts.size(); ++i) {
    const auto rank = static_cast<int64_t>(shape.rank());
    const auto d = static_cast<size_t>(axes[i] < 0 ? axes[i] + rank : axes[i]);
    int64_t start = starts[i] < 0 ? starts[i] + shape[d] : starts[i];
    start = std::clamp<int64_t>(start, 0, steps[i] < 0 ? shape[d] - 1 : shape[d]);
    copying.from += start * copying.from_steps[d];
    copying.from_steps[d] *= steps[i];
  }
  if (node.out().shape.elements() == 0) return std::string();
  return copy_code(copying, node.in().name, node.out().name);
}

// Returns what is added in front of every axis, then behind every axis.
Result<std::vector<int64_t>> pads_of_all_axes(const NodeSource& node) {
  std::vector<int64_t> pads = node.integers("pads", {});
  if (node.has(1)) {
    OPKIT_TRY(pads, node.constant_integers(1));
  }
  if (!node.has(3)) return pads;
  OPKIT_TRY(const std::vector<int64_t> axes, node.constant_integers(3));
  const size_t rank = node.in().shape.rank();
  std::vector<int64_t> all(2 * rank, 0);
  for (size_t i = 0; i < axes.size(); ++i) {
    const auto d =
        static_cast<size_t>(axes[i] < 0 ? axes[i] + static_cast<int64_t>(rank) : axes[i]);
    all[d] = pads[i];
    all[d + rank] = pads[i + axes.size()];
  }
  return all;
}

Result<std::string> emit_pad(const NodeSource& node) {
  OPKIT_CHECK(check_moved(node));
  if (node.text("mode", "constant") != "constant")
    return node.refused("its mode is " + node.text("mode", ""));
  const Shape& shape = node.in().shape;
  OPKIT_TRY(const std::vector<int64_t> pads, pads_of_all_axes(node));
  const Strides from = dense_steps(shape.dims()), to = dense_steps(node.out().shape.dims());
  Copying copying{shape.dims(), from, to};
  for (size_t d = 0; d < shape.rank(); ++d) {
    const int64_t before = pads[d], after = pads[d + shape.rank()];
    copying.dims[d] += std::min<int64_t>(before, 0) + std::min<int64_t>(after, 0);
    copying.from += std::max<int64_t>(-before, 0) * from[d];
    copying.to += std::max<int64_t>(before, 0) * to[d];
  }
  const std::string value = node.has(2) ? node.in(2).name + "[0]"
                                        : fmt::format("{}({})", c_type(node.out().dtype),
                                                      float_code(node.number("value", 0)));
  return fmt::format("fill({}, {}, {});\n", node.out().shape.elements(), value, node.out().name) +
         copy_code(copying, node.in().name, node.out().name);
}

Result<std::string> emit_gather(const NodeSource& node) {
  OPKIT_CHECK(check_moved(node));
  const Strides& dims = node.in().shape.dims();
  const size_t axis = node.axis(0, dims.size());
  int64_t outer = 1, inner = 1;
  for (size_t d = 0; d < axis; ++d) outer *= dims[d];
  for (size_t d = axis + 1; d < dims.size(); ++d) inner *= dims[d];
  const std::string index = c_type(node.in(1).dtype);
  if (index != "int64_t" && index != "int32_t") return node.refused("its indices are no integers");
  return fmt::format("gather({}, {}, {}, {}, {}, {}, {});\n", outer, dims[axis], inner,
                     node.in(1).shape.elements(), node.in(0).name, node.in(1).name,
                     node.out().name);
}

// Called where the result could not take its operand's place.
Result<std::string> emit_same(const NodeSource& node) {
  OPKIT_CHECK(check_moved(node));
  if (node.wants(1)) return node.refused("its second result is wanted");
  return fmt::format("copy({0}, Dims<1>{{{{1}}}}, Dims<1>{{{{1}}}}, {1}, {2});\n",
                     dims_code({node.out().shape.elements()}), node.in().name, node.out().name);
}

}  // namespace

const std::vector<OperatorSource>& arrange_sources() {
  static const std::vector<OperatorSource> kSources = {
      {"Transpose", emit_transpose}, {"Expand", emit_expand}, {"Concat", emit_concat},
      {"Split", emit_split},         {"Slice", emit_slice},   {"Pad", emit_pad},
      {"Gather", emit_gather},       {"Identity", emit_same}, {"Reshape", emit_same},
      {"Flatten", emit_same},        {"Squeeze", emit_same},  {"Unsqueeze", emit_same},
      {"Dropout", emit_same}};
  return kSources;
}

}  // namespace opkit::model_export
