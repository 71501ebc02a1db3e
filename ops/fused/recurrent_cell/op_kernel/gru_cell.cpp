// h_next = n + sigmoid(z) * (h - n) with n = tanh(n of x + sigmoid(r) * n of h).
#include "gates.h"
#include "sigmoid_tanh.h"

using namespace AscendC;

template <typename T, typename Gates>
class GruStep {
 public:
  __aicore__ inline GruStep(TPipe& pipe, const RecurrentCellTiling& t, GM_ADDR h, GM_ADDR b_x,
                            GM_ADDR b_h, GM_ADDR h_next)
      : block_(t.part_rows * t.pitch) {
    h_.SetGlobalBuffer((__gm__ T*)h);
    b_x_.SetGlobalBuffer((__gm__ T*)b_x);
    b_h_.SetGlobalBuffer((__gm__ T*)b_h);
    h_next_.SetGlobalBuffer((__gm__ T*)h_next);
    pipe.InitBuffer(memory_, 4 * block_ * sizeof(float));
  }

  __aicore__ inline void operator()(Gates& gates, const product::Block& block) {
    const uint32_t count = block.elements();
    const LocalTensor<float> state = Part(0), step = Part(1);
    Gate(gates, kReset, block, state);
    LocalTensor<float> sums = gates.OfState(kNew, block);
    gates.Increase(sums, b_h_, kNew, block);
    Mul(state, state, sums, count);
    gates.Free(sums);
    sums = gates.OfInput(kNew, block);
    gates.Increase(sums, b_x_, kNew, block);
    Add(state, state, sums, count);
    gates.Free(sums);
    bend::Tanh(state, step, count);
    Gate(gates, kUpdate, block, step);
    gates.WithState(h_, block, [&](const auto& before) { Sub(Part(2), before, state, count); });
    Mul(step, step, Part(2), count);
    Add(state, state, step, count);
    gates.Save(h_next_, state, block);
  }

 private:
  static constexpr uint32_t kReset = 0, kUpdate = 1, kNew = 2;

  __aicore__ inline void Gate(Gates& gates, uint32_t gate, const product::Block& block,
                              const LocalTensor<float>& to) {
    LocalTensor<float> sums = gates.OfBoth(gate, block);
    gates.Increase(sums, b_x_, gate, block);
    gates.Increase(sums, b_h_, gate, block);
    Muls(to, sums, 1.0f, block.elements());
    gates.Free(sums);
    bend::Sigmoid(to, Part(2), Part(3), false, block.elements());
  }
  __aicore__ inline LocalTensor<float> Part(uint32_t i) { return memory_.Get<float>()[i * block_]; }

  uint32_t block_;
  GlobalTensor<T> h_, b_x_, b_h_, h_next_;
  TBuf<TPosition::VECCALC> memory_;
};

extern "C" __global__ __aicore__ void gru_cell(GM_ADDR x, GM_ADDR h, GM_ADDR w_x, GM_ADDR w_h,
                                               GM_ADDR b_x, GM_ADDR b_h, GM_ADDR h_next,
                                               GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(RecurrentCellTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  using Driven = cell::Gates<DTYPE_X, cell::DrivenSums<DTYPE_X, 3>>;
  using Stored = cell::Gates<DTYPE_X, cell::StoredSums<DTYPE_X, 3>>;
  const cell::Operands operands{x, h, w_x, w_h};
  if (TILING_KEY_IS(0)) {  // the vector cores drive the cube unit
    Driven gates;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), gates.mm, &data.cube);
    gates.Begin(pipe, data, operands, workspace);
    GruStep<DTYPE_X, Driven> step(pipe, data, h, b_x, b_h, h_next);
    gates.Run(step, pipe);
    gates.End();
  } else if (TILING_KEY_IS(1)) {  // cube cores of their own
    Stored gates;
    gates.Begin(pipe, data, operands, workspace);
    if ASCEND_IS_AIV {
      GruStep<DTYPE_X, Stored> step(pipe, data, h, b_x, b_h, h_next);
      gates.Run(step, pipe);
    }
  }
}
