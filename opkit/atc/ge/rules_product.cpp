// Products of matrices.
#include "opkit/atc/ge/emitter.h"

namespace opkit::ge_frontend {
namespace {

Status product(Emitter& emit) {
  const bool turn_left = emit.flag("transpose_x1"), turn_right = emit.flag("transpose_x2");
  const std::string left = emit.in("x1"), right = emit.in("x2"), bias = emit.in("bias");
  if (turn_left || turn_right) {
    std::vector<std::string> inputs = {left, right};
    if (!bias.empty()) inputs.push_back(bias);
    return emit.result("Gemm", std::move(inputs),
                       {{"transA", int64_t{turn_left}}, {"transB", int64_t{turn_right}}});
  }
  if (bias.empty()) return emit.result("MatMul", {left, right});
  return emit.result("Add", {emit.inner("MatMul", {left, right}), bias});
}

Status product_v2(Emitter& emit) {
  OPKIT_CHECK(emit.only("offset_x", int64_t{0}));
  if (!emit.in("offset_w").empty())
    return emit.refuse("offset_w of quantized weights is not compiled", "leave it out");
  return product(emit);
}

Status batch_product(Emitter& emit) {
  for (const char* attribute : {"adj_x1", "adj_x2"}) {
    if (emit.flag(attribute))
      return emit.refuse(std::string(attribute) + " is true", "put an op::TransposeD in front");
  }
  return emit.result("MatMul", {emit.in("x1"), emit.in("x2")});
}

}  // namespace

Rules product_rules() {
  return {{"MatMul", product}, {"MatMulV2", product_v2}, {"BatchMatMul", batch_product}};
}

}  // namespace opkit::ge_frontend
