// Elements of a strided view, brought to and from a dense, row-major tensor.
#ifndef OPKIT_ACL_NN_NN_VIEW_H_
#define OPKIT_ACL_NN_NN_VIEW_H_

#include <cstdint>
#include <optional>

#include "opkit/acl/nn/nn_object.h"

namespace opkit::acl {

// Elements from the storage's first one to behind the view's last one; 0 without elements. Nothing
// when that is more than any memory has.
std::optional<uint64_t> reach_of(const aclTensor& view);

// Returns the bytes from the view's first element to behind its last one. REQUIRES: elements have
// whole bytes, and no more of them than memory has.
uint64_t extent_of(const aclTensor& view);

// Tells whether elements lie, or by their strides may lie, where others of the view do: a stride is
// 0, or no greater than what the smaller ones reach. REQUIRES: the view's reach is known.
bool shares_places(const aclTensor& view);

// REQUIRES, of both: the tensor has the view's dtype and shape, and the view's extent is memory.
void gather(const aclTensor& view, Tensor& dense);
// REQUIRES, too: the view's elements share no places.
void scatter(const Tensor& dense, const aclTensor& view);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_NN_VIEW_H_
