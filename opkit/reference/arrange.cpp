// Operators that put elements into another order or join tensors.
#include <algorithm>
#include <numeric>

#include "opkit/reference/families.h"
#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

// Returns the input's axis of each axis of the result.
Result<std::vector<size_t>> order_of(const OperatorCall& call) {
  const size_t rank = call.input(0).shape.rank();
  std::vector<int64_t> backwards(rank);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  const std::vector<int64_t> order = call.integers("perm", backwards);
  OPKIT_TRY(const std::vector<size_t> sorted, call.axes(order, rank));
  if (sorted.size() != rank) return call.attribute_error("perm must name every axis once");
  std::vector<size_t> axes;
  for (const int64_t axis : order)
    axes.push_back(static_cast<size_t>(axis < 0 ? axis + static_cast<int64_t>(rank) : axis));
  return axes;
}

Result<Outputs> transpose(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const std::vector<size_t> order, order_of(call));
  OPKIT_TRY(RefTensor out, call.result());
  Index from(order.size());
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& to) {
    for (size_t d = 0; d < order.size(); ++d) from[order[d]] = to[d];
    out[position++] = x[offset_of(x.shape, from)];
  });
  return only(std::move(out));
}

Status check_concat(const OperatorCall& call, size_t axis) {
  for (size_t i = 1; i < call.input_count(); ++i) {
    if (!call.has_input(i))
      return call.error(kBadArity, "an absent input", "remove the empty name");
    Shape expected = call.input(0).shape;
    if (call.input(i).shape.rank() == expected.rank()) expected[axis] = call.input(i).shape[axis];
    if (call.input(i).shape != expected) {
      return call.shape_error("input " + std::to_string(i) + " of shape " +
                              call.input(i).shape.to_string() + " cannot follow " +
                              call.input(0).shape.to_string());
    }
  }
  return {};
}

Result<Outputs> concat(const OperatorCall& call) {
  OPKIT_TRY(RefTensor out, call.result());
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), out.shape.rank()));
  int64_t start = 0;
  for (size_t i = 0; i < call.input_count(); ++i) {
    const RefTensor& part = call.input(i);
    int64_t position = 0;
    for_each_index(part.shape, [&](const Index& index) {
      Index to = index;
      to[axis] += start;
      out[offset_of(out.shape, to)] = part[position++];
    });
    start += part.shape[axis];
  }
  return only(std::move(out));
}

Result<Outputs> tile(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(RefTensor out, call.result());
  Index from(out.shape.rank());
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& to) {
    for (size_t d = 0; d < from.size(); ++d) from[d] = to[d] % x.shape[d];
    out[position++] = x[offset_of(x.shape, from)];
  });
  return only(std::move(out));
}

Result<int64_t> block_size(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 4, 4));
  const int64_t size = call.integer("blocksize");
  if (size >= 1 && size <= 32768) return size;
  return call.attribute_error("blocksize must be 1 to 32768");
}

// Channel of the input that holds block offset (dy, dx) of output channel c.
int64_t depth_channel(bool depth_first, int64_t c, int64_t dy, int64_t dx, int64_t b,
                      int64_t depth) {
  return depth_first ? (dy * b + dx) * depth + c : (c * b + dy) * b + dx;
}

Result<Outputs> depth_to_space(const OperatorCall& call) {
  OPKIT_TRY(const int64_t b, block_size(call));
  const std::string mode = call.text("mode");
  const RefTensor& x = call.input(0);
  OPKIT_TRY(RefTensor out, call.result());
  const int64_t depth = out.shape[1];
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& i) {
    const int64_t channel = depth_channel(mode == "DCR", i[1], i[2] % b, i[3] % b, b, depth);
    out[position++] = x[offset_of(x.shape, {i[0], channel, i[2] / b, i[3] / b})];
  });
  return only(std::move(out));
}

Result<Outputs> space_to_depth(const OperatorCall& call) {
  OPKIT_TRY(const int64_t b, block_size(call));
  const RefTensor& x = call.input(0);
  const int64_t depth = x.shape[1];
  OPKIT_TRY(RefTensor out, call.result());
  int64_t position = 0;
  for_each_index(x.shape, [&](const Index& i) {
    const int64_t channel = depth_channel(true, i[1], i[2] % b, i[3] % b, b, depth);
    out[offset_of(out.shape, {i[0], channel, i[2] / b, i[3] / b})] = x[position++];
  });
  return only(std::move(out));
}

// Keeps the elements on or above (upper) or below the k-th diagonal; the others become 0.
Result<Outputs> triangle(const OperatorCall& call) {
  RefTensor out = call.input(0);
  double k = 0;
  if (call.has_input(1)) {
    OPKIT_TRY(k, call.scalar_of(1));
  }
  const bool upper = call.integer("upper") != 0;
  const size_t rank = out.shape.rank();
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& i) {
    const double diagonal = static_cast<double>(i[rank - 1] - i[rank - 2]);
    if (upper ? diagonal < k : diagonal > k) out[position] = 0;
    ++position;
  });
  return only(std::move(out));
}

struct BatchAndTime {
  size_t batch, time;
};

Result<BatchAndTime> batch_and_time(const OperatorCall& call) {
  const size_t rank = call.input(0).shape.rank();
  OPKIT_TRY(const size_t batch, call.axis(call.integer("batch_axis"), rank));
  OPKIT_TRY(const size_t time, call.axis(call.integer("time_axis"), rank));
  if (batch != time && batch <= 1 && time <= 1) return BatchAndTime{batch, time};
  return call.attribute_error("batch_axis and time_axis must be 0 and 1");
}

