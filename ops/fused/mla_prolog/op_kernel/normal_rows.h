// One row of floats in GM at a time brought to a mean square of 1, and scaled.
#ifndef MLA_PROLOG_NORMAL_ROWS_H_
#define MLA_PROLOG_NORMAL_ROWS_H_

#include "layout.h"
#include "narrowed.h"
#include "norm_formulas.h"
#include "widened.h"

template <typename T>
class NormalRows {
 public:
  // columns: of a row, at most.
  __aicore__ inline void Init(AscendC::TPipe& pipe, uint32_t columns) {
    pitch_ = layout::UpTo(columns, LayoutBlock(sizeof(T)));
    pipe.InitBuffer(in_, 1, pitch_ * sizeof(float));
    pipe.InitBuffer(scale_, 1, pitch_ * sizeof(T));
    pipe.InitBuffer(out_, 1, pitch_ * sizeof(T));
    pipe.InitBuffer(squares_, pitch_ * sizeof(float));
    wide_.Init(pipe, pitch_);
    unit_.Init(pipe, 1, pitch_, 1);
  }

  __aicore__ inline void Run(const AscendC::GlobalTensor<T>& to,
                             const AscendC::GlobalTensor<float>& from,
                             const AscendC::GlobalTensor<T>& scale, uint32_t columns,
                             float epsilon) {
    using namespace AscendC;
    LocalTensor<float> x = Load<float>(in_, from, columns);
    unit_.SetTile({0, 0, 1, columns, layout::UpTo(columns, kFloats)});
    const LocalTensor<float> squares = squares_.Get<float>();
    Mul(squares, x, x, unit_.count());
    unit_.Reduce(rows::Reduction::kSum, unit_.Number(0), squares);
    norm::Invert(unit_, unit_.Number(0), unit_.Number(1), columns, epsilon);
    unit_.Spread(0);
    unit_.Multiply(x, x, 0);
    LocalTensor<T> factors = Load<T>(scale_, scale, columns);
    Mul(x, x, wide_(factors, columns), columns);
    scale_.FreeTensor(factors);
    LocalTensor<T> out = out_.template AllocTensor<T>();
    Narrow(out, x, columns);
    in_.FreeTensor(x);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    layout::Rows<T>(1, columns, columns, pitch_).Store(to, out);
    out_.FreeTensor(out);
  }

 private:
  static constexpr uint32_t kFloats = 8;  // counts the floats of a block

  template <typename E, typename Queue>
  __aicore__ inline AscendC::LocalTensor<E> Load(Queue& queue, const AscendC::GlobalTensor<E>& from,
                                                 uint32_t columns) {
    AscendC::LocalTensor<E> in = queue.template AllocTensor<E>();
    layout::Rows<E>(1, columns, columns, pitch_).Load(in, from);
    queue.EnQue(in);
    return queue.template DeQue<E>();
  }

  uint32_t pitch_ = 0;
  AscendC::TQue<AscendC::QuePosition::VECIN, 1> in_, scale_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, 1> out_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> squares_;
  Widened<T> wide_;
  rows::Unit unit_;
};

#endif  // MLA_PROLOG_NORMAL_ROWS_H_
