// Bytes as one of ONNX's messages. Private to this folder.
#ifndef OPKIT_REWRITE_ONNX_PARSE_MESSAGE_H_
#define OPKIT_REWRITE_ONNX_PARSE_MESSAGE_H_

#include <limits>
#include <string_view>

#include "opkit/rewrite/onnx/other_files.h"

namespace opkit::onnx_frontend {

// Parses `bytes` of `what`: "ONNX model". Error: OPK-ONNX-001, which says what they are where they
// tell.
template <typename Message>
Result<Message> parse_message(std::string_view bytes, std::string_view what) {
  Message message;
  if (bytes.size() <= static_cast<size_t>(std::numeric_limits<int>::max()) &&
      message.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return message;
  return no_message(bytes, what);
}

}  // namespace opkit::onnx_frontend

#endif  // OPKIT_REWRITE_ONNX_PARSE_MESSAGE_H_
