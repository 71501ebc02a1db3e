// What a residual sum of int8 makes of the scaled sums of a convolution: these become whole steps
// of their own, and with an image beside them whole steps of y.
#ifndef QUANT_CONV_ADD_REQUANT_SUM_EPILOGUE_H_
#define QUANT_CONV_ADD_REQUANT_SUM_EPILOGUE_H_

#include "quantized.h"

using namespace AscendC;

// An epilogue of conv.h with a tensor beside the sums.
struct SumEpilogue {
  static constexpr uint32_t kScratch = 2 * sizeof(float);  // bytes for an element
  static constexpr bool kBeside = true;

  float c_offset, c_scale, addend_scale, shift, offset;
  bool relu;

  __aicore__ inline void operator()(const LocalTensor<float>& x,
                                    const LocalTensor<uint8_t>& scratch,
                                    const LocalTensor<int8_t>& addend, uint32_t count) const {
    constexpr float kLeast = -128.0f, kMost = 127.0f;
    // Sums and addends are in other groups of banks.
    constexpr uint32_t kApart = 256;
    const LocalTensor<float> wide = scratch[kApart].ReinterpretCast<float>();
    const LocalTensor<half> narrow = wide[count].ReinterpretCast<half>();
    quantized::Round(x, c_offset, count);
    Maxs(x, x, kLeast, count);
    Mins(x, x, kMost, count);
    Muls(x, x, c_scale, count);
    Cast(narrow, addend, RoundMode::CAST_NONE, count);
    Cast(wide, narrow, RoundMode::CAST_NONE, count);
    Axpy(x, wide, addend_scale, count);
    Adds(x, x, shift, count);
    if (relu) Relu(x, x, count);
    quantized::Round(x, offset, count);
  }
};

#endif  // QUANT_CONV_ADD_REQUANT_SUM_EPILOGUE_H_
