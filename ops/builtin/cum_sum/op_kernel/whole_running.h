// Sums of lines of integers, up to each line: with it or without it. Overflow wraps.
#ifndef CUM_SUM_WHOLE_RUNNING_H_
#define CUM_SUM_WHOLE_RUNNING_H_

#include "running.h"
#include "wide_words.h"

// Adds up lines of int32, by one call each.
class WordsRunning {
 public:
  using Whole = int32_t;

  __aicore__ inline void Init(AscendC::TPipe& pipe, const CumSumTiling& t) {
    running_.Init(pipe, t, t.width);
  }
  __aicore__ inline void Begin(uint32_t width) { running_.Begin(width); }
  __aicore__ inline void Take(const wide::Words& out, const wide::Words& in, uint32_t rows,
                              uint32_t width, uint32_t pitch) {
    running_.Take(in, rows, pitch);
    running_.Leave([&](uint32_t line, const wide::Words& sums, uint32_t lines) {
      AscendC::Muls(out[line * pitch], sums, 1, lines * pitch);
    });
  }

 private:
  Running<int32_t> running_;
};

// Adds up lines of int64: low and high words apart, in one memory for all lines of a chunk.
class WideRunning {
 public:
  using Whole = int64_t;

  __aicore__ inline void Init(AscendC::TPipe& pipe, const CumSumTiling& t) {
    exclusive_ = t.exclusive != 0;
    reverse_ = t.reverse != 0;
    for (auto& words : lines_) pipe.InitBuffer(words, t.chunk * t.width * sizeof(int32_t));
    for (auto& words : sums_) pipe.InitBuffer(words, t.width * sizeof(int32_t));
  }

  __aicore__ inline void Begin(uint32_t width) {
    AscendC::Duplicate(sums_[kLow].Get<int32_t>(), 0, width);
    AscendC::Duplicate(sums_[kHigh].Get<int32_t>(), 0, width);
  }

  // Takes `rows` lines of `width` numbers, `pitch` numbers apart; `in` is overwritten.
  __aicore__ inline void Take(const wide::Wide& out, const wide::Wide& in, uint32_t rows,
                              uint32_t width, uint32_t pitch) {
    const wide::Words low = lines_[kLow].Get<int32_t>(), high = lines_[kHigh].Get<int32_t>();
    wide::Split(low, high, in, rows * pitch);
    for (uint32_t i = 0; i < rows; ++i) {
      const uint32_t at = (reverse_ ? rows - 1 - i : i) * pitch;
      OneLine(low[at], high[at], width);
    }
    wide::Join(out, low, high, in, rows * pitch);
  }

 private:
  static constexpr uint32_t kLow = 0, kHigh = 1, kSum = 2, kCarry = 3, kBeforeLow = 4,
                            kBeforeHigh = 5, kMemories = 6;

  __aicore__ inline void OneLine(const wide::Words& low, const wide::Words& high, uint32_t width) {
    using namespace AscendC;
    const wide::Words total_low = sums_[kLow].Get<int32_t>(),
                      total_high = sums_[kHigh].Get<int32_t>(), sum = sums_[kSum].Get<int32_t>(),
                      carry = sums_[kCarry].Get<int32_t>();
    if (exclusive_) {
      Muls(sums_[kBeforeLow].Get<int32_t>(), total_low, 1, width);
      Muls(sums_[kBeforeHigh].Get<int32_t>(), total_high, 1, width);
    }
    Add(sum, total_low, low, width);
    Add(total_high, total_high, high, width);
    wide::Carry(carry, total_low, low, sum, width);
    Add(total_high, total_high, carry, width);
    Muls(total_low, sum, 1, width);
    Muls(low, exclusive_ ? sums_[kBeforeLow].Get<int32_t>() : total_low, 1, width);
    Muls(high, exclusive_ ? sums_[kBeforeHigh].Get<int32_t>() : total_high, 1, width);
  }

  AscendC::TBuf<AscendC::TPosition::VECCALC> lines_[2], sums_[kMemories];
  bool exclusive_ = false, reverse_ = false;
};

#endif  // CUM_SUM_WHOLE_RUNNING_H_
