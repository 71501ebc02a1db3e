// The kernel of an op that makes one number of all elements along dims:
//
//   REDUCE_OP(reduce_l2, kSum)
//   ELEMENT { Mul(x, x, x, count); }
//   FINISH { Sqrt(number, number, count); }
//
// The entry's name, and how elements are brought together; what an element is first, in x, and what
// becomes of the numbers, of which there are `count`, each of `terms` elements. A formula that
// brings them together otherwise has REDUCE_ENTRY, with a kernel for the rows of a matrix.
#ifndef REDUCE_REDUCE_H_
#define REDUCE_REDUCE_H_

#include "layout.h"
#include "one_number.h"
#include "reduce_tiling.h"
#include "whole_columns.h"
#include "whole_kinds.h"
#include "widened.h"

using namespace AscendC;

// The lower half of the rows onto the upper one until one row is left.
template <typename Formula>
__aicore__ inline void FoldRows(const LocalTensor<float>& x, uint32_t rows, uint32_t pitch) {
  while (rows > 1) {
    const uint32_t half = rows / 2;
    Formula::Bring(x, x, x[(rows - half) * pitch], half * pitch);
    rows -= half;
  }
}

// Columns of a matrix, folded row onto row.
template <typename Formula, typename T>
class Columns {
 public:
  __aicore__ inline void Run(const Formula& formula, const ReduceTiling& t, GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pipe_.InitBuffer(in_, elementwise::kBuffers, t.tile * sizeof(T));
    pipe_.InitBuffer(out_, elementwise::kBuffers, t.width * sizeof(T));
    wide_.Init(pipe_, t.tile);
    pipe_.InitBuffer(number_, t.width * sizeof(float));
    const uint64_t across = (t.inner + t.width - 1) / t.width;
    const uint64_t first = GetBlockIdx() * t.core_units;
    const uint64_t end = layout::Least(t.outer * across, first + t.core_units);
    for (uint64_t unit = first; unit < end; ++unit)
      OneUnit(formula, t, unit / across, unit % across * t.width);
  }

 private:
  static constexpr bool kWidens = Widened<T>::kCasts;
  static constexpr uint32_t kPitch = 32;  // rows of every type begin a block

  __aicore__ inline void OneUnit(const Formula& formula, const ReduceTiling& t, uint64_t matrix,
                                 uint64_t column) {
    const auto width = static_cast<uint32_t>(layout::Least(t.width, t.inner - column));
    const uint32_t pitch = layout::UpTo(width, kPitch);
    const LocalTensor<float> number = number_.template Get<float>();
    for (uint64_t term = 0; term < t.terms; term += t.chunk) {
      const auto rows = static_cast<uint32_t>(layout::Least(t.chunk, t.terms - term));
      LocalTensor<T> in = in_.template AllocTensor<T>();
      layout::Rows<T>(rows, width, t.inner, pitch)
          .Load(in, x_[(matrix * t.terms + term) * t.inner + column]);
      in_.EnQue(in);
      in = in_.template DeQue<T>();
      const LocalTensor<float> values = wide_(in, rows * pitch);
      formula.Element(values, rows * pitch);
      FoldRows<Formula>(values, rows, pitch);
      if (term == 0) {
        Muls(number, values, 1.0f, pitch);
      } else {
        Formula::Bring(number, number, values, pitch);
      }
      in_.FreeTensor(in);
    }
    formula.Last(number, pitch, t.terms);
    Leave(number, width, matrix * t.inner + column);
  }

  __aicore__ inline void Leave(const LocalTensor<float>& number, uint32_t width, uint64_t at) {
    LocalTensor<T> out = out_.template AllocTensor<T>();
    if constexpr (kWidens) {
      Cast(out, number, RoundMode::CAST_RINT, width);
    } else {
      Muls(out, number, 1.0f, width);
    }
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    DataCopyPad(y_[at], out,
                DataCopyExtParams{1, static_cast<uint32_t>(width * sizeof(T)), 0, 0, 0});
    out_.FreeTensor(out);
  }

  TPipe pipe_;
  GlobalTensor<T> x_, y_;
  TQue<QuePosition::VECIN, elementwise::kBuffers> in_;
  TQue<QuePosition::VECOUT, elementwise::kBuffers> out_;
  TBuf<TPosition::VECCALC> number_;
  Widened<T> wide_;
};

