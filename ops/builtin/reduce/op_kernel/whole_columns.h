// Sums and extremes of integers along dims, which are the rows of matrices: folded row onto row. A
// matrix of one column has rows of one element.
//
//   struct Kind {                                     // says how columns are folded
//     using Whole = int32_t;                          // an element
//     void Init(pipe, t);
//     void Take(in, rows, pitch, first);              // rows, which may be overwritten; the first
//     void End(out, pitch);                           // what has come of all of them
//   };
#ifndef REDUCE_WHOLE_COLUMNS_H_
#define REDUCE_WHOLE_COLUMNS_H_

#include "elementwise_input.h"
#include "layout.h"
#include "reduce_tiling.h"

template <typename Kind>
class WholeColumns {
 public:
  using Whole = typename Kind::Whole;
  using Tensor = AscendC::LocalTensor<Whole>;

  __aicore__ inline void Run(const ReduceTiling& t, GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ Whole*)x);
    y_.SetGlobalBuffer((__gm__ Whole*)y);
    pipe_.InitBuffer(in_, elementwise::kBuffers, t.tile * sizeof(Whole));
    pipe_.InitBuffer(out_, elementwise::kBuffers, t.width * sizeof(Whole));
    kind_.Init(pipe_, t);
    const uint64_t across = (t.inner + t.width - 1) / t.width;
    const uint64_t first = AscendC::GetBlockIdx() * t.core_units;
    const uint64_t end = layout::Least(t.outer * across, first + t.core_units);
    for (uint64_t unit = first; unit < end; ++unit)
      OneUnit(t, unit / across, unit % across * t.width);
  }

 private:
  static constexpr uint32_t kPitch = 32;

  __aicore__ inline void OneUnit(const ReduceTiling& t, uint64_t matrix, uint64_t column) {
    const auto width = static_cast<uint32_t>(layout::Least(t.width, t.inner - column));
    const uint32_t pitch = layout::UpTo(width, kPitch);
    for (uint64_t term = 0; term < t.terms; term += t.chunk) {
      const auto rows = static_cast<uint32_t>(layout::Least(t.chunk, t.terms - term));
      Tensor in = in_.template AllocTensor<Whole>();
      layout::Rows<Whole>(rows, width, t.inner, pitch)
          .Load(in, x_[(matrix * t.terms + term) * t.inner + column]);
      in_.EnQue(in);
      in = in_.template DeQue<Whole>();
      kind_.Take(in, rows, pitch, term == 0);
      in_.FreeTensor(in);
    }
    Tensor out = out_.template AllocTensor<Whole>();
    kind_.End(out, pitch);
    out_.EnQue(out);
    out = out_.template DeQue<Whole>();
    AscendC::DataCopyPad(
        y_[matrix * t.inner + column], out,
        AscendC::DataCopyExtParams{1, static_cast<uint32_t>(width * sizeof(Whole)), 0, 0, 0});
    out_.FreeTensor(out);
  }

  AscendC::TPipe pipe_;
  AscendC::GlobalTensor<Whole> x_, y_;
  AscendC::TQue<AscendC::QuePosition::VECIN, elementwise::kBuffers> in_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, elementwise::kBuffers> out_;
  Kind kind_;
};

#endif  // REDUCE_WHOLE_COLUMNS_H_
