// How columns of integers are folded (whole_columns.h): int32 by one call, int64 by its words.
#ifndef REDUCE_WHOLE_KINDS_H_
#define REDUCE_WHOLE_KINDS_H_

#include "reduce_tiling.h"
#include "wide_words.h"

// Calls call(first row of the lower half, rows in it) until one row is left: the lower half goes
// onto the upper one.
template <typename Call>
__aicore__ inline void EveryHalf(uint32_t rows, const Call& call) {
  while (rows > 1) {
    const uint32_t half = rows / 2;
    call(rows - half, half);
    rows -= half;
  }
}

struct Largest {
  __aicore__ static inline void Bring(const wide::Words& to, const wide::Words& a,
                                      const wide::Words& b, uint32_t count) {
    AscendC::Max(to, a, b, count);
  }
};
struct Smallest {
  __aicore__ static inline void Bring(const wide::Words& to, const wide::Words& a,
                                      const wide::Words& b, uint32_t count) {
    AscendC::Min(to, a, b, count);
  }
};
// Overflow wraps.
struct Total {
  __aicore__ static inline void Bring(const wide::Words& to, const wide::Words& a,
                                      const wide::Words& b, uint32_t count) {
    AscendC::Add(to, a, b, count);
  }
};

template <typename How>
class Words32 {
 public:
  using Whole = int32_t;

  __aicore__ inline void Init(AscendC::TPipe& pipe, const ReduceTiling& t) {
    pipe.InitBuffer(number_, t.width * sizeof(Whole));
  }
  __aicore__ inline void Take(const wide::Words& in, uint32_t rows, uint32_t pitch, bool first) {
    EveryHalf(rows, [&](uint32_t row, uint32_t half) {
      How::Bring(in, in, in[row * pitch], half * pitch);
    });
    const wide::Words number = number_.Get<Whole>();
    if (first) {
      AscendC::Muls(number, in, 1, pitch);
    } else {
      How::Bring(number, number, in, pitch);
    }
  }
  __aicore__ inline void End(const wide::Words& out, uint32_t pitch) {
    AscendC::Muls(out, number_.Get<Whole>(), 1, pitch);
  }

 private:
  AscendC::TBuf<AscendC::TPosition::VECCALC> number_;
};

// Sums of int64, low and high words apart. Overflow wraps.
class WideTotal {
 public:
  using Whole = int64_t;

  __aicore__ inline void Init(AscendC::TPipe& pipe, const ReduceTiling& t) {
    for (auto& words : tile_) pipe.InitBuffer(words, t.tile * sizeof(int32_t));
    for (auto& words : number_) pipe.InitBuffer(words, t.width * sizeof(int32_t));
    pipe.InitBuffer(more_, t.width * sizeof(Whole));
  }
  __aicore__ inline void Take(const wide::Wide& in, uint32_t rows, uint32_t pitch, bool first) {
    const wide::Words low = tile_[0].Get<int32_t>(), high = tile_[1].Get<int32_t>();
    const wide::Words total_low = number_[0].Get<int32_t>(), total_high = number_[1].Get<int32_t>();
    const wide::Words spare = wide::WordsOf(in);
    wide::Split(low, high, in, rows * pitch);
    EveryHalf(rows, [&](uint32_t row, uint32_t half) {
      Bring(low, high, low[row * pitch], high[row * pitch], spare, half * pitch);
    });
    if (first) {
      AscendC::Muls(total_low, low, 1, pitch);
      AscendC::Muls(total_high, high, 1, pitch);
    } else {
      Bring(total_low, total_high, low, high, spare, pitch);
    }
  }
  __aicore__ inline void End(const wide::Wide& out, uint32_t pitch) {
    wide::Join(out, number_[0].Get<int32_t>(), number_[1].Get<int32_t>(), more_.Get<Whole>(),
               pitch);
  }

 private:
  // Adds the others to the first ones. Spare: of twice `count` words; the others are overwritten.
  __aicore__ static inline void Bring(const wide::Words& low, const wide::Words& high,
                                      const wide::Words& other_low, const wide::Words& other_high,
                                      const wide::Words& spare, uint32_t count) {
    const wide::Words sum = spare, carry = spare[count];
    AscendC::Add(sum, low, other_low, count);
    AscendC::Add(high, high, other_high, count);
    wide::Carry(carry, low, other_low, sum, count);
    AscendC::Add(high, high, carry, count);
    AscendC::Muls(low, sum, 1, count);
  }

  AscendC::TBuf<AscendC::TPosition::VECCALC> tile_[2], number_[2], more_;
};

#endif  // REDUCE_WHOLE_KINDS_H_
