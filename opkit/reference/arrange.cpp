// Operators that put elements into another order or join tensors.
#include <algorithm>
#include <numeric>

#include "opkit/reference/index.h"
#include "opkit/reference/operators.h"

namespace opkit::reference {
namespace {

Result<Outputs> transpose(const Call& call) {
  const RefTensor& x = call.input(0);
  const size_t rank = x.shape.rank();
  std::vector<int64_t> backwards(rank);
  std::iota(backwards.rbegin(), backwards.rend(), 0);
  const std::vector<int64_t> order = call.integers("perm", backwards);
  OPKIT_TRY(const std::vector<size_t> sorted, call.axes(order, rank));
  if (sorted.size() != rank) return call.attribute_error("perm must name every axis once");
  std::vector<int64_t> dims(rank);
  for (size_t d = 0; d < rank; ++d) dims[d] = x.shape[order[d] < 0 ? order[d] + rank : order[d]];
  OPKIT_TRY(RefTensor out, call.make(x.dtype, Shape(dims)));
  Index from(rank);
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& to) {
    for (size_t d = 0; d < rank; ++d) from[order[d] < 0 ? order[d] + rank : order[d]] = to[d];
    out[position++] = x[offset_of(x.shape, from)];
  });
  return only(std::move(out));
}

Status check_concat(const Call& call, size_t axis) {
  OPKIT_CHECK(call.require_same_dtype());
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

Result<Outputs> concat(const Call& call) {
  Shape shape = call.input(0).shape;
  OPKIT_TRY(const size_t axis, call.axis(call.integer("axis", 1), shape.rank()));
  OPKIT_CHECK(check_concat(call, axis));
  for (size_t i = 1; i < call.input_count(); ++i) shape[axis] += call.input(i).shape[axis];
  OPKIT_TRY(RefTensor out, call.make(call.input(0).dtype, shape));
  int64_t start = 0;
  for (size_t i = 0; i < call.input_count(); ++i) {
    const RefTensor& part = call.input(i);
    int64_t position = 0;
    for_each_index(part.shape, [&](const Index& index) {
      Index to = index;
      to[axis] += start;
      out[offset_of(shape, to)] = part[position++];
    });
    start += part.shape[axis];
  }
  return only(std::move(out));
}

Result<Outputs> tile(const Call& call) {
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const std::vector<int64_t> repeats, call.integers_of(1));
  if (repeats.size() != x.shape.rank()) {
    return call.shape_error("repeats must have one value per dim of " + x.shape.to_string());
  }
  Shape shape = x.shape;
  for (size_t d = 0; d < shape.rank(); ++d) {
    if (repeats[d] < 0 || repeats[d] > kMaxElements || shape[d] > kMaxElements) {
      return call.shape_error("a repeat of " + std::to_string(repeats[d]));
    }
    shape[d] *= repeats[d];
  }
  OPKIT_TRY(RefTensor out, call.make(x.dtype, shape));
  Index from(shape.rank());
  int64_t position = 0;
  for_each_index(shape, [&](const Index& to) {
    for (size_t d = 0; d < from.size(); ++d) from[d] = to[d] % x.shape[d];
    out[position++] = x[offset_of(x.shape, from)];
  });
  return only(std::move(out));
}

Result<int64_t> block_size(const Call& call) {
  OPKIT_CHECK(call.require_rank(0, 4, 4));
  const int64_t size = call.integer("blocksize", 0);
  if (size >= 1 && size <= 32768) return size;
  return call.attribute_error("blocksize must be 1 to 32768");
}

// Channel of the input that holds block offset (dy, dx) of output channel c.
int64_t depth_channel(bool depth_first, int64_t c, int64_t dy, int64_t dx, int64_t b,
                      int64_t depth) {
  return depth_first ? (dy * b + dx) * depth + c : (c * b + dy) * b + dx;
}

