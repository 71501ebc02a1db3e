#include "opkit/rewrite/passes/turned.h"

namespace opkit::passes {

graph::RefTensor turned(const graph::RefTensor& matrix) {
  const int64_t rows = matrix.shape[0], columns = matrix.shape[1];
  graph::RefTensor out{matrix.dtype, Shape{columns, rows}, matrix.values};
  for (int64_t r = 0; r < rows; ++r) {
    for (int64_t c = 0; c < columns; ++c) out[c * rows + r] = matrix[r * columns + c];
  }
  return out;
}

}  // namespace opkit::passes
