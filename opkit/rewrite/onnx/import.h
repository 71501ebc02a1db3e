// ONNX models as graphs.
#ifndef OPKIT_REWRITE_ONNX_IMPORT_H_
#define OPKIT_REWRITE_ONNX_IMPORT_H_

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opkit/graph/graph.h"
#include "opkit/rewrite/onnx/import_options.h"

namespace opkit::onnx_frontend {

// Returns a model with every name defined once, nodes in order, initializers and Constant nodes as
// constants. A shape with dims that neither the model nor the options fix is not known. What the
// model says of its outputs is in Graph::declared, and nobody has compared it yet. Nothing is
// allocated beyond what the bytes hold. External data, sparse tensors, strings, sequences and
// subgraphs are refused; so are int64 constants beyond 2^53, unless they are bounds of a Slice,
// which ends at the axis anyway.
Result<graph::Graph> import_model(std::string_view bytes, const ImportOptions& options = {});
// Errors name the file.
Result<graph::Graph> import_file(const std::filesystem::path& path,
                                 const ImportOptions& options = {});

// Returns one tensor as test data sets hold it (input_0.pb), with its name.
Result<std::pair<std::string, graph::RefTensor>> read_tensor(std::string_view bytes);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_IMPORT_H_