Result<Outputs> depth_to_space(const Call& call) {
  OPKIT_TRY(const int64_t b, block_size(call));
  const std::string mode = call.text("mode", "DCR");
  if (mode != "DCR" && mode != "CRD") return call.attribute_error("mode must be DCR or CRD");
  const RefTensor& x = call.input(0);
  const int64_t depth = x.shape[1] / (b * b);
  if (x.shape[1] % (b * b) != 0) return call.shape_error("blocksize^2 must divide the channels");
  OPKIT_TRY(RefTensor out,
            call.make(x.dtype, Shape{x.shape[0], depth, x.shape[2] * b, x.shape[3] * b}));
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& i) {
    const int64_t channel = depth_channel(mode == "DCR", i[1], i[2] % b, i[3] % b, b, depth);
    out[position++] = x[offset_of(x.shape, {i[0], channel, i[2] / b, i[3] / b})];
  });
  return only(std::move(out));
}

Result<Outputs> space_to_depth(const Call& call) {
  OPKIT_TRY(const int64_t b, block_size(call));
  const RefTensor& x = call.input(0);
  const int64_t depth = x.shape[1];
  if (x.shape[2] % b != 0 || x.shape[3] % b != 0) {
    return call.shape_error("blocksize must divide height and width");
  }
  OPKIT_TRY(RefTensor out,
            call.make(x.dtype, Shape{x.shape[0], depth * b * b, x.shape[2] / b, x.shape[3] / b}));
  int64_t position = 0;
  for_each_index(x.shape, [&](const Index& i) {
    const int64_t channel = depth_channel(true, i[1], i[2] % b, i[3] % b, b, depth);
    out[offset_of(out.shape, {i[0], channel, i[2] / b, i[3] / b})] = x[position++];
  });
  return only(std::move(out));
}

// Keeps the elements on or above (upper) or below the k-th diagonal; the others become 0.
Result<Outputs> triangle(const Call& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 64));
  RefTensor out = call.input(0);
  double k = 0;
  if (call.has_input(1)) {
    OPKIT_TRY(k, call.scalar_of(1));
  }
  const bool upper = call.integer("upper", 1) != 0;
  const size_t rank = out.shape.rank();
  int64_t position = 0;
  for_each_index(out.shape, [&](const Index& i) {
    const double diagonal = static_cast<double>(i[rank - 1] - i[rank - 2]);
    if (upper ? diagonal < k : diagonal > k) out[position] = 0;
    ++position;
  });
  return only(std::move(out));
}

// Reverses the first sequence_lens[b] steps of each batch element.
Result<Outputs> reverse_sequence(const Call& call) {
  OPKIT_CHECK(call.require_rank(0, 2, 64));
  const RefTensor& x = call.input(0);
  OPKIT_TRY(const std::vector<int64_t> lengths, call.integers_of(1));
  OPKIT_TRY(const size_t batch, call.axis(call.integer("batch_axis", 1), x.shape.rank()));
  OPKIT_TRY(const size_t time, call.axis(call.integer("time_axis", 0), x.shape.rank()));
  if (batch == time || batch > 1 || time > 1) {
    return call.attribute_error("batch_axis and time_axis must be 0 and 1");
  }
  const bool fits = static_cast<int64_t>(lengths.size()) == x.shape[batch] &&
                    std::all_of(lengths.begin(), lengths.end(),
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

}  // namespace

Operators arrange_operators() {
  using enum AttributeKind;
  return {
      {"Transpose", 1, 1, 1, {{"perm", kIntegers}}, transpose},
      {"Concat", 1, kAnyNumber, 1, {{"axis", kInteger, true}}, concat},
      {"Tile", 2, 2, 1, {}, tile},
      {"DepthToSpace", 1, 1, 1, {{"blocksize", kInteger, true}, {"mode", kText}}, depth_to_space},
      {"SpaceToDepth", 1, 1, 1, {{"blocksize", kInteger, true}}, space_to_depth},
      {"Trilu", 1, 2, 1, {{"upper", kInteger}}, triangle},
      {"ReverseSequence",
       2,
       2,
       1,
       {{"batch_axis", kInteger}, {"time_axis", kInteger}},
       reverse_sequence},
  };
}

}  // namespace opkit::reference
