#include "opkit/reference/indices.h"

#include "opkit/reference/index.h"

namespace opkit::reference {
namespace {

Result<int64_t> checked(const OperatorCall& call, int64_t index, int64_t size) {
  if (index >= -size && index < size) return index < 0 ? index + size : index;
  return call.error(kBadIndex,
                    "index " + std::to_string(index) + " on an axis of " + std::to_string(size),
                    "give indices within the axis");
}

}  // namespace

Result<std::vector<int64_t>> checked_indices(const OperatorCall& call, size_t input, int64_t size) {
  OPKIT_TRY(std::vector<int64_t> indices, call.integers_of(input));
  for (int64_t& index : indices) {
    OPKIT_TRY(index, checked(call, index, size));
  }
  return indices;
}

Status require_inside(const OperatorCall& call, const Shape& indices, const Shape& data,
                      size_t axis) {
  bool fits = indices.rank() == data.rank();
  for (size_t d = 0; fits && d < data.rank(); ++d) fits = d == axis || indices[d] <= data[d];
  if (fits) return {};
  return call.shape_error("indices " + indices.to_string() + " do not fit " + data.to_string());
}

Result<size_t> tuple_length(const OperatorCall& call, size_t first) {
  const Shape &data = call.input(0).shape, &shape = call.input(1).shape;
  const size_t length = static_cast<size_t>(shape.rank() == 0 ? 0 : shape[shape.rank() - 1]);
  if (length >= 1 && length <= data.rank() - first) return length;
  return call.shape_error("index tuples of " + shape.to_string() + " do not fit " +
                          data.to_string());
}

Result<IndexTuples> read_tuples(const OperatorCall& call, size_t first) {
  const Shape& data = call.input(0).shape;
  IndexTuples tuples;
  OPKIT_TRY(tuples.length, tuple_length(call, first));
  OPKIT_TRY(const std::vector<int64_t> indices, call.integers_of(1));
  tuples.block = product(data, first + tuples.length, data.rank());
  for (size_t start = 0; start < indices.size(); start += tuples.length) {
    int64_t offset = 0;
    for (size_t d = 0; d < tuples.length; ++d) {
      OPKIT_TRY(const int64_t index, checked(call, indices[start + d], data[first + d]));
      offset = offset * data[first + d] + index;
    }
    tuples.offsets.push_back(offset * tuples.block);
  }
  return tuples;
}

}  // namespace opkit::reference
