// y = InitValue + the sum of x's rows (doubled with key 20), one row per block, added up in GM.
#include "../row_math/row_math.h"
#include "kernel_operator.h"

#define PLAIN_KEY 10
#define TWICE_KEY 20UL

using namespace AscendC;

extern "C" __global__ __aicore__ void column_total(GM_ADDR x, GM_ADDR y, GM_ADDR workspace,
                                                   GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  TQue<TPosition::VECIN, 1> in;
  TQue<TPosition::VECOUT, 1> out;
  pipe.InitBuffer(in, 1, kRowElements * sizeof(float));
  pipe.InitBuffer(out, 1, kRowElements * sizeof(float));
  GlobalTensor<float> from, to;
  from.SetGlobalBuffer((__gm__ float*)x);
  to.SetGlobalBuffer((__gm__ float*)y);
  LocalTensor<float> row = in.AllocTensor<float>();
  DataCopy(row, from[data.offset + GetBlockIdx() * kRowElements], kRowElements);
  in.EnQue(row);
  row = in.DeQue<float>();
  LocalTensor<float> weighed = out.AllocTensor<float>();
  // Scalar code of a kernel; it adds nothing. INT_MAX is the kernel's own.
  constexpr int32_t INT_MAX = 2147483647;
  const float nothing = data.offset < INT_MAX ? sqrt(0.0f) * FLT_MAX : INFINITY;
  Adds(weighed, row, nothing, kRowElements);
  in.FreeTensor(row);
#if TILING_KEY_VAR == TWICE_KEY
  static_assert(sizeof(data.twice_only) == 8, "the tiling data of key 20");
  static_assert(sizeof(data.pads) == 20, "the array of key 20");
#endif
  if constexpr (TILING_KEY_IS(TWICE_KEY)) {
    Weigh<true>(weighed);
  } else if (TILING_KEY_IS(PLAIN_KEY)) {
    Weigh<false>(weighed);
  }
  out.EnQue(weighed);
  weighed = out.DeQue<float>();
  SetAtomicAdd<float>();
  DataCopy(to, weighed, kRowElements);
  SetAtomicNone();
  out.FreeTensor(weighed);
}

#ifdef __CCE_KT_TEST__
#error "this is the chip's build, not the vendor's CPU debugging"
#else
// How the vendor's samples launch the kernel from a program.
void column_total_do(uint32_t blocks, void* stream, uint8_t* x, uint8_t* y, uint8_t* workspace,
                     uint8_t* tiling) {
  // clang-format off
  column_total<<<blocks, nullptr, stream>>>(x, y, workspace, tiling);
}
#endif
