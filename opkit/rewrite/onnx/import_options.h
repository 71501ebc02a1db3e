// What reading ONNX models takes and refuses: error codes, versions, sizes, and what the caller may
// choose.
#ifndef OPKIT_REWRITE_ONNX_IMPORT_OPTIONS_H_
#define OPKIT_REWRITE_ONNX_IMPORT_OPTIONS_H_

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>

#include "opkit/base/shape.h"

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
inline constexpr const char* kBadName = "OPK-ONNX-008";   // a name that is no text
inline constexpr const char* kTooLarge = "OPK-ONNX-009";  // more bytes than a file may have

// Versions of the operators that are read as they are. Older models are converted to the first.
inline constexpr int kOldestOpset = 7;
inline constexpr int kNewestOpset = 23;
// Nodes of a model, branches that were taken included.
inline constexpr size_t kMostNodes = 100'000;

struct ImportOptions {
  std::map<std::string, Shape> input_shapes = {};  // has to fit what the model states
  // Reads every version as it is. For judging the interpreter by old models.
  bool keep_version = false;
  // The model's folder, where tensors may keep their data. Empty: nowhere; import_file states it.
  std::filesystem::path folder = {};
  // Takes nodes of types that no ONNX operator has, too: "AddRelu", "my.ops.AddRelu".
  bool keep_unknown = false;
};

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_IMPORT_OPTIONS_H_
