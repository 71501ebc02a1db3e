// Private to the rewrites.
#ifndef OPKIT_REWRITE_PASSES_TURNED_H_
#define OPKIT_REWRITE_PASSES_TURNED_H_

#include "opkit/graph/ref_tensor.h"

namespace opkit::passes {

// Returns a matrix whose rows are the given one's columns. REQUIRES: its rank is 2.
graph::RefTensor turned(const graph::RefTensor& matrix);

}  // namespace opkit::passes

#endif  // OPKIT_REWRITE_PASSES_TURNED_H_
