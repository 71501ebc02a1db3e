// ONNX models as graphs.
#ifndef OPKIT_REWRITE_ONNX_IMPORT_H_
#define OPKIT_REWRITE_ONNX_IMPORT_H_

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "opkit/graph/graph.h"

namespace opkit::onnx_frontend {

// Error codes of the front end.
inline constexpr const char* kNoModel = "OPK-ONNX-001";  // the bytes are no model or tensor
inline constexpr const char* kUnsupported =
    "OPK-ONNX-002";                                        // external data, subgraphs, strings ...
inline constexpr const char* kBadTensor = "OPK-ONNX-003";  // a tensor does not fit its shape
inline constexpr const char* kBadOpset = "OPK-ONNX-004";   // no version that can be read
inline constexpr const char* kBadInput = "OPK-ONNX-005";   // a stated shape does not fit the model
inline constexpr const char* kNoOutput = "OPK-ONNX-006";   // the model gives nothing
inline constexpr const char* kTooManyNodes = "OPK-ONNX-007";
inline constexpr const char* kBadName = "OPK-ONNX-008";  // a name that is no text

// Versions of the operators that are read as they are. Older models are converted to the first.
inline constexpr int kOldestOpset = 7;
inline constexpr int kNewestOpset = 23;
// Nodes of a model, branches that were taken included.
inline constexpr size_t kMostNodes = 100'000;

struct ImportOptions {
  std::map<std::string, Shape> input_shapes = {};  // of inputs; must fit what the model states
  // Reads every version as it is. For judging the interpreter by old models.
  bool keep_version = false;
  // The model's folder, where tensors may keep their data. Empty: nowhere; import_file states it.
  std::filesystem::path folder = {};
  // Takes nodes of types that no ONNX operator has, too: "AddRelu", "my.ops.AddRelu".
  bool keep_unknown = false;
};

// A model with every name defined once, nodes in order, initializers and Constant nodes as
// constants. A shape with dims that neither the model nor the options fix is not known. What the
// model says of its outputs is in Graph::declared, and nobody has compared it yet. Nothing is
// allocated beyond what the bytes hold. External data, sparse tensors, strings, sequences and
// subgraphs are refused; so are int64 constants beyond 2^53, unless they are bounds of a Slice,
// which ends at the axis anyway.
Result<graph::Graph> import_model(std::string_view bytes, const ImportOptions& options = {});
// Errors name the file.
Result<graph::Graph> import_file(const std::filesystem::path& path,
                                 const ImportOptions& options = {});

// One tensor as test data sets hold it (input_0.pb), with its name.
Result<std::pair<std::string, graph::RefTensor>> read_tensor(std::string_view bytes);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_IMPORT_H_
