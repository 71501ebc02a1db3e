// Constants joined and cut along an axis. Private to this folder.
#ifndef OPKIT_REWRITE_VARIANTS_TENSOR_PARTS_H_
#define OPKIT_REWRITE_VARIANTS_TENSOR_PARTS_H_

#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::variants {

// REQUIRES: at least one; dims agree but for those of the axis.
graph::RefTensor joined(const std::vector<const graph::RefTensor*>& parts, size_t axis);

// Returns the elements from `begin` on, `count` of them along the axis.
graph::RefTensor cut(const graph::RefTensor& whole, size_t axis, int64_t begin, int64_t count);

}  // namespace opkit::variants

#endif  // OPKIT_REWRITE_VARIANTS_TENSOR_PARTS_H_
