// A model's file as ONNX's message, judged as far as the message alone tells. Private to this
// folder.
#ifndef OPKIT_REWRITE_ONNX_READ_MODEL_H_
#define OPKIT_REWRITE_ONNX_READ_MODEL_H_

#include <onnx/onnx_pb.h>

#include <string_view>

#include "opkit/base/status.h"

namespace opkit::onnx_frontend {

// Returns the model, whose operators have a version that is read; older ones are converted unless
// `keep_version`. Errors: OPK-ONNX-001 the bytes are no model, or have no graph; -004 a version of
// the format or of the operators that nobody reads; -007 too many nodes; -008 names that are no
// text.
Result<onnx::ModelProto> read_model(std::string_view bytes, bool keep_version);

// OPK-ONNX-007: more nodes than a model may have.
Status check_node_count(size_t nodes);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_READ_MODEL_H_
