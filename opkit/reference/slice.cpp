// Slice and Split.
#include <algorithm>
#include <numeric>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

// The positions begin, begin + step, ... (count of them) along one axis.
struct Range {
  int64_t begin = 0;
  int64_t step = 1;
  int64_t count = 0;
};

int64_t from_front(int64_t position, int64_t size) {
  return position < 0 && position >= -size ? position + size : position;
}

// Numpy's slice with bounds clamped to the axis. REQUIRES: step != 0.
Range clamped_range(int64_t start, int64_t end, int64_t step, int64_t size) {
  const int64_t low = step > 0 ? 0 : -1, high = step > 0 ? size : size - 1;
  const int64_t begin =
      std::clamp(from_front(start, size), step > 0 ? 0 : std::min<int64_t>(0, high), high);
  const int64_t stop = std::clamp(from_front(end, size), low, high);
  const int64_t distance = step > 0 ? stop - begin : begin - stop;
  const int64_t stride = step > 0 ? step : (step == INT64_MIN ? INT64_MAX : -step);
  return {begin, step, distance <= 0 ? 0 : (distance - 1) / stride + 1};
}

struct SliceLists {
  std::vector<int64_t> starts, ends, axes, steps;
};

Status check_bounds_given(const OperatorCall& call) {
  const bool starts = call.has_input(1) || call.has_attribute("starts");
  const bool ends = call.has_input(2) || call.has_attribute("ends");
  if (starts && ends) return {};
  return call.error(kBadArity, "starts or ends are not given", "give both");
}

// Attributes before version 10, inputs since. REQUIRES: check_bounds_given.
Result<SliceLists> read_lists(const OperatorCall& call) {
  OPKIT_TRY(const auto starts, call.integers_from(1, "starts"));
  OPKIT_TRY(const auto ends, call.integers_from(2, "ends"));
  OPKIT_TRY(const auto axes, call.integers_from(3, "axes"));
  OPKIT_TRY(const auto steps, call.integers_from(4, "steps"));
  SliceLists lists{*starts, *ends, axes.value_or(std::vector<int64_t>(starts->size())),
                   steps.value_or(std::vector<int64_t>(starts->size(), 1))};
  if (!axes) std::iota(lists.axes.begin(), lists.axes.end(), 0);
  const size_t count = lists.starts.size();
  if (lists.ends.size() != count || lists.axes.size() != count || lists.steps.size() != count) {
    return call.shape_error("starts, ends, axes and steps differ in length");
  }
  return lists;
}

Result<RefTensor> taken(const OperatorCall& call, const std::vector<Range>& ranges) {
  const RefTensor& x = call.input(0);
  Shape shape = x.shape;
  for (size_t d = 0; d < ranges.size(); ++d) shape[d] = ranges[d].count;
  OPKIT_TRY(RefTensor out, call.make(x.dtype, shape));
  Index from(shape.rank());
  int64_t position = 0;
  for_each_index(shape, [&](const Index& to) {
    for (size_t d = 0; d < from.size(); ++d) from[d] = ranges[d].begin + to[d] * ranges[d].step;
    out[position++] = x[offset_of(x.shape, from)];
  });
  return out;
}

std::vector<Range> whole(const Shape& shape) {
  std::vector<Range> ranges;
  for (int64_t dim : shape.dims()) ranges.push_back({0, 1, dim});
  return ranges;
}

Result<std::vector<Range>> read_ranges(const OperatorCall& call) {
  const Shape& shape = call.input(0).shape;
  OPKIT_TRY(const SliceLists lists, read_lists(call));
  OPKIT_TRY([[maybe_unused]] const std::vector<size_t> distinct,
            call.axes(lists.axes, shape.rank()));
  std::vector<Range> ranges = whole(shape);
  for (size_t i = 0; i < lists.axes.size(); ++i) {
    OPKIT_TRY(const size_t axis, call.axis(lists.axes[i], shape.rank()));
    if (lists.steps[i] == 0) return call.attribute_error("a step of 0");
    ranges[axis] = clamped_range(lists.starts[i], lists.ends[i], lists.steps[i], shape[axis]);
  }
  return ranges;
}

