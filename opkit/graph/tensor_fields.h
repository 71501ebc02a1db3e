// A tensor of exact values as bytes (opkit/base/wire.h).
#ifndef OPKIT_GRAPH_TENSOR_FIELDS_H_
#define OPKIT_GRAPH_TENSOR_FIELDS_H_

#include "opkit/base/wire.h"
#include "opkit/graph/ref_tensor.h"

namespace opkit::graph {

template <typename Archive>
void fields(Archive& archive, RefTensor& tensor) {
  archive.number(tensor.dtype);
  archive(tensor.shape.dims(), tensor.values);
}

}  // namespace opkit::graph

#endif  // OPKIT_GRAPH_TENSOR_FIELDS_H_
