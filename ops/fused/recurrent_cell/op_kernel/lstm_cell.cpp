// c_next = sigmoid(f) * c + sigmoid(i) * tanh(g), h_next = sigmoid(o) * tanh(c_next).
#include "gates.h"
#include "sigmoid_tanh.h"

using namespace AscendC;

template <typename T, typename Gates>
class LstmStep {
 public:
  __aicore__ inline LstmStep(TPipe& pipe, const RecurrentCellTiling& t, GM_ADDR c, GM_ADDR bias,
                             GM_ADDR h_next, GM_ADDR c_next)
      : has_bias_(t.has_bias != 0), block_(t.part_rows * t.pitch) {
    c_.SetGlobalBuffer((__gm__ T*)c);
    bias_.SetGlobalBuffer((__gm__ T*)bias);
    h_next_.SetGlobalBuffer((__gm__ T*)h_next);
    c_next_.SetGlobalBuffer((__gm__ T*)c_next);
    pipe.InitBuffer(memory_, 4 * block_ * sizeof(float));
  }

  __aicore__ inline void operator()(Gates& gates, const product::Block& block) {
    const uint32_t count = block.elements();
    const LocalTensor<float> state = Part(0), taken = Part(1);
    OneGate(gates, kInput, block, [&](const auto& sums) {
      Bend(sums, count);
      Muls(taken, sums, 1.0f, count);
    });
    OneGate(gates, kCell, block, [&](const auto& sums) {
      bend::Tanh(sums, Part(2), count);
      Mul(taken, taken, sums, count);
    });
    OneGate(gates, kForget, block, [&](const auto& sums) {
      Bend(sums, count);
      gates.WithState(c_, block, [&](const auto& before) { Mul(state, sums, before, count); });
    });
    Add(state, state, taken, count);
    gates.Save(c_next_, state, block);
    bend::Tanh(state, taken, count);
    OneGate(gates, kOutput, block, [&](const auto& sums) {
      Bend(sums, count);
      Mul(state, state, sums, count);
    });
    gates.Save(h_next_, state, block);
  }

 private:
  static constexpr uint32_t kInput = 0, kForget = 1, kCell = 2, kOutput = 3;

  template <typename Call>
  __aicore__ inline void OneGate(Gates& gates, uint32_t gate, const product::Block& block,
                                 const Call& call) {
    LocalTensor<float> sums = gates.OfBoth(gate, block);
    if (has_bias_) gates.Increase(sums, bias_, gate, block);
    call(sums);
    gates.Free(sums);
  }
  __aicore__ inline void Bend(const LocalTensor<float>& sums, uint32_t count) {
    bend::Sigmoid(sums, Part(2), Part(3), false, count);
  }
  __aicore__ inline LocalTensor<float> Part(uint32_t i) { return memory_.Get<float>()[i * block_]; }

  bool has_bias_;
  uint32_t block_;
  GlobalTensor<T> c_, bias_, h_next_, c_next_;
  TBuf<TPosition::VECCALC> memory_;
};

extern "C" __global__ __aicore__ void lstm_cell(GM_ADDR x, GM_ADDR h, GM_ADDR c, GM_ADDR w_x,
                                                GM_ADDR w_h, GM_ADDR bias, GM_ADDR h_next,
                                                GM_ADDR c_next, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(RecurrentCellTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  using Driven = cell::Gates<DTYPE_X, cell::DrivenSums<DTYPE_X, 4>>;
  using Stored = cell::Gates<DTYPE_X, cell::StoredSums<DTYPE_X, 4>>;
  const cell::Operands operands{x, h, w_x, w_h};
  if (TILING_KEY_IS(0)) {  // the vector cores drive the cube unit
    Driven gates;
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), gates.mm, &data.cube);
    gates.Begin(pipe, data, operands, workspace);
    LstmStep<DTYPE_X, Driven> step(pipe, data, c, bias, h_next, c_next);
    gates.Run(step, pipe);
    gates.End();
  } else if (TILING_KEY_IS(1)) {  // cube cores of their own
    Stored gates;
    gates.Begin(pipe, data, operands, workspace);
    if ASCEND_IS_AIV {
      LstmStep<DTYPE_X, Stored> step(pipe, data, c, bias, h_next, c_next);
      gates.Run(step, pipe);
    }
  }
}