#define REDUCE_FORMULA(reduction)                                                                  \
  struct Formula : rows::OneNumber<rows::Reduction::reduction> {                                   \
    __aicore__ static inline void Bring(const LocalTensor<float>& to, const LocalTensor<float>& a, \
                                        const LocalTensor<float>& b, uint32_t count) {             \
      if constexpr (How(0) == rows::Reduction::kSum) {                                             \
        Add(to, a, b, count);                                                                      \
      } else {                                                                                     \
        Max(to, a, b, count);                                                                      \
      }                                                                                            \
    }                                                                                              \
    __aicore__ inline LocalTensor<float> Join(rows::Unit& unit,                                    \
                                              const LocalTensor<float>& in) const {                \
      Element(in, unit.count());                                                                   \
      return in;                                                                                   \
    }                                                                                              \
    __aicore__ inline void Finish(rows::Unit& unit, uint32_t, const LocalTensor<float>& number,    \
                                  uint64_t columns) const {                                        \
      Last(number, unit.Height(), columns);                                                        \
    }                                                                                              \
    __aicore__ inline void Element(const LocalTensor<float>& x, uint32_t count) const;             \
    __aicore__ inline void Last(const LocalTensor<float>& number, uint32_t count,                  \
                                uint64_t terms) const;                                             \
  }
// Floats, by rows where nothing lies behind the dims. Rows: a template for the rows of a matrix.
template <typename Formula, template <typename, typename, typename> class Rows, typename X,
          typename Y>
__aicore__ inline void ReduceFloats(const ReduceTiling& data, GM_ADDR x, GM_ADDR y) {
  if (data.inner > 1) {
    Columns<Formula, X> op;
    op.Run(Formula{}, data, x, y);
  } else {
    Rows<Formula, rows::Out<Y, RoundMode::CAST_RINT, float>, rows::Joined<rows::In<X, float>>> op(
        data.rows);
    op.Run(Formula{}, y, rows::List(x));
  }
}

// Integers as they are: `How` brings them together.
template <typename Formula, typename How, typename X, typename Y>
__aicore__ inline void ReduceWholes(const ReduceTiling& data, GM_ADDR x, GM_ADDR y) {
  if constexpr (IsSameType<X, int32_t>::value) {
    WholeColumns<Words32<How>> op;
    op.Run(data, x, y);
  } else if constexpr (IsSameType<X, int64_t>::value) {
    WholeColumns<WideTotal> op;
    op.Run(data, x, y);
  } else {
    ReduceFloats<Formula, rows::Reducer, X, Y>(data, x, y);
  }
}

#define REDUCE_KERNEL(entry, ...)                                                      \
  extern "C" __global__ __aicore__ void entry(GM_ADDR x, GM_ADDR y, GM_ADDR workspace, \
                                              GM_ADDR tiling) {                        \
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);                                    \
    REGISTER_TILING_DEFAULT(ReduceTiling);                                             \
    GET_TILING_DATA(data, tiling);                                                     \
    __VA_ARGS__(data, x, y);                                                           \
  }
#define REDUCE_ENTRY(entry, Formula, Rows) \
  REDUCE_KERNEL(entry, ReduceFloats<Formula, Rows, DTYPE_X, DTYPE_Y>)
#define REDUCE_OP(entry, reduction) \
  REDUCE_FORMULA(reduction);        \
  REDUCE_ENTRY(entry, Formula, rows::Reducer)
// An op of integers as well: `how` (whole_kinds.h) brings them together, `reduction` what ELEMENT
// makes of floats.
#define REDUCE_ANY(entry, reduction, how) \
  REDUCE_FORMULA(reduction);              \
  REDUCE_KERNEL(entry, ReduceWholes<Formula, how, DTYPE_X, DTYPE_Y>)
#define ELEMENT \
  __aicore__ inline void Formula::Element(const LocalTensor<float>& x, uint32_t count) const
#define FINISH                                                                           \
  __aicore__ inline void Formula::Last(const LocalTensor<float>& number, uint32_t count, \
                                       uint64_t terms) const

#endif  // REDUCE_REDUCE_H_
