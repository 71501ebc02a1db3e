// Names of a model are text. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_CHECK_NAMES_H_
#define OPKIT_REWRITE_ONNX_CHECK_NAMES_H_

#include <onnx/onnx_pb.h>

#include "opkit/base/status.h"

namespace opkit::onnx_frontend {

// OPK-ONNX-008: the name of a tensor, a node, an operator or an attribute is no UTF-8, in the graph
// or in a graph inside it.
Status check_names(const onnx::GraphProto& graph);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_CHECK_NAMES_H_
