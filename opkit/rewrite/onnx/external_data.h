// The bytes of a tensor that lie in another file beside the model. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_EXTERNAL_DATA_H_
#define OPKIT_REWRITE_ONNX_EXTERNAL_DATA_H_

#include <onnx/onnx_pb.h>

#include <filesystem>
#include <span>

#include "opkit/base/status.h"

namespace opkit::onnx_frontend {

// Fills `bytes` with what the tensor names: a relative path to a regular file inside `folder`, an
// offset, and a length, which must be that of `bytes` where it is stated. Errors: OPK-ONNX-002 a
// path that leads out of the folder or to no file; OPK-ONNX-003 a file that is too short, or a
// length that does not fit. Nothing is read then.
Status read_external(const onnx::TensorProto& proto, const std::filesystem::path& folder,
                     std::span<std::byte> bytes);

// Checks whether read_external can succeed for that many bytes; nothing is allocated.
Status check_external(const onnx::TensorProto& proto, const std::filesystem::path& folder,
                      uint64_t bytes);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_EXTERNAL_DATA_H_
