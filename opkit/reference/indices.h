// Index tensors, checked: what gathering and scattering share.
#ifndef OPKIT_REFERENCE_INDICES_H_
#define OPKIT_REFERENCE_INDICES_H_

#include <vector>

#include "opkit/reference/call.h"

namespace opkit::reference {

// Returns the integers of an input as positions on an axis of that size, or OPK-REF-010.
Result<std::vector<int64_t>> checked_indices(const OperatorCall& call, size_t input, int64_t size);

// Every dim of `indices` but the axis is at most that of `data`.
Status require_inside(const OperatorCall& call, const Shape& indices, const Shape& data,
                      size_t axis);

// Returns how many indices a tuple of input 1 has: its last dim, which must fit input 0's dims from
// `first`.
Result<size_t> tuple_length(const OperatorCall& call, size_t first);

// Index tuples of input 1 into input 0's dims from `first` on.
struct IndexTuples {
  size_t length = 0;  // measures one tuple
  int64_t block = 1;  // elements that one tuple addresses
  // Lead to each tuple's first element, counted from the batch's start.
  std::vector<int64_t> offsets;
};
Result<IndexTuples> read_tuples(const OperatorCall& call, size_t first);

}  // namespace opkit::reference

#endif  // OPKIT_REFERENCE_INDICES_H_
