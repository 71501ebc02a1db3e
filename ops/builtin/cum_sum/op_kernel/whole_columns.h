// Sums of integers along the rows of matrices, in their own type: columns lie side by side.
#ifndef CUM_SUM_WHOLE_COLUMNS_H_
#define CUM_SUM_WHOLE_COLUMNS_H_

#include "layout.h"
#include "units.h"
#include "whole_running.h"

// Kind: WordsRunning or WideRunning.
template <typename Kind>
class WholeColumns {
 public:
  using Whole = typename Kind::Whole;
  using Tensor = AscendC::LocalTensor<Whole>;

  __aicore__ inline void Run(const CumSumTiling& t, GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ Whole*)x);
    y_.SetGlobalBuffer((__gm__ Whole*)y);
    pipe_.InitBuffer(in_, layout::kBuffers, t.chunk * t.width * sizeof(Whole));
    pipe_.InitBuffer(out_, layout::kBuffers, t.chunk * t.width * sizeof(Whole));
    running_.Init(pipe_, t);
    EveryChunk(
        t, [&](uint32_t width) { running_.Begin(width); },
        [&](uint64_t at, uint32_t rows, uint32_t width) { OneChunk(at, rows, width, t.inner); });
  }

 private:
  __aicore__ inline void OneChunk(uint64_t at, uint32_t rows, uint32_t width, uint64_t stride) {
    const uint32_t pitch = layout::UpTo(width, kCumSumBlock);
    const layout::Rows<Whole> moved(rows, width, stride, pitch);
    Tensor in = in_.template AllocTensor<Whole>();
    moved.Load(in, x_[at]);
    in_.EnQue(in);
    in = in_.template DeQue<Whole>();
    Tensor out = out_.template AllocTensor<Whole>();
    running_.Take(out, in, rows, width, pitch);
    in_.FreeTensor(in);
    out_.EnQue(out);
    out = out_.template DeQue<Whole>();
    moved.Store(y_[at], out);
    out_.FreeTensor(out);
  }

  AscendC::TPipe pipe_;
  AscendC::GlobalTensor<Whole> x_, y_;
  AscendC::TQue<AscendC::QuePosition::VECIN, layout::kBuffers> in_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, layout::kBuffers> out_;
  Kind running_;
};

#endif  // CUM_SUM_WHOLE_COLUMNS_H_
