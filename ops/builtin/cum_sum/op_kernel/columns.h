// Sums along the rows of matrices: columns lie side by side.
#ifndef CUM_SUM_COLUMNS_H_
#define CUM_SUM_COLUMNS_H_

#include "layout.h"
#include "narrowed.h"
#include "running.h"
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
    const uint64_t across = (t.inner + t.width - 1) / t.width;
    const uint64_t first = AscendC::GetBlockIdx() * t.core_units;
    const uint64_t end = layout::Least(t.outer * across, first + t.core_units);
    for (uint64_t unit = first; unit < end; ++unit)
      OneUnit(t, unit / across * t.terms, unit % across * t.width);
  }

 private:
  // row: the first one of the matrix.
  __aicore__ inline void OneUnit(const CumSumTiling& t, uint64_t row, uint64_t column) {
    const auto width = static_cast<uint32_t>(layout::Least(t.width, t.inner - column));
    running_.Begin(width);
    const uint64_t chunks = (t.terms + t.chunk - 1) / t.chunk;
    for (uint64_t i = 0; i < chunks; ++i) {
      const uint64_t term = (t.reverse != 0 ? chunks - 1 - i : i) * t.chunk;
      const auto rows = static_cast<uint32_t>(layout::Least(t.chunk, t.terms - term));
      OneChunk((row + term) * t.inner + column, rows, width, t.inner);
    }
  }

  __aicore__ inline void OneChunk(uint64_t at, uint32_t rows, uint32_t width, uint64_t stride) {
    const uint32_t pitch = layout::UpTo(width, kCumSumBlock);
    const layout::Rows<T> moved(rows, width, stride, pitch);
    AscendC::LocalTensor<T> in = in_.template AllocTensor<T>();
    moved.Load(in, x_[at]);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    const AscendC::LocalTensor<float> values = wide_(in, rows * pitch);
    running_.Take(values, rows, width, pitch);
    AscendC::LocalTensor<T> out = out_.template AllocTensor<T>();
    Narrow(out, values, rows * pitch);
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
  Running running_;
};

#endif  // CUM_SUM_COLUMNS_H_