// Reverses the first sequence_lens[b] steps of each batch element.
Result<Outputs> reverse_sequence(const OperatorCall& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const std::vector<int64_t> lengths, call.integers_of(1));
  OPKIT_TRY(const BatchAndTime axes, batch_and_time(call));
  const size_t batch = axes.batch, time = axes.time;
  const bool fits = std::all_of(lengths.begin(), lengths.end(),
                                [&](int64_t n) { return n >= 0 && n <= x.shape[time]; });
  if (!fits) return call.shape_error("sequence_lens does not fit " + x.shape.to_string());
  RefTensor out = x;
  int64_t position = 0;
  for_each_index(x.shape, [&](const Index& index) {
    Index from = index;
    const int64_t length = lengths[static_cast<size_t>(index[batch])];
    if (index[time] < length) from[time] = length - 1 - index[time];
    out[position++] = x[offset_of(x.shape, from)];
  });
  return only(std::move(out));
}

Result<Shapes> transposed_shape(const OperatorCall& call) {
  const Shape& x = call.input(0).shape;
  OPKIT_TRY(const std::vector<size_t> order, order_of(call));
  Shape shape = x;
  for (size_t d = 0; d < order.size(); ++d) shape[d] = x[order[d]];
  return one(std::move(shape));
}

Result<Shapes> concat_shape(const OperatorCall& call) {
  Shape shape = call.input(0).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis"), shape.rank()));
  OPKIT_CHECK(check_concat(call, axis));
  for (size_t i = 1; i < call.input_count(); ++i) shape[axis] += call.input(i).shape[axis];
  return checked(call, std::move(shape));
}

Result<Shapes> tiled_shape(const OperatorCall& call) {
  if (!call.known(1)) return Shapes();
  Shape shape = call.input(0).shape;
  OPKIT_TRY(const std::vector<int64_t> repeats, call.integers_of(1));
  if (repeats.size() != shape.rank())
    return call.shape_error("repeats must have one value per dim of " + shape.to_string());
  for (size_t d = 0; d < shape.rank(); ++d) {
    if (repeats[d] < 0 || repeats[d] > kMaxElements || shape[d] > kMaxElements)
      return call.shape_error("a repeat of " + std::to_string(repeats[d]));
    shape[d] *= repeats[d];
  }
  return checked(call, std::move(shape));
}

Result<Shapes> deeper_shape(const OperatorCall& call) {
  OPKIT_TRY(const int64_t b, block_size(call));
  const std::string mode = call.text("mode");
  if (mode != "DCR" && mode != "CRD") return call.attribute_error("mode must be DCR or CRD");
  const Shape& x = call.input(0).shape;
  if (x[1] % (b * b) != 0) return call.shape_error("blocksize^2 must divide the channels");
  return checked(call, Shape{x[0], x[1] / (b * b), x[2] * b, x[3] * b});
}

Result<Shapes> shallower_shape(const OperatorCall& call) {
  OPKIT_TRY(const int64_t b, block_size(call));
  const Shape& x = call.input(0).shape;
  if (x[2] % b != 0 || x[3] % b != 0)
    return call.shape_error("blocksize must divide height and width");
  return checked(call, Shape{x[0], x[1] * b * b, x[2] / b, x[3] / b});
}

Result<Shapes> triangle_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 64));
  if (call.has_input(1)) OPKIT_CHECK(call.require_one_element(1));
  return first_shape(call);
}

Result<Shapes> reversed_shape(const OperatorCall& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 64));
  OPKIT_TRY(const BatchAndTime axes, batch_and_time(call));
  const Shape &x = call.input(0).shape, &lengths = call.input(1).shape;
  OPKIT_TRY(const int64_t count, lengths.checked_elements());
  if (count == x[axes.batch]) return one(x);
  return call.shape_error("sequence_lens does not fit " + x.to_string());
}

}  // namespace

Operators arrange_operators() {
  const auto row = [](std::string_view name, std::vector<AttributeSpec> attributes,
                      Result<Outputs> (*f)(const OperatorCall&), auto shapes,
                      Bound bound = Bound::moved()) {
    return Operator{.name = name,
                    .attributes = std::move(attributes),
                    .evaluate = f,
                    .types = first_type,
                    .shapes = shapes,
                    .bound = bound};
  };
  return {
      row("Transpose", {integers("perm")}, transpose, transposed_shape),
      {.name = "Concat",
       .most_inputs = kAnyNumber,
       .attributes = {required(integer("axis", 1))},
       .evaluate = concat,
       .types = same_type,
       .shapes = concat_shape,
       .bound = Bound::moved()},
      {.name = "Tile",
       .least_inputs = 2,
       .most_inputs = 2,
       .evaluate = tile,
       .types = first_type_at_integers,
       .shapes = tiled_shape,
       .bound = Bound::moved()},
      row("DepthToSpace", {required(integer("blocksize")), text("mode", "DCR")}, depth_to_space,
          deeper_shape),
      row("SpaceToDepth", {required(integer("blocksize"))}, space_to_depth, shallower_shape),
      {.name = "Trilu",
       .most_inputs = 2,
       .attributes = {integer("upper", 1)},
       .evaluate = triangle,
       .types = first_type,
       .shapes = triangle_shape,
       .bound = Bound::moved()},
      {.name = "ReverseSequence",
       .least_inputs = 2,
       .most_inputs = 2,
       .attributes = {integer("batch_axis", 1), integer("time_axis", 0)},
       .evaluate = reverse_sequence,
       .types = first_type_at_integers,
       .shapes = reversed_shape,
       .bound = Bound::moved()},
  };
}

}  // namespace opkit::reference
