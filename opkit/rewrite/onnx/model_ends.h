// Inputs and outputs of a model. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_MODEL_ENDS_H_
#define OPKIT_REWRITE_ONNX_MODEL_ENDS_H_

#include <onnx/onnx_pb.h>

#include "opkit/graph/graph.h"
#include "opkit/rewrite/onnx/import_options.h"

namespace opkit::onnx_frontend {

// Adds the inputs to the graph; one that is an initializer, too, is a constant. REQUIRES: the graph
// has the initializers. Errors: OPK-ONNX-002 what is no tensor of a known type; -003 dims whose
// bytes nobody can count; -005 shapes of the options that do not fit.
Status take_inputs(const onnx::GraphProto& proto, const ImportOptions& options,
                   graph::Graph& graph);

// Adds the outputs and what the model says of them. Errors: OPK-ONNX-002; -006 there are none.
Status take_outputs(const onnx::GraphProto& proto, graph::Graph& graph);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_MODEL_ENDS_H_
