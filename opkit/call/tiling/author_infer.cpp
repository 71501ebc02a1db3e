#include "opkit/call/tiling/author_infer.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit {
namespace {

using InferFunction = int32_t (*)(const opk_call_v1*, opk_inferred_v1* const*);

// The buffers that an inference function fills.
struct Answer {
  explicit Answer(size_t outputs) : rows(outputs) {
    for (opk_inferred_v1& row : rows) {
      row = {};
      row.struct_size = sizeof row;
      row.dtype = OPK_DTYPE_UNDEFINED;
      pointers.push_back(&row);
    }
  }
  std::vector<opk_inferred_v1> rows;
  std::vector<opk_inferred_v1*> pointers;
};

size_t output_tensors(const OpCall& call) {
  size_t count = 0;
  for (const CallPort& port : call.outputs) count += port.tensors.size();
  return count;
}

Result<Answer> ask(InferFunction function, const opk_op_v1& op, const OpCall& call,
                   const char* name) {
  AuthorLog log;
  const AbiCall abi(call, nullptr, log.report());
  Answer answer(output_tensors(call));
  const int32_t code = function(abi.get(), answer.pointers.data());
  if (code != OPK_OK) return author_error(code, op.type, name, log);
  return answer;
}

Result<Shape> shape_of(const opk_inferred_v1& row, size_t index, const char* type) {
  if (row.rank > OPK_MAX_DIMS) {
    return Error("OPK-TILE-021",
                 fmt::format("InferShape gave output {} {} dims, at most {} exist", index, row.rank,
                             OPK_MAX_DIMS),
                 "set the dims with SetDimNum and SetDim")
        .of(type);
  }
  Shape shape(std::vector<int64_t>(row.dims, row.dims + row.rank));
  for (int64_t dim : shape.dims()) {
    if (dim >= kUnknownDim || !shape.has_rank()) continue;
    return Error("OPK-TILE-021",
                 fmt::format("InferShape gave output {} the shape {}, a dim is negative", index,
                             shape.to_string()),
                 "use -1 for an unknown dim")
        .of(type);
  }
  return shape;
}

Status read_shapes(const opk_op_v1& op, const OpCall& call, std::vector<AuthorOutput>& outputs) {
  if (!op.infer_shape) return {};
  OPKIT_TRY(const Answer answer, ask(op.infer_shape, op, call, "the InferShape function"));
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (answer.rows[i].rank == OPK_RANK_UNSAID) continue;
    OPKIT_TRY(outputs[i].shape, shape_of(answer.rows[i], i, op.type));
  }
  return {};
}

Status read_dtypes(const opk_op_v1& op, const OpCall& call, std::vector<AuthorOutput>& outputs) {
  if (!op.infer_dtype) return {};
  OPKIT_TRY(const Answer answer, ask(op.infer_dtype, op, call, "the InferDataType function"));
  for (size_t i = 0; i < outputs.size(); ++i) {
    const DType dtype = static_cast<DType>(answer.rows[i].dtype);
    const auto& known = all_dtypes();
    if (std::find(known.begin(), known.end(), dtype) == known.end()) {
      return Error("OPK-TILE-022",
                   fmt::format("InferDataType left output {} without a supported type (number {})",
                               i, answer.rows[i].dtype),
                   "call SetOutputDataType for every output; with --out-shape for every output "
                   "opkit run does not ask the function")
          .of(op.type);
    }
    outputs[i].dtype = dtype;
  }
  return {};
}

bool agree(const Shape& author, const Shape& expected) {
  if (!expected.has_rank()) return true;
  if (author.rank() != expected.rank()) return false;
  for (size_t i = 0; i < author.rank(); ++i) {
    if (expected[i] != kUnknownDim && author[i] != expected[i]) return false;
  }
  return true;
}

}  // namespace

Result<std::vector<AuthorOutput>> call_infer(const opk_op_v1& op, const OpCall& call) {
  OPKIT_CHECK(check_call(call, false));
  std::vector<AuthorOutput> outputs(output_tensors(call));
  OPKIT_CHECK(read_shapes(op, call, outputs));
  OPKIT_CHECK(read_dtypes(op, call, outputs));
  return outputs;
}

Status cross_check(const opk_op_v1& op, const std::vector<AuthorOutput>& author,
                   const std::vector<TensorDesc>& expected) {
  const auto differ = [&](std::string what) {
    return Error("OPK-TILE-023", std::move(what),
                 "correct the author's function or the contract, whichever is wrong")
        .of(op.type);
  };
  if (author.size() != expected.size()) {
    return differ(fmt::format("inference gave {} outputs, the contract has {}", author.size(),
                              expected.size()));
  }
  for (size_t i = 0; i < author.size(); ++i) {
    if (author[i].shape && !agree(*author[i].shape, expected[i].shape)) {
      return differ(fmt::format("output '{}': InferShape says {}, the contract says {}",
                                expected[i].name, author[i].shape->to_string(),
                                expected[i].shape.to_string()));
    }
    if (author[i].dtype && *author[i].dtype != expected[i].dtype) {
      return differ(fmt::format("output '{}': InferDataType says {}, the contract says {}",
                                expected[i].name, name_of(*author[i].dtype),
                                name_of(expected[i].dtype)));
    }
  }
  return {};
}

}  // namespace opkit
