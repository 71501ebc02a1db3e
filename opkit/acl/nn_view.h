// Elements of a strided view, brought to and from a dense, row-major tensor.
#ifndef OPKIT_ACL_NN_VIEW_H_
#define OPKIT_ACL_NN_VIEW_H_

#include <cstdint>

#include "opkit/acl/nn_object.h"

namespace opkit::acl {

// Bytes from the view's first element to behind its last one; 0 without elements. Nothing when
// that is more than any memory has. REQUIRES: elements have whole bytes.
std::optional<uint64_t> extent_of(const aclTensor& view);

// REQUIRES, of both: the tensor has the view's dtype and shape, and the view's extent is memory.
void gather(const aclTensor& view, Tensor& dense);
// Where elements of the view share their place, the last one stays.
void scatter(const Tensor& dense, const aclTensor& view);

}  // namespace opkit::acl

#endif  // OPKIT_ACL_NN_VIEW_H_
