// Files that people give in place of a model. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_OTHER_FILES_H_
#define OPKIT_REWRITE_ONNX_OTHER_FILES_H_

#include <optional>
#include <string_view>

#include "opkit/base/status.h"

namespace opkit::onnx_frontend {

// OPK-ONNX-001 for a file that is known to be another one than `what` ("ONNX model"): a pointer of
// git LFS, an archive of PyTorch, a page of a web site and the like, with what to do about it.
std::optional<Error> other_file(std::string_view bytes, std::string_view what);

// OPK-ONNX-001 for bytes that are no `what`, which says what they are where that is known.
Error no_message(std::string_view bytes, std::string_view what);

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_OTHER_FILES_H_
