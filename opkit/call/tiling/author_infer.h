// Asks an author's InferShape and InferDataType, and compares what they say with what is known.
#ifndef OPKIT_CALL_TILING_AUTHOR_INFER_H_
#define OPKIT_CALL_TILING_AUTHOR_INFER_H_

#include <optional>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/base/tensor.h"
#include "opkit/call/tiling/author_log.h"
#include "opkit/call/tiling/op_call.h"

namespace opkit {

// One output tensor. What the author has no function for is absent.
struct AuthorOutput {
  std::optional<Shape> shape;
  std::optional<DType> dtype;
};

// Returns one entry per tensor of the call's output ports, in order. Only their number matters;
// input shapes may hold unknown dims. An op without any inference function gives entries without
// values.
Result<std::vector<AuthorOutput>> call_infer(const opk_op_v1& op, const OpCall& call);

// Returns an Error (OPK-TILE-023) that names the first output where the author's inference and
// `expected` differ. An expected dim of -1 matches everything.
Status cross_check(const opk_op_v1& op, const std::vector<AuthorOutput>& author,
                   const std::vector<TensorDesc>& expected);

}  // namespace opkit

#endif  // OPKIT_CALL_TILING_AUTHOR_INFER_H_
