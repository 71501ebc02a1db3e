// Double: an op written in place, y = 2x, 64 elements per block.
#ifndef OPKIT_TESTS_UNIT_CALL_PLAN_DOUBLE_OP_H_
#define OPKIT_TESTS_UNIT_CALL_PLAN_DOUBLE_OP_H_

#include <utility>

#include "opkit/include/kernel_operator.h"
#include "tests/prepared_call.h"

namespace opkit {

inline constexpr const char* kDouble = R"(
op: Double
version: "1.0.0"
inputs:
  x: {dtype: T, shape: [N], format: ND}
outputs:
  y: {dtype: T, shape: [N], format: ND}
types:
  T: [float32]
where:
  C1: {rule: "N % 64 == 0", why: "the kernel copies whole tiles"}
reference:
  - {op: Add, in: [x, x], out: y}
soc: [Ascend910B]
kernel: {entry: double, task_type: aiv_only}
)";

// y = 2x, 64 elements per block.
inline void double_kernel(opk_core* core, void* const* args) {
  using namespace AscendC;
  detail::current = core;
  const uint32_t start = 64 * static_cast<uint32_t>(GetBlockIdx());
  GlobalTensor<float> x, y;
  x.SetGlobalBuffer(static_cast<float*>(args[0]) + start, 64);
  y.SetGlobalBuffer(static_cast<float*>(args[1]) + start, 64);
  LocalTensor<float> tile(TPosition::VECCALC, 0, 64);
  DataCopy(tile, x, 64);
  Add(tile, tile, tile, 64);
  DataCopy(y, tile, 64);
}

inline int32_t tile_by_64(const opk_call_v1* call, opk_tiling_v1* tiling) {
  tiling->block_dim = static_cast<uint32_t>(call->inputs[0]->tensors[0]->dims[0] / 64);
  return OPK_OK;
}

struct Op {
  explicit Op(opk_kernel_fn body, const char* text = kDouble)
      : contract(OpContract::parse(text, "op_contract.yaml").value()) {
    kernel.struct_size = sizeof kernel;
    kernel.column = OPK_ANY_COLUMN;
    kernel.tiling_key = OPK_ANY_TILING_KEY;
    kernel.name = "double";
    kernel.task_type = OPK_TASK_AIV_ONLY;
    kernel.aiv = body;
    op.struct_size = sizeof op;
    op.type = "Double";
    op.tile = tile_by_64;
    op.kernel_count = body ? 1 : 0;
    op.kernels = kernels;
  }

  OpCallOnTables request(int64_t n) const {
    Tensor x(DType::kFloat32, Shape{n});
    for (int64_t i = 0; i < n; ++i) x.as<float>()[static_cast<size_t>(i)] = float(i);
    OpCallOnTables request;
    request.contract = &contract;
    request.op = &op;
    request.inputs = {PortTensors{std::move(x)}};
    return request;
  }

  OpContract contract;
  opk_kernel_v1 kernel{};
  const opk_kernel_v1* kernels[1] = {&kernel};
  opk_op_v1 op{};
};

inline const SocSpec& soc() { return *find_soc("Ascend910B1").value().spec; }

}  // namespace opkit

#endif  // OPKIT_TESTS_UNIT_CALL_PLAN_DOUBLE_OP_H_
