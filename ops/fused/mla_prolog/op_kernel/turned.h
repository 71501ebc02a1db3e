// Both halves of a block's pairs turned by the angles of their rows' tokens.
#ifndef MLA_PROLOG_TURNED_H_
#define MLA_PROLOG_TURNED_H_

#include "layout.h"
#include "product_store.h"
#include "widened.h"

template <typename T>
class Turned {
 public:
  using Numbers = AscendC::LocalTensor<float>;

  // half: angles of a token. elements: of a block, at most.
  __aicore__ inline void Init(AscendC::TPipe& pipe, GM_ADDR cos, GM_ADDR sin, uint32_t half,
                              uint32_t elements) {
    cos_.SetGlobalBuffer((__gm__ Bits*)cos);
    sin_.SetGlobalBuffer((__gm__ Bits*)sin);
    half_ = half;
    elements_ = elements;
    pipe.InitBuffer(in_, 1, elements * sizeof(T));
    pipe.InitBuffer(halves_, 4 * elements * sizeof(float));
    wide_.Init(pipe, elements);
  }

  // Tells whether one block of sums holds all columns of both halves, each from a block of UB on.
  __aicore__ inline static bool IsOneBlock(uint32_t half, const product::Block& block) {
    return block.columns == half && half % 8 == 0 && 2 * half <= block.pitch;
  }
  // Takes both halves apart: the columns of `block`, and those behind them.
  __aicore__ inline void Split(const Numbers& both, const product::Block& block) {
    for (uint32_t i = 0; i < block.rows; ++i) {
      const uint32_t row = i * block.pitch;
      Muls(First()[row], both[row], 1.0f, block.columns);
      Muls(Second()[row], both[row + block.columns], 1.0f, block.columns);
    }
  }
  __aicore__ inline Numbers Second() { return halves_.Get<float>()[3 * elements_]; }
  // Keeps the first half of the pairs until Turn.
  __aicore__ inline void Keep(const Numbers& first, const product::Block& block) {
    Muls(First(), first, 1.0f, block.elements());
  }
  // Left() and Right() become what the kept half and `second` are turned to; uses up `second`.
  __aicore__ inline void Turn(const Numbers& second, const product::Block& block) {
    using namespace AscendC;
    const uint32_t count = block.elements();
    Angles(cos_, block, [&](const Numbers& cos) {
      Mul(Left(), First(), cos, count);
      Mul(Right(), second, cos, count);
    });
    Angles(sin_, block, [&](const Numbers& sin) {
      Mul(second, second, sin, count);
      Mul(First(), First(), sin, count);
    });
    Sub(Left(), Left(), second, count);
    Add(Right(), Right(), First(), count);
  }
  __aicore__ inline Numbers Left() { return halves_.Get<float>()[elements_]; }
  __aicore__ inline Numbers Right() { return halves_.Get<float>()[2 * elements_]; }

 private:
  using Bits = typename layout::BitsOf<sizeof(T)>::Type;

  __aicore__ inline Numbers First() { return halves_.Get<float>(); }

  template <typename Call>
  __aicore__ inline void Angles(const AscendC::GlobalTensor<Bits>& from,
                                const product::Block& block, const Call& call) {
    AscendC::LocalTensor<Bits> in = in_.template AllocTensor<Bits>();
    layout::Rows<Bits>(block.rows, block.columns, half_, block.pitch)
        .Load(in, from[static_cast<uint64_t>(block.row) * half_ + block.column]);
    in_.EnQue(in);
    in = in_.template DeQue<Bits>();
    call(wide_(in.template ReinterpretCast<T>(), block.elements()));
    in_.FreeTensor(in);
  }

  AscendC::GlobalTensor<Bits> cos_, sin_;
  uint32_t half_ = 0, elements_ = 0;
  AscendC::TQue<AscendC::QuePosition::VECIN, 1> in_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> halves_;
  Widened<T> wide_;
};

#endif  // MLA_PROLOG_TURNED_H_
