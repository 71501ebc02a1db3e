// The kernel of an op that says where the most extreme element along a dim lies:
//
//   SEARCH_OP(arg_max, true)
//
// The entry's name, and whether the largest element is meant.
#ifndef ARG_EXTREME_SEARCH_H_
#define ARG_EXTREME_SEARCH_H_

#include "layout.h"
#include "wait_for.h"
#include "widened.h"
#include "winners.h"

namespace search {

template <bool kLargest, typename T>
class Searcher {
 public:
  __aicore__ inline void Run(const SearchTiling& t, GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ int64_t*)y);
    const uint32_t pitch = layout::UpTo(t.width, kSearchRepeat);
    pipe_.InitBuffer(in_, layout::kBuffers, t.tile * sizeof(T));
    wide_.Init(pipe_, t.tile);
    pipe_.InitBuffer(out_, layout::kBuffers,
                     (pitch > kSearchResults ? pitch : kSearchResults) * sizeof(int64_t));
    winners_.Init(pipe_, pitch, t.last != 0);
    if (t.inner == 1) {
      Rows(t);
    } else {
      Columns(t);
    }
  }

 private:
  __aicore__ inline void Columns(const SearchTiling& t) {
    const uint64_t across = (t.inner + t.width - 1) / t.width;
    const uint64_t first = GetBlockIdx() * t.core_units;
    const uint64_t end = layout::Least(t.outer * across, first + t.core_units);
    for (uint64_t unit = first; unit < end; ++unit) {
      const uint64_t matrix = unit / across, column = unit % across * t.width;
      const auto width = static_cast<uint32_t>(layout::Least(t.width, t.inner - column));
      for (uint64_t term = 0; term < t.terms; term += t.chunk)
        Lines((matrix * t.terms + term) * t.inner + column, t.inner, width, term,
              layout::Least(t.chunk, t.terms - term));
      LocalTensor<int64_t> out = out_.template AllocTensor<int64_t>();
      Cast(out, winners_.Places(), RoundMode::CAST_NONE, width);
      Store(out, matrix * t.inner + column, width);
    }
  }

  __aicore__ inline void Rows(const SearchTiling& t) {
    const uint64_t first = GetBlockIdx() * t.core_units;
    const uint64_t end = layout::Least(t.outer, first + t.core_units);
    for (uint64_t row = first; row < end; row += kSearchResults) {
      const auto rows = static_cast<uint32_t>(layout::Least(kSearchResults, end - row));
      LocalTensor<int64_t> out = out_.template AllocTensor<int64_t>();
      WaitFor<HardEvent::MTE3_S>();  // the results before are stored
      for (uint32_t i = 0; i < rows; ++i) out.SetValue(i, Row(t, row + i));
      WaitFor<HardEvent::S_MTE3>();
      Store(out, row, rows);
    }
  }

  // Where the winner of a row lies.
  __aicore__ inline int64_t Row(const SearchTiling& t, uint64_t row) {
    const uint64_t lines = t.terms / t.width, begin = row * t.terms;
    for (uint64_t line = 0; line < lines; line += t.chunk)
      Lines(begin + line * t.width, t.width, t.width, line, layout::Least(t.chunk, lines - line));
    const uint64_t rest = t.terms - t.width;  // where the line begins that ends with the row
    if (lines * t.width < t.terms) Lines(begin + rest, t.width, t.width, lines, 1);
    WaitFor<HardEvent::V_S>();
    const int64_t place = winners_.Best(t.width, [&](uint64_t line, uint32_t column) {
      return static_cast<int64_t>((line < lines ? line * t.width : rest) + column);
    });
    WaitFor<HardEvent::S_V>();
    return place;
  }

  // Lines `term` and following of a search, from place `at` of x on.
  __aicore__ inline void Lines(uint64_t at, uint64_t stride, uint32_t width, uint64_t term,
                               uint64_t lines) {
    const uint32_t pitch = layout::UpTo(width, kSearchRepeat);
    const auto count = static_cast<uint32_t>(lines);
    LocalTensor<T> in = in_.template AllocTensor<T>();
    layout::Rows<T>(count, width, stride, pitch).Load(in, x_[at]);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    const LocalTensor<float> values = wide_(in, count * pitch);
    for (uint32_t i = 0; i < count; ++i)
      winners_.Take(values[i * pitch], static_cast<int32_t>(term + i), pitch);
    in_.FreeTensor(in);
  }

  __aicore__ inline void Store(LocalTensor<int64_t> out, uint64_t at, uint32_t count) {
    out_.EnQue(out);
    out = out_.template DeQue<int64_t>();
    DataCopyPad(y_[at], out,
                DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(int64_t)), 0, 0, 0});
    out_.FreeTensor(out);
  }

  TPipe pipe_;
  GlobalTensor<T> x_;
  GlobalTensor<int64_t> y_;
  TQue<QuePosition::VECIN, layout::kBuffers> in_;
  TQue<QuePosition::VECOUT, layout::kBuffers> out_;
  Widened<T> wide_;
  Winners<kLargest> winners_;
};

}  // namespace search

#define SEARCH_OP(entry, largest)                                                      \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                        \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                    \
    REGISTER_TILING_DEFAULT(SearchTiling);                                             \
    GET_TILING_DATA(data, tiling);                                                     \
    search::Searcher<largest, DTYPE_X> op;                                             \
    op.Run(data, x, y);                                                                \
  }

#endif  // ARG_EXTREME_SEARCH_H_
