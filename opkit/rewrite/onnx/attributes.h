// Attributes of a model's nodes. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_ATTRIBUTES_H_
#define OPKIT_REWRITE_ONNX_ATTRIBUTES_H_

#include <onnx/onnx_pb.h>

#include <map>
#include <string>

#include "opkit/graph/graph.h"

namespace opkit::onnx_frontend {

// Returns the attributes by name. Errors: OPK-ONNX-002 one that a graph cannot hold; those of
// tensors.
Result<std::map<std::string, graph::Attribute>> attributes_of(const onnx::NodeProto& node);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_ATTRIBUTES_H_
