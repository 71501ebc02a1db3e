// z = act(x + y [+ bias]); bias is one value for all.
#include "add_act_tiling.h"
#include "kernel_operator.h"
#include "tiling_key_add_act.h"

using namespace AscendC;

template <typename T, uint32_t ACT, bool WHOLE_BLOCKS>
class KernelAddAct {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR bias, GM_ADDR z, uint32_t tile) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    z_.SetGlobalBuffer((__gm__ T*)z);
    if (bias != nullptr) {
      GlobalTensor<DTYPE_BIAS> value;
      value.SetGlobalBuffer((__gm__ DTYPE_BIAS*)bias);
      bias_ = static_cast<T>(value.GetValue(0));
    }
    pipe_.InitBuffer(in_, 2, 2 * tile * sizeof(T));
    pipe_.InitBuffer(out_, 2, tile * sizeof(T));
    tile_ = tile;
  }

  __aicore__ inline void Process(uint32_t total) {
    for (uint32_t at = 0; at < total; at += tile_) {
      Step(at, total - at < tile_ ? total - at : tile_);
    }
  }

 private:
  __aicore__ inline void Step(uint32_t at, uint32_t count) {
    LocalTensor<T> in = in_.template AllocTensor<T>();
    Load(in, x_[at], count);
    Load(in[tile_], y_[at], count);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    LocalTensor<T> out = out_.template AllocTensor<T>();
    Add(out, in, in[tile_], count);
    Adds(out, out, bias_, count);
    if constexpr (ACT == ADD_ACT_RELU) {
      static_assert(!IsSameType<T, int32_t>::value, "no build for this");
      Relu(out, out, count);
    }
    in_.FreeTensor(in);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    if constexpr (WHOLE_BLOCKS) {
      DataCopy(z_[at], out, count);
    } else {
      DataCopyPad(z_[at], out,
                  DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
    }
    out_.FreeTensor(out);
  }

  __aicore__ inline void Load(const LocalTensor<T>& to, const GlobalTensor<T>& from,
                              uint32_t count) {
    if constexpr (WHOLE_BLOCKS) {
      DataCopy(to, from, count);
    } else {
      DataCopyPad(to, from, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0},
                  DataCopyPadExtParams<T>{false, 0, 0, 0});
    }
  }

  TPipe pipe_;
  TQue<TPosition::VECIN, 2> in_;
  TQue<TPosition::VECOUT, 2> out_;
  GlobalTensor<T> x_, y_, z_;
  T bias_ = 0;
  uint32_t tile_ = 0;
};

template <typename D_T_X, uint32_t ACT, bool WHOLE_BLOCKS>
__global__ __aicore__ void add_act(GM_ADDR x, GM_ADDR y, GM_ADDR bias, GM_ADDR z, GM_ADDR workspace,
                                   GM_ADDR tiling) {
  REGISTER_TILING_DEFAULT(AddActTilingData);
  GET_TILING_DATA_WITH_STRUCT(AddActTilingData, data, tiling);
  KernelAddAct<D_T_X, ACT, WHOLE_BLOCKS> op;
  op.Init(x, y, bias, z, data.tile);
  op.Process(data.total);
}