Result<Outputs> slice(const OperatorCall& call) {
  OPKIT_TRY(const std::vector<Range> ranges, read_ranges(call));
  return only(taken(call, ranges));
}

// Given sizes, or as many equal parts as there are outputs (the last one may be smaller since
// version 18).
Result<std::vector<int64_t>> part_sizes(const OperatorCall& call, int64_t size) {
  OPKIT_TRY(const auto given, call.integers_from(1, "split"));
  const int64_t parts = static_cast<int64_t>(call.output_count());
  std::vector<int64_t> sizes;
  if (given) {
    sizes = *given;
  } else {
    const int64_t wanted = call.integer("num_outputs", parts);
    const int64_t each = (size + parts - 1) / parts;
    if (wanted != parts || (size % parts != 0 && !call.has_attribute("num_outputs"))) {
      return call.shape_error("an axis of " + std::to_string(size) + " has no " +
                              std::to_string(parts) + " equal parts");
    }
    for (int64_t i = 0; i < parts; ++i) {
      sizes.push_back(std::clamp<int64_t>(size - i * each, 0, each));
    }
  }
  int64_t total = 0;
  for (int64_t part : sizes) {
    if (part < 0 || part > size) return call.shape_error("a part of " + std::to_string(part));
    total += part;
  }
  if (total != size || static_cast<int64_t>(sizes.size()) != parts) {
    return call.shape_error("the parts do not add up to the axis of " + std::to_string(size));
  }
  return sizes;
}

Result<Outputs> split(const OperatorCall& call) {
  const Shape& shape = call.input(0).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), shape.rank()));
  OPKIT_TRY(const std::vector<int64_t> sizes, part_sizes(call, shape[axis]));
  Outputs parts;
  std::vector<Range> ranges = whole(shape);
  int64_t begin = 0;
  for (int64_t size : sizes) {
    ranges[axis] = {begin, 1, size};
    OPKIT_TRY(RefTensor part, taken(call, ranges));
    parts.push_back(std::move(part));
    begin += size;
  }
  return parts;
}

Result<Shapes> sliced_shape(const OperatorCall& call) {
  OPKIT_CHECK(check_bounds_given(call));
  for (size_t i = 1; i < call.input_count(); ++i) {
    if (!call.known(i)) return Shapes();
  }
  OPKIT_TRY(const std::vector<Range> ranges, read_ranges(call));
  Shape shape;
  for (const Range& range : ranges) shape.dims().push_back(range.count);
  return one(std::move(shape));
}

Result<DTypes> split_types(const OperatorCall& call) {
  OPKIT_TRY(const DTypes first, first_type_at_integers(call));
  return DTypes(call.output_count(), first[0]);
}

Result<Shapes> split_shapes(const OperatorCall& call) {
  if (!call.known(1)) return Shapes();
  const Shape& shape = call.input(0).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), shape.rank()));
  OPKIT_TRY(const std::vector<int64_t> sizes, part_sizes(call, shape[axis]));
  std::vector<Shape> parts(sizes.size(), shape);
  for (size_t i = 0; i < sizes.size(); ++i) parts[i][axis] = sizes[i];
  return Shapes(std::move(parts));
}

}  // namespace

Operators slice_operators() {
  return {
      {.name = "Slice",
       .most_inputs = 5,
       .attributes = {integers("starts"), integers("ends"), integers("axes")},
       .evaluate = slice,
       .types = first_type_at_integers,
       .shapes = sliced_shape,
       .bound = Bound::moved()},
      {.name = "Split",
       .most_inputs = 2,
       .most_outputs = kAnyNumber,
       .attributes = {integer("axis", 0), integers("split"), integer("num_outputs")},
       .evaluate = split,
       .types = split_types,
       .shapes = split_shapes,
       .bound = Bound::moved()},
  };
}

}  // namespace opkit::reference
