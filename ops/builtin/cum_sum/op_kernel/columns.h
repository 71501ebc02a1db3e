// Sums along the rows of matrices: columns lie side by side.
#ifndef CUM_SUM_COLUMNS_H_
#define CUM_SUM_COLUMNS_H_

#include "layout.h"
#include "narrowed.h"
#include "running.h"
#include "units.h"
#include "widened.h"

template <typename T>
class Columns {
 public:
  __aicore__ inline void Run(const CumSumTiling& t, GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe_.InitBuffer(in_, layout::kBuffers, t.chunk * t.width * sizeof(T));
    pipe_.InitBuffer(out_, layout::kBuffers, t.chunk * t.width * sizeof(T));
    wide_.Init(pipe_, t.chunk * t.width);
    running_.Init(pipe_, t, t.width);
    EveryChunk(
        t, [&](uint32_t width) { running_.Begin(width); },
        [&](uint64_t at, uint32_t rows, uint32_t width) { OneChunk(at, rows, width, t.inner); });
  }

 private:
  __aicore__ inline void OneChunk(uint64_t at, uint32_t rows, uint32_t width, uint64_t stride) {
    const uint32_t pitch = layout::UpTo(width, kCumSumBlock);
    const layout::Rows<T> moved(rows, width, stride, pitch);
    AscendC::LocalTensor<T> in = in_.template AllocTensor<T>();
    moved.Load(in, x_[at]);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    const AscendC::LocalTensor<float> values = wide_(in, rows * pitch);
    running_.Take(values, rows, pitch);
    AscendC::LocalTensor<T> out = out_.template AllocTensor<T>();
    running_.Leave([&](uint32_t line, const AscendC::LocalTensor<float>& sums, uint32_t lines) {
      Narrow(out[line * pitch], sums, lines * pitch);
    });
    in_.FreeTensor(in);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    moved.Store(y_[at], out);
    out_.FreeTensor(out);
  }

  AscendC::TPipe pipe_;
  AscendC::GlobalTensor<T> x_, y_;
  AscendC::TQue<AscendC::QuePosition::VECIN, layout::kBuffers> in_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, layout::kBuffers> out_;
  Widened<T> wide_;
  Running<float> running_;
};

#endif  // CUM_SUM_COLUMNS_H_
